#include <cmath>
#include <random>

#include "grids.h"
#include "runtime/support/float16.h"

using namespace test;

namespace {

std::int32_t lane() { return tel_device_thread() % 32; }
std::int32_t place() { return tel_device_thread(); }

/// One result of `count` i32 for each thread of a block of `threads`.
template <std::size_t count = 1>
std::vector<std::int32_t> run(Emulated kernel, int threads = 32, std::int64_t shared = 0,
                              std::int64_t blocks = 1) {
  std::vector<std::int32_t> first;
  for (std::uint64_t order = 0; order < 4; ++order) {
    Grids grids;
    const auto size = static_cast<std::size_t>(threads * blocks) * count;
    const auto* out = grids.result<std::int32_t>("out", size);
    const int number = grids.kernel("kernel", kernel, threads, shared);
    CHECK(grids.run({{number, blocks}}, order, 1, true) == "");
    const std::vector<std::int32_t> values(out, out + size);
    if (order == 0) first = values;
    CHECK(values == first);
  }
  return first;
}

template <std::size_t count = 1>
void give(const std::int64_t* words, const std::int32_t* positions, std::int32_t value, std::size_t i = 0) {
  store<1>(buffer<std::int32_t>(words, positions, 0) + static_cast<std::size_t>(place()) * count + i, value);
}

std::int32_t bits(float x) { return __builtin_bit_cast(std::int32_t, x); }

}  // namespace

TEST_CASE("thread and block") {
  const auto out = run(
      [](const std::int64_t* words, const std::int32_t* positions) {
        const int i = tel_device_block() * 64 + tel_device_thread();
        store<1>(buffer<std::int32_t>(words, positions, 0) + i, i);
      },
      64, 0, 5);
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == static_cast<std::int32_t>(i));
}

TEST_CASE("shared memory is the block's, aligned to 1024") {
  const auto out = run(
      [](const std::int64_t* words, const std::int32_t* positions) {
        auto* memory = shared<std::int32_t>();
        CHECK(reinterpret_cast<std::uintptr_t>(memory) % 1024 == 0);
        store<2>(memory + place(), 100 + place());
        tel_device_barrier(0, 64, &at<3>);
        give(words, positions, load<4>(memory + 63 - place()));
      },
      64, 256);
  for (int i = 0; i < 64; ++i) CHECK(out[static_cast<std::size_t>(i)] == 163 - i);
}

TEST_CASE("barriers by name, for a part of the block") {
  // Warps 0 and 1 hand over through barrier 1, warps 2 and 3 through barrier 2.
  const auto out = run(
      [](const std::int64_t* words, const std::int32_t* positions) {
        auto* memory = shared<std::int32_t>();
        const int half = place() / 64, partner = place() ^ 32;
        for (int round = 0; round < 3; ++round) {
          store<2>(memory + place(), round * 1000 + place());
          tel_device_barrier(1 + half, 64, &at<3>);
          const int value = load<4>(memory + partner);
          tel_device_barrier(1 + half, 64, &at<5>);
          if (round == 2) give(words, positions, value);
        }
      },
      128, 512);
  for (int i = 0; i < 128; ++i) CHECK(out[static_cast<std::size_t>(i)] == 2000 + (i ^ 32));
}

TEST_CASE("warp_barrier orders the warp's memory") {
  const auto out = run(
      [](const std::int64_t* words, const std::int32_t* positions) {
        auto* memory = shared<std::int32_t>();
        store<2>(memory + place(), place() * place());
        tel_device_warp_barrier(&at<3>);
        give(words, positions, load<4>(memory + (place() ^ 5)));
      },
      64, 256);
  for (int i = 0; i < 64; ++i) CHECK(out[static_cast<std::size_t>(i)] == (i ^ 5) * (i ^ 5));
}

TEST_CASE("shuffle") {
  const auto out = run([](const std::int64_t* words, const std::int32_t* positions) {
    give(words, positions, tel_device_shuffle(7 * place(), (place() + 3) % 32, &at<2>));
  });
  for (int i = 0; i < 32; ++i) CHECK(out[static_cast<std::size_t>(i)] == 7 * ((i + 3) % 32));
}

