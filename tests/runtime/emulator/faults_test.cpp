#include "grids.h"

using namespace test;

namespace {

using Words = const std::int64_t*;
using Positions = const std::int32_t*;

int place() { return tel_device_thread(); }
int block() { return tel_device_block(); }

/// A fault is found in any order of blocks and threads and by any number of workers, in the kernel and block
/// where it is; in order, as `expected` says.
void finds(Grids& grids, const std::vector<Grids::Launch>& launches, const std::string& expected) {
  CHECK(grids.run(launches) == expected);
  CHECK(grids.run(launches, 0, 2) == expected);
  const std::string where = expected.substr(0, expected.find(", thread"));
  for (std::uint64_t order = 1; order <= 20; ++order) {
    const std::string text = grids.run(launches, order, 1 + static_cast<int>(order % 2));
    CHECK_MESSAGE(text.substr(0, where.size()) == where, text);
  }
}

/// One kernel "k" of `blocks` blocks, over an argument 'x' of 100 floats, a result 'y' of 100 and a slot.
void finds(Emulated kernel, int threads, std::int64_t shared_bytes, std::int64_t blocks,
           const std::string& expected) {
  Grids grids;
  grids.argument("x", std::vector<float>(100, 1.0f));
  grids.result<float>("y", 100);
  grids.slot<float>(1024);
  const int number = grids.kernel("k", kernel, threads, shared_bytes);
  finds(grids, {{number, blocks}}, "emulator: k, " + expected);
}

const float* x(Words words, Positions positions) { return buffer<float>(words, positions, 0); }
float* y(Words words, Positions positions) { return buffer<float>(words, positions, 1); }
float* slot(Words words, Positions positions) { return buffer<float>(words, positions, 2); }

}  // namespace

TEST_CASE("fault: a missing barrier") {
  finds(
      [](Words, Positions) {
        store<10>(shared<int>() + place(), place());
        if (place() >= 32) load<11>(shared<int>() + place() - 32);
      },
      64, 256, 3,
      "block 0, thread 32, kernel.tel:11: reads 4 bytes at byte 0 of shared memory, a race: "
      "thread 0, kernel.tel:10, wrote there and nothing orders the two");
}

TEST_CASE("fault: the second barrier of a loop is missing, in one block") {
  finds(
      [](Words, Positions) {
        for (int round = 0; round < 2; ++round) {
          store<10>(shared<int>() + place(), round);
          tel_device_barrier(0, 64, &at<11>);
          load<12>(shared<int>() + (place() + 32) % 64);
          if (block() != 2) tel_device_barrier(0, 64, &at<13>);
        }
      },
      64, 256, 4,
      "block 2, thread 32, kernel.tel:12: reads 4 bytes at byte 0 of shared memory, a race: "
      "thread 0, kernel.tel:10, wrote there and nothing orders the two");
}

TEST_CASE("fault: a shuffle orders no memory of the warp") {
  finds(
      [](Words, Positions) {
        store<10>(shared<int>() + place(), 1);
        tel_device_shuffle(0, 0, &at<11>);
        load<12>(shared<int>() + (place() ^ 1));
      },
      32, 128, 1,
      "block 0, thread 0, kernel.tel:12: reads 4 bytes at byte 4 of shared memory, a race within the warp: "
      "thread 1, kernel.tel:10, wrote there and nothing orders the two");
}

TEST_CASE("fault: two threads of a warp write the same byte of a word") {
  finds(
      [](Words, Positions) { store<10>(shared<char>() + (place() == 31 ? 7 : place()), char{1}); }, 32, 128,
      1,
      "block 0, thread 31, kernel.tel:10: writes 1 byte at byte 7 of shared memory, a race within the warp: "
      "thread 7, kernel.tel:10, wrote there and nothing orders the two");
}

