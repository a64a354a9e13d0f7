#include <cmath>
#include <random>

#include "grids.h"
#include "runtime/support/float16.h"

using namespace test;

namespace {

using Words = const std::int64_t*;
using Positions = const std::int32_t*;

int place() { return tel_device_thread(); }
int block() { return tel_device_block(); }

std::vector<float> random_floats(std::size_t count) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& one : values) one = normal(random);
  return values;
}

/// In order and in 20 others, on 1 and 2 workers: no report, and the same bits, which are given.
std::vector<float> stable(Grids& grids, const std::vector<Grids::Launch>& launches, const float* out,
                          std::size_t count) {
  std::vector<float> first;
  runtime::emulator::Counters counters{};
  for (std::uint64_t order = 0; order <= 20; ++order)
    for (int workers = 1; workers <= 2; ++workers) {
      REQUIRE(grids.run(launches, order, workers, true) == "");
      const std::vector<float> values(out, out + count);
      if (first.empty()) first = values, counters = grids.counters;
      CHECK(std::memcmp(values.data(), first.data(), count * sizeof(float)) == 0);
      CHECK(std::memcmp(&counters, &grids.counters, sizeof counters) == 0);
    }
  return first;
}

/// A block sums 1024 of 'x': a tree in shared memory, then shuffles in the first warp.
void reduce(Words words, Positions positions) {
  const auto* x = buffer<Four>(words, positions, 0) + 256 * block();
  auto* sums = shared<float>();
  const Four four = load<10>(x + place());
  store<11>(sums + place(), four.x[0] + four.x[1] + four.x[2] + four.x[3]);
  for (int half = 128; half >= 32; half /= 2) {
    tel_device_barrier(0, 256, &at<13>);
    if (place() < half) store<14>(sums + place(), load<14>(sums + place()) + load<14>(sums + place() + half));
  }
  if (place() >= 32) return;
  float sum = load<16>(sums + place());
  for (int mask = 16; mask > 0; mask /= 2)
    sum += __builtin_bit_cast(float,
                              tel_device_shuffle_xor(__builtin_bit_cast(std::int32_t, sum), mask, &at<18>));
  if (place() == 0) store<19>(buffer<float>(words, positions, 1) + block(), sum);
}

struct Loose {
  float x[4];
};

/// A thread's 16 bytes of 'x' by way of shared memory.
template <typename Quad>
void through_shared(Words words, Positions positions) {
  auto* own = shared<Quad>() + place();
  store<10>(own, load<11>(buffer<Quad>(words, positions, 0) + place()));
  store<12>(buffer<Quad>(words, positions, 1) + place(), load<13>(own));
}

/// 32 x 32 tiles through shared memory; `spread` says at which word of its row a column lies.
template <int (*spread)(int row, int column)>
void transpose(Words words, Positions positions) {
  constexpr int size = 96, tiles = size / 32;
  const int row = block() / tiles * 32, column = block() % tiles * 32, lane = place() % 32;
  auto* tile = shared<float>();
  for (int r = place() / 32; r < 32; r += 4)
    store<11>(tile + 32 * r + spread(r, lane),
              load<10>(buffer<float>(words, positions, 0) + (row + r) * size + column + lane));
  tel_device_barrier(0, 128, &at<12>);
  for (int r = place() / 32; r < 32; r += 4)
    store<14>(buffer<float>(words, positions, 1) + (column + r) * size + row + lane,
              load<13>(tile + 32 * lane + spread(lane, r)));
}
int plain(int, int column) { return column; }
int swizzled(int row, int column) { return column ^ row; }

/// Sums rows of 64 x 16 bytes, which come through a ring of three copies.
void ring(Words words, Positions positions) {
  constexpr int stages = 3, steps = 20;
  const auto* x = buffer<Four>(words, positions, 0) + 64 * steps * block();
  const auto start = [&](int step) {
    if (step < steps)
      tel_device_copy_async_16(shared<Four>() + 64 * (step % stages) + place(), x + 64 * step + place(), 16,
                               &at<10>);
    tel_device_copy_commit(&at<11>);
  };
  for (int step = 0; step < stages - 1; ++step) start(step);
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    tel_device_copy_wait(stages - 2, &at<14>);
    tel_device_barrier(0, 64, &at<15>);
    start(step + stages - 1);
    const Four four = load<17>(shared<Four>() + 64 * (step % stages) + 63 - place());
    sum += four.x[0] + four.x[1] + four.x[2] + four.x[3];
  }
  store<19>(buffer<float>(words, positions, 1) + 64 * block() + place(), sum);
}