TEST_CASE("shuffle_xor, and shuffles one after the other") {
  const auto out = run(
      [](const std::int64_t* words, const std::int32_t* positions) {
        int sum = place();
        for (int mask = 16; mask > 0; mask /= 2) sum += tel_device_shuffle_xor(sum, mask, &at<2>);
        give(words, positions, sum);
      },
      96);
  for (int i = 0; i < 96; ++i) CHECK(out[static_cast<std::size_t>(i)] == 31 * 16 + 32 * 32 * (i / 32));
}

TEST_CASE("any and ballot") {
  const auto out = run<3>([](const std::int64_t* words, const std::int32_t* positions) {
    give<3>(words, positions, tel_device_any(place() == 17, &at<2>), 0);
    give<3>(words, positions, tel_device_any(place() > 99, &at<3>), 1);
    give<3>(words, positions, tel_device_ballot(place() % 3 == 0, &at<4>), 2);
  });
  std::uint32_t thirds = 0;
  for (int i = 0; i < 32; i += 3) thirds |= 1u << i;
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(out[3 * i] == 1);
    CHECK(out[3 * i + 1] == 0);
    CHECK(out[3 * i + 2] == static_cast<std::int32_t>(thirds));
  }
}

namespace {

using CopyAsync = void (*)(void*, const void*, std::int32_t, const runtime::Site*);

/// Every thread copies `bytes` of `size` from its part of a buffer, waits, and hands them out.
template <CopyAsync copy, int size, int bytes>
void copy_kernel(const std::int64_t* words, const std::int32_t* positions) {
  const int first = place() * size;
  copy(shared<char>(first), buffer<char>(words, positions, 0) + first, bytes, &at<2>);
  tel_device_copy_commit(&at<3>);
  tel_device_copy_wait(0, &at<4>);
  for (int i = 0; i < size; ++i)
    store<5>(buffer<char>(words, positions, 1) + first + i, load<6>(shared<char>(first + i)));
}

template <CopyAsync copy, int size, int bytes>
void check_copy() {
  Grids grids;
  std::vector<char> values(32 * size);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<char>(i + 1);
  grids.argument("from", values);
  const char* out = grids.result<char>("to", values.size());
  const int kernel = grids.kernel("copy", copy_kernel<copy, size, bytes>, 32, 32 * size);
  REQUIRE(grids.run({{kernel, 1}}, 0, 1, true) == "");
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(out[i] == (i % size < bytes ? values[i] : 0));
}

}  // namespace

TEST_CASE("copies of 4, 8 and 16 bytes, zeros behind what is copied") {
  check_copy<tel_device_copy_async_4, 4, 4>();
  check_copy<tel_device_copy_async_4, 4, 3>();
  check_copy<tel_device_copy_async_8, 8, 8>();
  check_copy<tel_device_copy_async_8, 8, 4>();
  check_copy<tel_device_copy_async_16, 16, 16>();
  check_copy<tel_device_copy_async_16, 16, 12>();
  check_copy<tel_device_copy_async_16, 16, 0>();
}

TEST_CASE("copies land when their group is waited for, not before") {
  Grids grids;
  grids.argument("from", std::vector<std::int32_t>{1, 2, 3, 4});
  const auto* out = grids.result<std::int32_t>("to", 6);
  const int kernel = grids.kernel(
      "copy",
      [](const std::int64_t* words, const std::int32_t* positions) {
        if (place() != 0) return;
        const auto* from = buffer<std::int32_t>(words, positions, 0);
        auto* to = buffer<std::int32_t>(words, positions, 1);
        auto* memory = shared<std::int32_t>();
        for (int i = 0; i < 4; ++i) memory[i] = -1;  // behind the emulator's back
        for (int i = 0; i < 3; ++i) {
          tel_device_copy_async_4(memory + i, from + i, 4, &at<2>);
          tel_device_copy_commit(&at<3>);
        }
        tel_device_copy_async_4(memory + 3, from + 3, 4, &at<4>);  // of no group
        const auto show = [&](int i) { store<5>(to + i, memory[i % 4]); };
        tel_device_copy_wait(2, &at<6>);
        show(0);
        store<5>(to + 1, memory[1]);
        tel_device_copy_wait(1, &at<7>);
        store<5>(to + 2, memory[1]);
        store<5>(to + 3, memory[2]);
        tel_device_copy_wait(0, &at<8>);
        store<5>(to + 4, memory[2]);
        store<5>(to + 5, memory[3]);
      },
      32, 16);
  REQUIRE(grids.run({{kernel, 1}}, 0, 1, true) == "");
  CHECK(std::vector<std::int32_t>(out, out + 6) == std::vector<std::int32_t>{1, -1, 2, -1, 3, -1});
}

