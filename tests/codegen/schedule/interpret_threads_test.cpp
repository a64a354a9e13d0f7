#include "interpreted.h"

/// What threads do together.
namespace schedule_tests {
namespace {

Reals counted(std::size_t n) {
  Reals result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(static_cast<double>(i));
  return result;
}

/// The same result in all orders.
Reals in_any_order(const std::string& schedule, const std::vector<dlvm::Tensor>& arguments) {
  const auto first = run(schedule, arguments);
  CHECK(first.error == "");
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    const auto other = run(schedule, arguments, seed);
    CHECK(other.error == "");
    CHECK(other.arguments == first.arguments);
  }
  return first.result();
}

TEST_CASE("loops over blocks, warps and threads give each its place") {
  CHECK(in_any_order(R"((y: <N x f32> written) { variant {
    block $b0 in (floor((N + 63)/64)) { thread $t1 in 64 within (64*$b0 + $t1 of N) {
      %0: f32 = position 64*$b0 + $t1 store %0 to y[64*$b0 + $t1]
    } }
  } })",
                     {f32(Reals(150))}) == counted(150));
  CHECK(in_any_order(R"((y: <96 x f32> written) { variant {
    block $a0 in 2 { block $b1 in 3 within (3*$a0 + $b1 of 6) { thread $s2 in 4 { thread $t3 in 4 {
      %0: f32 = position 48*$a0 + 16*$b1 + 4*$s2 + $t3 store %0 to y[48*$a0 + 16*$b1 + 4*$s2 + $t3]
    } } } }
  } })",
                     {f32(Reals(96))}) == counted(96));
  CHECK(in_any_order(R"((y: <60 x f32> written) { variant {
    block $b0 in 1 { warp $w1 in 2 { thread $t2 in 30 {
      %0: f32 = position 30*$w1 + $t2 store %0 to y[30*$w1 + $t2]
    } } }
  } })",
                     {f32(Reals(60))}) == counted(60));
}

TEST_CASE("of nested thread loops the innermost has neighbouring threads") {
  // A warp's sums tell which threads are in it: of 2 x 32 threads each row is a warp.
  CHECK(in_any_order(R"((y: <2 x f32> written) { registers r: f32 registers s: f32 variant {
    block $b0 in 1 {
      allocate r
      allocate s
      thread $i1 in 2 { thread $j2 in 32 { %0: f32 = position $i1 store %0 to r[] } }
      reduce r[]() to s[] by add (f32 from 0)
      thread $i3 in 2 { thread $j4 in 32 within ($j4 of 1) { %1: f32 = load s[] store %1 to y[$i3] } }
    }
  } })",
                     {f32(Reals(2))}) == Reals{0, 32});
}

TEST_CASE("cores run ranges of nested loops, each with memory of its own") {
  CHECK(in_any_order(R"((y: <N x 3 x f32> written) { panel p: <4 x f32> variant {
    core $i0 in 3 {
      allocate p
      %0: f32 = position $i0 store %0 to p[0]
      core $j1 to $j2 in N step 4 work 1 {
        for $k3 in N within (-$j2 + $j1 + $k3 + N of N) {
          %1: f32 = load p[0] %2: f32 = position $j1 + $k3 %3: f32 = add %1, %2
          store %3 to y[$j1 + $k3, $i0]
        }
      }
    }
  } })",
                     {f32(Reals(15), {5, 3})}) == Reals{0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6});
}

TEST_CASE("a core does not touch what another one writes") {
  const auto error = [](const std::string& body) {
    return run("(y: <N x f32> written) { panel p: <1 x f32> variant { allocate p " + body + " } }",
               {f32(Reals(9))})
        .error;
  };
  CHECK(error("core $i0 in N work 1 { %0: f32 = position $i0 store %0 to y[$i0] }") == "");
  CHECK(error("core $i0 in N work 1 { %0: f32 = position $i0 store %0 to p[0] }")
            .find("p[0] is touched in range 0 of a core loop and written in range 1") != std::string::npos);
}

TEST_CASE("registers are a thread's, outside of thread loops too") {
  CHECK(in_any_order(R"((y: <64 x f32> written) { registers r: <2 x f32> variant {
    block $b0 in 1 {
      allocate r
      fill r[0](2) with f32 100
      thread $t1 in 64 { %0: f32 = position $t1 store %0 to r[0] by add }
      for $k2 in 3 { %1: f32 = literal 1000 store %1 to r[0] by add }
      thread $t3 in 64 { %2: f32 = load r[0] store %2 to y[$t3] }
    }
  } })",
                     {f32(Reals(64))})[63] == 3163);
  CHECK(run(R"((y: <4 x f32> written) { registers r: f32 variant { allocate r block $b0 in 1 {
    thread $t1 in 4 { %0: f32 = load r[] store %0 to y[$t1] } } } })",
            {f32(Reals(4))})
            .error == "kernel @s: r is not allocated here");
}