TEST_CASE("fault: one of three consumers does not say that it has read") {
  // Warp 0 produces; warps 1 to 3 consume. Barrier 1: full. Barrier 2: read, but warp 2 never comes.
  finds(
      [](Words, Positions) {
        const int warp = place() / 32;
        for (int round = 0; round < 2; ++round) {
          if (warp == 0) store<10>(shared<int>() + place(), round);
          tel_device_barrier(1, 128, &at<11>);
          if (warp != 0) load<12>(shared<int>() + place() % 32);
          if (warp != 2) tel_device_barrier(2, 96, &at<13>);
        }
      },
      128, 128, 1,
      "block 0, thread 0, kernel.tel:10: writes 4 bytes at byte 0 of shared memory, a race: "
      "thread 64, kernel.tel:12, read there and nothing orders the two");
}

TEST_CASE("fault: shared memory that nobody has written") {
  finds(
      [](Words, Positions) {
        if (place() != 20) store<10>(shared<int>() + place(), 1);
        tel_device_barrier(0, 64, &at<11>);
        load<12>(shared<int>() + 63 - place());
      },
      64, 256, 2,
      "block 0, thread 43, kernel.tel:12: reads 4 bytes at byte 80 of shared memory that nobody has written");
}

TEST_CASE("fault: what the block before has left in shared memory") {
  finds(
      [](Words, Positions) {
        if (block() == 0) store<10>(shared<int>() + place(), 1);
        tel_device_warp_barrier(&at<11>);
        load<12>(shared<int>() + place());
      },
      32, 128, 2,
      "block 1, thread 0, kernel.tel:12: reads 4 bytes at byte 0 of shared memory that nobody has written");
}

TEST_CASE("fault: the reader's swizzle is not the writer's") {
  // 32 rows of 8 words in rows of 16: word c of row r is at c ^ (r % 8) for the writer, 8 more for the
  // reader.
  finds(
      [](Words, Positions) {
        const int row = place();
        for (int c = 0; c < 8; ++c) store<10>(shared<int>() + 16 * row + (c ^ (row % 8)), c);
        tel_device_barrier(0, 32, &at<11>);
        for (int c = 0; c < 8; ++c) load<12>(shared<int>() + 16 * row + (c ^ (row % 16)));
      },
      32, 2048, 1,
      "block 0, thread 8, kernel.tel:12: reads 4 bytes at byte 544 of shared memory that nobody has written");
}

TEST_CASE("fault: a tail that is one too long") {
  finds(
      [](Words words, Positions positions) {
        const int i = 64 * block() + place();
        if (i <= 100) store<11>(y(words, positions) + i, load<10>(x(words, positions) + i));
      },
      64, 0, 2,
      "block 1, thread 36, kernel.tel:10: reads 4 bytes outside of the kernel's memory: 0 past the end of "
      "argument 'x' (400 bytes)");
}

TEST_CASE("fault: a vector that reaches over the end, written") {
  finds(
      [](Words words, Positions positions) {
        if (place() == 5) store<10>(reinterpret_cast<Four*>(y(words, positions) + 96 + 4 * block()), Four{});
      },
      32, 0, 2,
      "block 1, thread 5, kernel.tel:10: writes 16 bytes outside of the kernel's memory: 0 past the end of "
      "result 'y' (400 bytes)");
  finds(
      [](Words words, Positions positions) {
        struct Odd {
          float v[3];
        };
        if (place() == 5) store<10>(reinterpret_cast<Odd*>(y(words, positions) + 98), Odd{});
      },
      32, 0, 1,
      "block 0, thread 5, kernel.tel:10: writes 12 bytes outside of the kernel's memory: 4 of them past the "
      "end "
      "of result 'y' (400 bytes)");
}

TEST_CASE("fault: an index before the begin") {
  finds([](Words words, Positions positions) { load<10>(x(words, positions) + place() - 1); }, 32, 0, 1,
        "block 0, thread 0, kernel.tel:10: reads 4 bytes outside of the kernel's memory: 4 before the "
        "beginning of "
        "argument 'x' (400 bytes)");
}

TEST_CASE("fault: more shared memory than the kernel has") {
  finds([](Words, Positions) { store<10>(shared<int>() + 2 * place(), 1); }, 32, 128, 1,
        "block 0, thread 16, kernel.tel:10: writes 4 bytes outside of the kernel's memory: 0 past the end of "
        "shared memory (128 bytes)");
}

TEST_CASE("fault: a null pointer") {
  finds([](Words, Positions) { load<10>(static_cast<const float*>(nullptr)); }, 32, 0, 1,
        "block 0, thread 0, kernel.tel:10: reads 4 bytes outside of the kernel's memory");
}