namespace {

template <int count, bool transposed>
void load_kernel(const std::int64_t* words, const std::int32_t* positions) {
  auto* memory = shared<std::uint16_t>();
  for (int i = place(); i < 256; i += 32) store<2>(memory + i, static_cast<std::uint16_t>(i));
  tel_device_warp_barrier(&at<3>);
  // Row r of matrix m is row 8m + r of 32 rows of 8; what other lanes give is not looked at.
  const void* row = lane() < 8 * count ? static_cast<const void*>(memory + 8 * lane()) : nullptr;
  std::int32_t results[4] = {};
  if constexpr (count == 1)
    results[0] =
        transposed ? tel_device_load_matrix_transposed(row, &at<4>) : tel_device_load_matrix(row, &at<4>);
  if constexpr (count == 2)
    (transposed ? tel_device_load_matrix_transposed_2 : tel_device_load_matrix_2)(row, results, &at<4>);
  if constexpr (count == 4)
    (transposed ? tel_device_load_matrix_transposed_4 : tel_device_load_matrix_4)(row, results, &at<4>);
  for (std::size_t m = 0; m < count; ++m) give<count>(words, positions, results[m], m);
}

template <std::size_t count, bool transposed>
void check_load() {
  const auto out = run<count>(load_kernel<count, transposed>, 32, 512);
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t m = 0; m < count; ++m) {
      const std::size_t major = lane / 4, minor = 2 * (lane % 4);
      const std::size_t low = transposed ? 8 * minor + major : 8 * major + minor;
      const std::size_t high = transposed ? low + 8 : low + 1;
      CHECK(out[lane * count + m] == static_cast<std::int32_t>((64 * m + low) | (64 * m + high) << 16));
    }
}

}  // namespace

TEST_CASE("load_matrix, 1, 2 and 4, also transposed") {
  check_load<1, false>();
  check_load<2, false>();
  check_load<4, false>();
  check_load<1, true>();
  check_load<2, true>();
  check_load<4, true>();
}

namespace {

/// Operands as 32-bit registers in the order of lanes: 4 of a, 2 of b, 4 of c; results likewise.
using Multiply = void (*)(std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                          float, float, float, float, float*, const runtime::Site*);

template <Multiply multiply>
void multiply_kernel(const std::int64_t* words, const std::int32_t* positions) {
  const auto* a = buffer<std::int32_t>(words, positions, 0) + 4 * lane();
  const auto* b = buffer<std::int32_t>(words, positions, 1) + 2 * lane();
  const auto* c = buffer<float>(words, positions, 2) + 4 * lane();
  float results[4];
  multiply(a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], c[2], c[3], results, &at<2>);
  for (int i = 0; i < 4; ++i) store<3>(buffer<float>(words, positions, 3) + 4 * lane() + i, results[i]);
}

/// The PTX manual, 9.7.15.5.8 and 9.7.15.5.7: which element the i-th of a lane's elements is.
struct Place {
  int row, column;
};
Place place_a_16(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {(i < 2 || (4 <= i && i < 6)) ? group : group + 8, thread * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
Place place_b_16(int lane, int i) { return {lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane >> 2}; }
Place place_a_8(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i == 0 || i == 2 ? group : group + 8, i < 2 ? thread : thread + 4};
}
Place place_b_8(int lane, int i) { return {lane % 4 + (i == 0 ? 0 : 4), lane >> 2}; }
Place place_c(int lane, int i) { return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)}; }