TEST_CASE("a warp reduces its threads' registers, halves onto halves") {
  Reals x(64, 0);
  const double big = 16777216;  // 2^24, with which a lone 1 is lost
  x[0] = big, x[16] = -big, x[1] = 1, x[32] = big, x[33] = -big, x[48] = 1;
  CHECK(in_any_order(R"((x: <64 x f32>, y: <64 x f32> written) { registers r: f32 registers s: f32 variant {
    block $b0 in 1 { warp $w1 in 2 {
      allocate r
      allocate s
      thread $t2 in 32 { %0: f32 = load x[32*$w1 + $t2] store %0 to r[] }
      reduce r[]() to s[] by add (f32 from 0)
      thread $t3 in 32 { %1: f32 = load s[] store %1 to y[32*$w1 + $t3] }
    } }
  } })",
                     {f32(x), f32(Reals(64))}) == [] {
    Reals expected(64, 1);
    std::fill(expected.begin() + 32, expected.end(), 0);
    return expected;
  }());
}

// ------------------------------------------------------------------------------------------------- barriers

/// Each thread hands a value to the thread `mod(t + 1)` over shared memory.
std::string handed_over(const std::string& between, const std::string& threads = "64") {
  return "(y: <" + threads + " x f32> written) { shared p: <" + threads + R"( x f32> variant {
    block $b0 in 1 {
      allocate p
      thread $t1 in )" +
         threads + R"( { %0: f32 = position $t1 store %0 to p[$t1] }
      )" +
         between + R"(
      thread $t2 in )" +
         threads + " { %1: f32 = load p[mod($t2 + 1/" + threads + R"()] store %1 to y[$t2] }
    }
  } })";
}

TEST_CASE("threads see what others wrote before a barrier") {
  Reals next = counted(64);
  std::rotate(next.begin(), next.begin() + 1, next.end());
  CHECK(in_any_order(handed_over("barrier"), {f32(Reals(64))}) == next);
}

TEST_CASE("a barrier that is missing is an error in every order") {
  CHECK(
      run(handed_over(""), {f32(Reals(64))}).error ==
      "kernel @s: p[1] is touched by thread 0 of block 0 and written by thread 1 of block 0, with no barrier "
      "between");
  for (const std::uint32_t seed : {1u, 2u, 3u})
    CHECK(run(handed_over(""), {f32(Reals(64))}, seed).error.find("no barrier between") != std::string::npos);
  // Elements that are the thread's own need none.
  CHECK(in_any_order(R"((y: <64 x f32> written) { shared p: <64 x f32> variant { block $b0 in 1 {
    allocate p
    thread $t1 in 64 { %0: f32 = position $t1 store %0 to p[$t1] }
    thread $t2 in 64 { %1: f32 = load p[$t2] store %1 to y[$t2] }
  } } })",
                     {f32(Reals(64))}) == counted(64));
}

TEST_CASE("what was read may be overwritten after a barrier alone") {
  const auto turned = [](const std::string& barrier) {
    return run(R"((y: <64 x f32> written) { shared p: <64 x f32> registers r: f32 variant { block $b0 in 1 {
      allocate p
      allocate r
      thread $t1 in 64 { %0: f32 = position $t1 store %0 to p[$t1] }
      for $k2 in 3 {
        barrier
        thread $t3 in 64 { %1: f32 = load p[mod($t3 + 1/64)] store %1 to r[] }
        )" + barrier +
                   R"(
        thread $t4 in 64 { %2: f32 = load r[] store %2 to p[$t4] }
      }
      thread $t5 in 64 { %3: f32 = load p[$t5] store %3 to y[$t5] }
    } } })",
               {f32(Reals(64))}, 2);
  };
  CHECK(turned("barrier").error == "");
  CHECK(turned("barrier").result()[0] == 3);
  CHECK(turned("").error.find("no barrier between") != std::string::npos);
}

/// Over shared memory in a warp loop of two warps, from thread `t` to `t + shift` of the block.
std::string over_warps(const std::string& index) {
  return R"((y: <64 x f32> written) { shared p: <64 x f32> variant { block $b0 in 1 {
    allocate p
    warp $w1 in 2 {
      thread $t2 in 32 { %0: f32 = position $t2 store %0 to p[32*$w1 + $t2] }
      barrier
      thread $t3 in 32 { %1: f32 = load p[)" +
         index + R"(] store %1 to y[32*$w1 + $t3] }
    }
  } } })";
}

TEST_CASE("a warp's barrier is of its threads alone") {
  CHECK(in_any_order(over_warps("32*$w1 + mod($t3 + 1/32)"), {f32(Reals(64))})[31] == 0);
  CHECK(run(over_warps("mod(32*$w1 + $t3 + 1/64)"), {f32(Reals(64))}).error.find("no barrier between") !=
        std::string::npos);
}