TEST_CASE("fault: an argument buffer with an address of yesterday") {
  static const std::vector<float> old(64);
  Grids grids;
  grids.argument("x", std::vector<float>(64));
  const int number = grids.kernel("k", [](Words, Positions) { load<10>(old.data() + place()); }, 32);
  finds(grids, {{number, 1}},
        "emulator: k, block 0, thread 0, kernel.tel:10: reads 4 bytes outside of the kernel's memory" +
            grids.run({{number, 1}})
                .substr(std::string("emulator: k, block 0, thread 0, kernel.tel:10: reads 4 bytes outside of "
                                    "the kernel's memory")
                            .size()));
}

TEST_CASE("fault: a vector at an address that is not its multiple") {
  finds(
      [](Words words, Positions positions) {
        load<10>(reinterpret_cast<const Four*>(x(words, positions) + 5 * place()));
      },
      32, 0, 1,
      "block 0, thread 1, kernel.tel:10: reads 16 bytes misaligned: at byte 20 of argument 'x'; the "
      "instruction "
      "counts on a multiple of 16");
}

TEST_CASE("fault: an argument is written") {
  finds(
      [](Words words, Positions positions) {
        if (place() == 9) store<10>(const_cast<float*>(x(words, positions)) + 3, 1.0f);
      },
      32, 0, 1,
      "block 0, thread 9, kernel.tel:10: writes 4 bytes at byte 12 of argument 'x', which is read only");
}

TEST_CASE("fault: a slot that nobody has written") {
  Grids grids;
  grids.argument("x", std::vector<float>(1));
  grids.result<float>("y", 1);
  grids.slot<float>(100);
  const int fill = grids.kernel(
      "fill", [](Words words, Positions positions) { store<10>(slot(words, positions) + place(), 1.0f); },
      32);
  const int use = grids.kernel(
      "use",
      [](Words words, Positions positions) { load<20>(slot(words, positions) + 32 * block() + place()); },
      32);
  CHECK(grids.run({{fill, 1}, {use, 1}}) == "");
  finds(grids, {{fill, 1}, {use, 2}},
        "emulator: use, block 1, thread 0, kernel.tel:20: reads 4 bytes at byte 128 of slot 2 that nobody "
        "has written");
}

TEST_CASE("fault: a result that is not written whole") {
  Grids grids;
  grids.argument("x", std::vector<float>(1));
  grids.result<float>("y", 33);
  const int fill = grids.kernel(
      "fill", [](Words words, Positions positions) { store<10>(y(words, positions) + place(), 1.0f); }, 32);
  CHECK(grids.run({{fill, 1}}, 0, 1, true) == "emulator: m::f: no kernel writes byte 128 of result 'y'");
}

TEST_CASE("fault: threads of a block race in a slot") {
  finds(
      [](Words words, Positions positions) {
        store<10>(slot(words, positions) + place(), 1.0f);
        if (place() >= 32) load<11>(slot(words, positions) + place() - 32);
      },
      64, 0, 1,
      "block 0, thread 32, kernel.tel:11: reads 4 bytes at byte 0 of slot 2, a race: thread 0, "
      "kernel.tel:10, "
      "wrote there and nothing orders the two");
  finds(
      [](Words words, Positions positions) {
        store<10>(slot(words, positions) + place(), 1.0f);
        tel_device_barrier(0, 64, &at<11>);
        load<12>(slot(words, positions) + 63 - place());
        if (place() >= 32) store<13>(slot(words, positions) + place(), 1.0f);
      },
      64, 0, 1,
      "block 0, thread 32, kernel.tel:13: writes 4 bytes at byte 128 of slot 2, a race: thread 31, "
      "kernel.tel:12, "
      "read there and nothing orders the two");
}

TEST_CASE("fault: blocks race in a slot: both write") {
  finds(
      [](Words words, Positions positions) {
        if (block() == 1 || block() == 3) store<10>(slot(words, positions) + place(), 1.0f);
      },
      32, 0, 5,
      "block 1, thread 0, kernel.tel:10: writes byte 0 of slot 2, a race between blocks: block 3, thread 0, "
      "kernel.tel:10, writes there in the same grid");
}