/// A warp: 16 x 8 of a (16 x 48, rows) times b (48 x 8, rows), through shared memory and ldmatrix.
void product(Words words, Positions positions) {
  constexpr int k = 48, steps = k / 16;
  const auto* a = buffer<std::uint16_t>(words, positions, 0);
  const auto* b = buffer<std::uint16_t>(words, positions, 1);
  auto* tile_a = shared<std::uint16_t>();         // 16 rows of 16
  auto* tile_b = shared<std::uint16_t>(2 * 256);  // 16 rows of 8
  const int lane = place();
  float sum[4] = {};
  for (int step = 0; step < steps; ++step) {
    tel_device_copy_async_16(tile_a + 8 * lane, a + lane / 2 * k + 16 * step + lane % 2 * 8, 16, &at<10>);
    if (lane < 16) tel_device_copy_async_16(tile_b + 8 * lane, b + (16 * step + lane) * 8, 16, &at<11>);
    tel_device_copy_commit(&at<12>);
    tel_device_copy_wait(0, &at<13>);
    tel_device_warp_barrier(&at<14>);
    std::int32_t fa[4], fb[2];
    tel_device_load_matrix_4(tile_a + lane % 16 * 16 + lane / 16 * 8, fa, &at<15>);
    tel_device_load_matrix_transposed_2(tile_b + lane % 16 * 8, fb, &at<16>);
    tel_device_multiply_f16(fa[0], fa[1], fa[2], fa[3], fb[0], fb[1], sum[0], sum[1], sum[2], sum[3], sum,
                            &at<17>);
    tel_device_warp_barrier(&at<18>);
  }
  auto* d = buffer<float>(words, positions, 2);
  for (int i = 0; i < 4; ++i) store<20>(d + (lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2, sum[i]);
}

}  // namespace

TEST_CASE("clean: a tree of sums") {
  constexpr std::size_t blocks = 7;
  Grids grids;
  const auto x = random_floats(1024 * blocks);
  grids.argument("x", x);
  const auto* out = grids.result<float>("sums", blocks);
  const int number = grids.kernel("reduce", reduce, 256, 1024);
  const auto sums = stable(grids, {{number, blocks}}, out, blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 1024; ++j) sum += static_cast<double>(x[1024 * i + j]);
    CHECK(std::fabs(static_cast<double>(sums[i]) - sum) < 1e-3);
  }
  CHECK(grids.counters.blocks == blocks);
  CHECK(grids.counters.read == 4096 * blocks);
  CHECK(grids.counters.written == 4 * blocks);
  CHECK(grids.counters.conflicts == 0);
}

TEST_CASE("clean: a transpose by tiles, without conflicts if it is swizzled") {
  constexpr std::size_t size = 96;
  const auto x = random_floats(size * size);
  const auto run = [&](Emulated kernel) {
    Grids grids;
    grids.argument("x", x);
    const auto* out = grids.result<float>("y", size * size);
    const int number = grids.kernel("transpose", kernel, 128, 4096);
    const auto y = stable(grids, {{number, 9}}, out, size * size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) CHECK(y[i * size + j] == x[j * size + i]);
    CHECK(grids.counters.wavefronts == 9 * (32 + 32));
    CHECK(grids.counters.uncounted == 0);
    return grids.counters.conflicts;
  };
  CHECK(run(transpose<swizzled>) == 0);
  CHECK(run(transpose<plain>) == 9 * 32 * 31);
}

TEST_CASE("clean: 16 bytes that begin at any word are four instructions, each with its conflicts") {
  const auto x = random_floats(128);
  const auto conflicts = [&](Emulated kernel) {
    Grids grids;
    grids.argument("x", x);
    const auto* out = grids.result<float>("y", 128);
    const int number = grids.kernel("through", kernel, 32, 512);
    CHECK(stable(grids, {{number, 1}}, out, 128) == x);
    CHECK(grids.counters.wavefronts == 4 + 4);
    return grids.counters.conflicts;
  };
  CHECK(conflicts(through_shared<Four>) == 0);
  CHECK(conflicts(through_shared<Loose>) == 2 * 4 * 3);
}