TEST_CASE("all threads of a block, and no others, wait for each other") {
  const auto error = [](const std::string& body) {
    return run("(y: <64 x f32> written) { registers r: i32 variant { block $b0 in 1 { allocate r " + body +
                   " } } }",
               {f32(Reals(64))})
        .error;
  };
  const std::string own = "thread $t1 in 64 { %0: i32 = position $t1 store %0 to r[] } %1: i32 = load r[] ";
  CHECK(error(own + "for $k2 in 1 within (%1 - 5 of 64) { barrier }") ==
        "kernel @s: thread 5 waits for thread 0 of block 0, which has ended");
  CHECK(error(own + "for $k2 in 1 within (%1 - 5 of 64) { barrier } barrier") ==
        "kernel @s: thread 0 waits for thread 5 of block 0, which waits elsewhere");
}

// ------------------------------------------------------------------------------------------- shared memory

TEST_CASE("what all threads compute, one of them stores") {
  const auto stored = [](const std::string& loop) {
    return run("(y: <1 x f32> written) { variant { block $b0 in 1 { thread $t1 in 64 { } " + loop +
                   " { %0: f32 = literal 1 store %0 to y[0] } } } }",
               {f32({0})})
        .error;
  };
  CHECK(stored("thread $t2 in 1") == "");
  CHECK(stored("for $k2 in 1") ==
        "kernel @s: y[0] is touched by thread 0 of block 0 and written by thread 1 of block 0, with no "
        "barrier between");
}

TEST_CASE("blocks of a grid do not meet, grids follow each other") {
  CHECK(run(R"((y: <1 x f32> written) { variant { block $b0 in 2 { thread $t1 in 1 {
    %0: f32 = literal 1 store %0 to y[0] by add
  } } } })",
            {f32({0})})
            .error ==
        "kernel @s: y[0] is touched by thread 0 of block 0 and read by thread 0 of block 1, with no barrier "
        "between");
  CHECK(in_any_order(R"((y: <1 x f32> written) { arena a: <64 x f32> variant {
    allocate a
    block $b0 in 2 { thread $t1 in 32 { %0: f32 = literal 1 store %0 to a[32*$b0 + $t1] } }
    block $c2 in 1 { thread $t3 in 1 { for $i4 in 64 { %1: f32 = load a[$i4] store %1 to y[0] by add } } }
  } })",
                     {f32({0})}) == Reals{64});
}

TEST_CASE("shared memory is a block's and holds nothing at first") {
  // Every block, and every trip, counts from nothing: NaN.
  const auto ran = run(R"((y: <4 x f32> written) { shared p: f32 variant { block $b0 in 2 { for $k1 in 2 {
    allocate p
    thread $t2 in 1 { %0: f32 = load p[] store %0 to y[2*$b0 + $k1] %1: f32 = literal 1 store %1 to p[] }
    barrier
  } } } })",
                       {f32(Reals(4))});
  CHECK(ran.error == "");
  for (const double value : ran.result()) CHECK(value != value);
  // Its place is the same in every trip: what one reads, the next may not write at once.
  CHECK(run(R"((y: <64 x f32> written) { shared p: f32 variant { block $b0 in 1 { for $k1 in 2 {
    allocate p
    thread $t2 in 1 { %0: f32 = literal 1 store %0 to p[] }
    barrier
    thread $t3 in 64 { %1: f32 = load p[] store %1 to y[$t3] }
  } } } })",
            {f32(Reals(64))})
            .error.find("p[] is touched by thread") != std::string::npos);
}

TEST_CASE("a reduction of memory is every thread's") {
  const auto reduced = [](const std::string& between) {
    return run(
        R"((x: <64 x f32>, y: <64 x f32> written) { shared p: <64 x f32> registers s: f32 variant { block $b0 in 1 {
      allocate p
      allocate s
      thread $t1 in 64 { %0: f32 = load x[$t1] store %0 to p[$t1] }
      )" + between +
            R"(
      reduce p[0](64) to s[] by max (f32 from -inf)
      thread $t2 in 64 { %1: f32 = load s[] store %1 to y[$t2] }
    } } })",
        {f32(counted(64)), f32(Reals(64))}, 3);
  };
  CHECK(reduced("barrier").error == "");
  CHECK(reduced("barrier").result() == Reals(64, 63));
  CHECK(reduced("").error.find("no barrier between") != std::string::npos);
}

TEST_CASE("copies to shared memory need their wait, then a barrier") {
  const auto copied = [](const std::string& between) {
    return run(R"((x: <64 x f32>, y: <64 x f32> written) { shared p: <64 x f32> variant { block $b0 in 1 {
      allocate p
      thread $t1 in 64 { copy x[$t1](1) to p[$t1](1) asynchronous }
      )" + between +
                   R"(
      thread $t2 in 64 { %1: f32 = load p[-$t2 + 63] store %1 to y[$t2] }
    } } })",
               {f32(counted(64)), f32(Reals(64))}, 1);
  };
  CHECK(copied("commit wait 0 barrier").error == "");
  CHECK(copied("commit wait 0 barrier").result()[0] == 63);
  CHECK(copied("barrier").error.find("while a copy to it is under way") != std::string::npos);
  CHECK(copied("commit barrier wait 0").error != "");
}

}  // namespace
}  // namespace schedule_tests