TEST_CASE("fault: blocks race in a slot: one reads what another writes") {
  Grids grids;
  grids.argument("x", std::vector<float>(1));
  grids.result<float>("y", 1);
  grids.slot<std::int16_t>(512);
  const int fill = grids.kernel(
      "fill",
      [](Words words, Positions positions) {
        store<10>(buffer<std::int16_t>(words, positions, 2) + 64 * block() + place(), std::int16_t{1});
      },
      64);
  const int race = grids.kernel(
      "race",
      [](Words words, Positions positions) {
        auto* values = buffer<std::int16_t>(words, positions, 2) + 64 * block();
        store<20>(values + place(), std::int16_t{1});
        if (block() == 2 && place() == 7) load<21>(values - 1);
      },
      64);
  finds(
      grids, {{fill, 8}, {race, 8}},
      "emulator: race, block 1, thread 63, kernel.tel:20: writes byte 254 of slot 2, a race between blocks: "
      "block 2, thread 7, kernel.tel:21, reads there in the same grid");
}

TEST_CASE("fault: a barrier that some threads of a warp do not reach") {
  finds(
      [](Words, Positions) {
        if (place() < 50) tel_device_barrier(0, 64, &at<10>);
      },
      64, 0, 2,
      "block 0, thread 32, kernel.tel:10: divergent: waits at a barrier, but thread 50 of its warp has "
      "ended");
}

TEST_CASE("fault: a barrier that a warp does not reach") {
  finds(
      [](Words, Positions) {
        if (place() / 32 != 1) tel_device_barrier(0, 96, &at<10>);
      },
      96, 0, 1,
      "block 0, thread 0, kernel.tel:10: divergent: barrier 0 waits for 96 threads, 64 came; thread 32 has "
      "ended");
  finds([](Words, Positions) { tel_device_barrier(place() / 32, 64, &at<10>); }, 64, 0, 1,
        "block 0, thread 0, kernel.tel:10: divergent: barrier 0 waits for 64 threads, 32 came; "
        "thread 32, kernel.tel:10, waits at barrier 1");
}

TEST_CASE("fault: a barrier for another number of threads, or for none") {
  finds([](Words, Positions) { tel_device_barrier(0, place() < 32 ? 64 : 96, &at<10>); }, 96, 0, 1,
        "block 0, thread 32, kernel.tel:10: divergent: comes to barrier 0 for 96 threads, thread 0, "
        "kernel.tel:10, "
        "waits there for 64");
  finds(
      [](Words, Positions) { tel_device_barrier(0, 48, &at<10>); }, 64, 0, 1,
      "block 0, thread 0, kernel.tel:10: divergent: comes to barrier 0 for 48 threads; it must be for whole "
      "warps, and no more than the block has");
  finds(
      [](Words, Positions) { tel_device_barrier(16, 64, &at<10>); }, 64, 0, 1,
      "block 0, thread 0, kernel.tel:10: divergent: comes to barrier 16 for 64 threads; a block has barriers "
      "0 to 15");
}

TEST_CASE("fault: threads of a warp at different operations") {
  finds(
      [](Words, Positions) {
        if (place() < 16)
          tel_device_shuffle(1, 0, &at<10>);
        else
          tel_device_ballot(true, &at<11>);
      },
      32, 0, 1,
      "block 0, thread 16, kernel.tel:11: divergent: comes to a vote while thread 0, kernel.tel:10, waits at "
      "a "
      "shuffle");
}

TEST_CASE("fault: threads that have ended before a shuffle") {
  finds(
      [](Words, Positions) {
        if (32 * block() + place() >= 40) return;
        tel_device_shuffle_xor(1, 16, &at<10>);
      },
      32, 0, 2,
      "block 1, thread 0, kernel.tel:10: divergent: waits at a shuffle, but thread 8 of its warp has ended");
}

TEST_CASE("fault: a lane that no warp has") {
  finds([](Words, Positions) { tel_device_shuffle(1, place() + 1, &at<10>); }, 64, 0, 1,
        "block 0, thread 31, kernel.tel:10: asks for the value of lane 32, a warp has lanes 0 to 31");
}