/// `narrow` gives a float's bits in the operands' format, `widen` their value.
void check_multiply(Emulated kernel, int k, std::uint32_t (*narrow)(float), float (*widen)(std::uint32_t)) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<std::vector<std::uint32_t>> a(16, std::vector<std::uint32_t>(16)), b = a;
  std::vector<std::vector<float>> c(16, std::vector<float>(8));
  for (auto* matrix : {&a, &b})
    for (auto& row : *matrix)
      for (auto& one : row) one = narrow(normal(random));
  for (auto& row : c)
    for (auto& one : row) one = normal(random);
  const int elements = k == 16 ? 2 : 1;
  std::vector<std::int32_t> a_bits(32 * 4), b_bits(32 * 2);
  std::vector<float> c_values(32 * 4);
  for (int lane = 0; lane < 32; ++lane) {
    const auto put = [&](std::vector<std::int32_t>& to, int registers, int i, std::uint32_t value) {
      to[static_cast<std::size_t>(lane * registers + i / elements)] |=
          static_cast<std::int32_t>(value << (16 * (i % elements)));
    };
    for (int i = 0; i < 4 * elements; ++i) {
      const Place p = k == 16 ? place_a_16(lane, i) : place_a_8(lane, i);
      put(a_bits, 4, i, a[static_cast<std::size_t>(p.row)][static_cast<std::size_t>(p.column)]);
    }
    for (int i = 0; i < 2 * elements; ++i) {
      const Place p = k == 16 ? place_b_16(lane, i) : place_b_8(lane, i);
      put(b_bits, 2, i, b[static_cast<std::size_t>(p.row)][static_cast<std::size_t>(p.column)]);
    }
    for (int i = 0; i < 4; ++i) {
      const Place p = place_c(lane, i);
      c_values[static_cast<std::size_t>(4 * lane + i)] =
          c[static_cast<std::size_t>(p.row)][static_cast<std::size_t>(p.column)];
    }
  }
  Grids grids;
  grids.argument("a", a_bits);
  grids.argument("b", b_bits);
  grids.argument("c", c_values);
  const float* out = grids.result<float>("d", 128);
  REQUIRE(grids.run({{grids.kernel("multiply", kernel, 32), 1}}, 0, 1, true) == "");
  CHECK(grids.counters.products == 16 * 8 * k);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const Place p = place_c(lane, i);
      const auto row = static_cast<std::size_t>(p.row), column = static_cast<std::size_t>(p.column);
      float sum = c[row][column];
      for (std::size_t at = 0; at < static_cast<std::size_t>(k); ++at) {
        const float product = widen(a[row][at]) * widen(b[at][column]);
        sum += product;
      }
      CHECK(bits(out[4 * lane + i]) == bits(sum));
    }
}

}  // namespace

TEST_CASE("multiply_f16") {
  check_multiply(
      multiply_kernel<tel_device_multiply_f16>, 16,
      [](float x) { return std::uint32_t{runtime::float_to_float16(x)}; },
      [](std::uint32_t x) { return runtime::float16_to_float(static_cast<std::uint16_t>(x)); });
}

TEST_CASE("multiply_bf16") {
  check_multiply(
      multiply_kernel<tel_device_multiply_bf16>, 16,
      [](float x) { return std::uint32_t{runtime::float_to_bfloat16(x)}; },
      [](std::uint32_t x) { return runtime::bfloat16_to_float(static_cast<std::uint16_t>(x)); });
}

TEST_CASE("multiply_tf32 reads 10 bits of the fraction") {
  check_multiply(
      multiply_kernel<tel_device_multiply_tf32>, 8,
      [](float x) { return __builtin_bit_cast(std::uint32_t, x); },
      [](std::uint32_t x) { return __builtin_bit_cast(float, x >> 13 << 13); });
}