TEST_CASE("clean: a ring of copies") {
  Grids grids;
  const auto x = random_floats(5 * 20 * 64 * 4);
  grids.argument("x", x);
  const auto* out = grids.result<float>("y", 5 * 64);
  const int number = grids.kernel("ring", ring, 64, 3 * 1024);
  const auto y = stable(grids, {{number, 5}}, out, 5 * 64);
  for (std::size_t b = 0; b < 5; ++b)
    for (std::size_t i = 0; i < 64; ++i) {
      float sum = 0;
      for (std::size_t step = 0; step < 20; ++step) {
        const float* four = x.data() + ((b * 20 + step) * 64 + 63 - i) * 4;
        sum += four[0] + four[1] + four[2] + four[3];
      }
      CHECK(y[b * 64 + i] == sum);
    }
  CHECK(grids.counters.conflicts == 0);
}

TEST_CASE("clean: a product of matrices") {
  constexpr std::size_t k = 48;
  Grids grids;
  std::vector<std::uint16_t> a, b;
  for (const float x : random_floats(16 * k)) a.push_back(runtime::float_to_float16(x));
  for (const float x : random_floats(k * 8)) b.push_back(runtime::float_to_float16(2 * x));
  grids.argument("a", a);
  grids.argument("b", b);
  const auto* out = grids.result<float>("d", 128);
  const int number = grids.kernel("product", product, 32, 1024);
  const auto d = stable(grids, {{number, 1}}, out, 128);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      float sum = 0;
      for (std::size_t at = 0; at < k; ++at)
        sum += runtime::float16_to_float(a[i * k + at]) * runtime::float16_to_float(b[at * 8 + j]);
      CHECK(d[i * 8 + j] == sum);
    }
  CHECK(grids.counters.products == 3 * 16 * 8 * 16);
  CHECK(grids.counters.conflicts == 3 * 4);  // rows of 32 bytes: two of eight share their banks
}

TEST_CASE("clean: grids hand over through slots, in place and in parts of words") {
  constexpr std::size_t count = 5000;
  Grids grids;
  std::vector<std::int8_t> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<std::int8_t>(i);
  grids.argument("x", x);
  const auto* out = grids.result<float>("y", count);
  grids.slot<std::int8_t>(count);
  const int kernel = grids.kernel(
      "widen",
      [](Words words, Positions positions) {
        const int i = 96 * block() + place();
        if (i < 5000)
          store<11>(buffer<std::int8_t>(words, positions, 2) + i,
                    load<10>(buffer<std::int8_t>(words, positions, 0) + i));
      },
      96);
  const int in_place = grids.kernel(
      "increment",
      [](Words words, Positions positions) {
        auto* at = buffer<std::int8_t>(words, positions, 2) + 160 * block() + place();
        if (160 * block() + place() < 5000) store<21>(at, static_cast<std::int8_t>(load<20>(at) + 1));
      },
      160);
  const int last = grids.kernel(
      "narrow",
      [](Words words, Positions positions) {
        const int i = 4 * (32 * block() + place());
        if (i >= 5000) return;
        const auto four =
            load<30>(reinterpret_cast<const std::int32_t*>(buffer<std::int8_t>(words, positions, 2) + i));
        Four y;
        for (int j = 0; j < 4; ++j) y.x[j] = static_cast<std::int8_t>(four >> 8 * j);
        store<31>(reinterpret_cast<Four*>(buffer<float>(words, positions, 1) + i), y);
      },
      32);
  const auto y = stable(grids, {{kernel, 53}, {in_place, 32}, {in_place, 32}, {last, 40}}, out, count);
  for (std::size_t i = 0; i < count; ++i) CHECK(y[i] == static_cast<std::int8_t>(i + 2));
}

TEST_CASE("clean: 1024 threads and 20000 blocks") {
  Grids grids;
  const auto* out = grids.result<float>("y", 20000);
  const int wide = grids.kernel(
      "wide",
      [](Words words, Positions positions) {
        store<10>(shared<float>() + place(), static_cast<float>(place()));
        tel_device_barrier(0, 1024, &at<11>);
        if (place() < 1000)
          store<12>(buffer<float>(words, positions, 0) + place(), load<12>(shared<float>() + place()));
      },
      1024, 4096);
  const int many = grids.kernel(
      "many",
      [](Words words, Positions positions) {
        const int i = block();
        if (place() == 0) store<20>(buffer<float>(words, positions, 0) + i, static_cast<float>(i));
      },
      32);
  CHECK(grids.run({{wide, 1}}) == "");
  REQUIRE(grids.run({{many, 20000}}, 7, 2, true) == "");
  for (int i = 0; i < 20000; ++i) CHECK(out[i] == static_cast<float>(i));
}