namespace {

/// Four floats from 'x' to the thread's place.
void copy(Words words, Positions positions) {
  tel_device_copy_async_16(shared<Four>() + place(), x(words, positions) + 4 * (place() % 25), 16, &at<10>);
}

}  // namespace

TEST_CASE("fault: a copy that is not waited for") {
  finds(
      [](Words words, Positions positions) {
        copy(words, positions);
        tel_device_copy_commit(&at<11>);
        tel_device_barrier(0, 32, &at<12>);
        load<13>(shared<float>() + 31 - place());
      },
      32, 512, 1,
      "block 0, thread 0, kernel.tel:13: reads 4 bytes at byte 124 of shared memory before a copy there was "
      "waited "
      "for, which thread 7, kernel.tel:10, began");
}

TEST_CASE("fault: a copy that is in no group") {
  finds(
      [](Words words, Positions positions) {
        copy(words, positions);
        tel_device_copy_wait(0, &at<12>);
        load<13>(shared<float>() + 4 * place());
      },
      32, 512, 1,
      "block 0, thread 0, kernel.tel:13: reads 4 bytes at byte 0 of shared memory before a copy there was "
      "waited "
      "for, which thread 0, kernel.tel:10, began");
}

TEST_CASE("fault: a ring of copies that waits for one too few") {
  finds(
      [](Words words, Positions positions) {
        for (int stage = 0; stage < 3; ++stage) {
          tel_device_copy_async_16(shared<Four>() + 32 * stage + place(), x(words, positions), 16, &at<10>);
          tel_device_copy_commit(&at<11>);
        }
        for (int stage = 0; stage < 3; ++stage) {
          if (stage == 0) tel_device_copy_wait(2, &at<12>);
          if (stage >= 1) tel_device_copy_wait(1, &at<13>);
          load<14>(shared<float>() + 128 * stage + 4 * place());
        }
      },
      32, 1536, 1,
      "block 0, thread 0, kernel.tel:14: reads 4 bytes at byte 1024 of shared memory before a copy there was "
      "waited "
      "for, which thread 0, kernel.tel:10, began");
}

TEST_CASE("fault: a copy that was waited for, read by another thread without a barrier") {
  finds(
      [](Words words, Positions positions) {
        copy(words, positions);
        tel_device_copy_commit(&at<11>);
        tel_device_barrier(0, 64, &at<12>);
        tel_device_copy_wait(0, &at<13>);
        tel_device_warp_barrier(&at<14>);
        load<15>(shared<Four>() + (place() ^ 32));
      },
      64, 1024, 1,
      "block 0, thread 0, kernel.tel:15: reads 16 bytes at byte 512 of shared memory before a copy there was "
      "waited for, which thread 32, kernel.tel:10, began");
}

TEST_CASE("fault: a copy over what others still read") {
  finds(
      [](Words words, Positions positions) {
        store<8>(shared<Four>() + place(), Four{});
        tel_device_barrier(0, 64, &at<9>);
        load<11>(shared<Four>() + 63 - place());
        if (place() >= 32) copy(words, positions);
      },
      64, 1024, 1,
      "block 0, thread 32, kernel.tel:10: copies 16 bytes at byte 512 of shared memory, a race: "
      "thread 31, kernel.tel:11, read there and nothing orders the two");
}

TEST_CASE("fault: copies of too many bytes, misaligned, past the end, or from shared memory") {
  finds(
      [](Words words, Positions positions) {
        tel_device_copy_async_8(shared<float>() + 2 * place(), x(words, positions), 12, &at<10>);
      },
      32, 512, 1, "block 0, thread 0, kernel.tel:10: copies an impossible number of bytes: 12");
  finds(
      [](Words words, Positions positions) {
        tel_device_copy_async_8(shared<float>() + 2 * place(), x(words, positions) + place(), 8, &at<10>);
      },
      32, 512, 1, "block 0, thread 1, kernel.tel:10: copies from an address that is not a multiple of 8");
  finds(
      [](Words words, Positions positions) {
        tel_device_copy_async_16(shared<Four>() + place(), x(words, positions) + 4 * place(), 16, &at<10>);
      },
      32, 512, 1,
      "block 0, thread 25, kernel.tel:10: reads 16 bytes outside of the kernel's memory: 0 past the end of "
      "argument 'x' (400 bytes)");
  finds(
      [](Words, Positions) {
        tel_device_copy_async_4(shared<float>() + place(), shared<float>() + place(), 4, &at<10>);
      },
      32, 512, 1, "block 0, thread 0, kernel.tel:10: copies from shared memory, at byte 0");
}

TEST_CASE("fault: a matrix is loaded before its rows are there") {
  finds(
      [](Words, Positions) {
        store<10>(shared<Four>() + place(), Four{});
        tel_device_load_matrix(shared<Four>() + place(), &at<11>);
      },
      32, 512, 1,
      "block 0, thread 1, kernel.tel:11: reads 4 bytes at byte 4 of shared memory, a race within the warp: "
      "thread 0, kernel.tel:10, wrote there and nothing orders the two");
}

TEST_CASE("fault: a row of a matrix is misaligned, or not in shared memory") {
  finds([](Words, Positions) { tel_device_load_matrix_4(shared<float>() + 5 * place(), nullptr, &at<11>); },
        32, 1024, 1,
        "block 0, thread 1, kernel.tel:11: reads 16 bytes misaligned: at byte 20 of shared memory; the "
        "instruction "
        "counts on a multiple of 16");
  finds(
      [](Words words, Positions positions) {
        tel_device_load_matrix_2(x(words, positions) + 4 * (place() % 8), nullptr, &at<11>);
      },
      32, 512, 1, "block 0, thread 0, kernel.tel:11: loads a row of a matrix from what is not shared memory");
}

TEST_CASE("fault: a variable's index") {
  finds(
      [](Words, Positions) {
        static constexpr runtime::Site site{"kernel.tel", 10, runtime::access_write, 4, 4};
        int tile[4] = {};
        tel_emulator_access_local(tile + place() - 1, tile, sizeof tile, &site);
      },
      32, 0, 1, "block 0, thread 0, kernel.tel:10: writes 4 bytes at byte -4 of a variable of 16");
}

TEST_CASE("fault: the registers of a product in the wrong order give another product") {
  // Not a fault that can be seen in one instruction: the result shows it.
  const auto kernel = [](bool wrong) {
    Grids grids;
    const auto* out = grids.result<float>("d", 32);
    const auto code = [](Words words, Positions positions, bool swapped) {
      const std::int32_t a = 0x3c003c00, zero = 0, b = (place() % 4) * 0x3c00;
      float results[4];
      tel_device_multiply_f16(a, swapped ? zero : a, swapped ? a : zero, zero, b, b, 0, 0, 0, 0, results,
                              &at<2>);
      store<3>(buffer<float>(words, positions, 0) + place(), results[2]);
    };
    static decltype(code) run = code;
    const int number = wrong ? grids.kernel(
                                   "k", [](Words w, Positions p) { run(w, p, true); }, 32)
                             : grids.kernel("k", [](Words w, Positions p) { run(w, p, false); }, 32);
    CHECK(grids.run({{number, 1}}) == "");
    return std::vector<float>(out, out + 32);
  };
  CHECK(kernel(true) != kernel(false));
}

TEST_CASE("a launch that cannot be is refused") {
  Grids grids;
  grids.argument("x", std::vector<float>(1));
  const int odd = grids.kernel("odd", [](Words, Positions) {}, 33);
  const int large = grids.kernel("large", [](Words, Positions) {}, 32, 300 << 10);
  const int none = grids.kernel("none", nullptr, 32);
  const int good = grids.kernel("good", [](Words, Positions) {}, 32);
  CHECK(grids.run({{odd, 1}}) == "emulator: odd: a block's threads must be whole warps, at most 1024");
  CHECK(grids.run({{large, 1}}) == "emulator: large: wants more shared memory than a device has");
  CHECK(grids.run({{none, 1}}) == "emulator: none: was not compiled for the emulator");
  CHECK(grids.run({{good, 0}}) == "emulator: good: launched with an impossible number of blocks");
  CHECK(grids.run({{good, 3}}) == "");
}
