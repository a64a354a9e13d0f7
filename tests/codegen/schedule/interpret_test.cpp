#include <cmath>

#include "interpreted.h"

/// What one thread does: loops, elements, tiles; and what is an error.
namespace schedule_tests {
namespace {

using dlvm::ElementType;

TEST_CASE("loops of one thread run all trips whose bounds hold") {
  const Reals ones{1, 1, 1, 1, 1, 1, 1};
  for (const std::string loop : {"for", "unrolled", "vector"}) {
    const std::string y = loop == "for" ? "N" : "7";
    CHECK(run("(y: <N x f32> written) { variant { " + loop + " $i0 in " + y +
                  " { %0: f32 = literal 1 store %0 to y[$i0] } } }",
              {f32(Reals(7))})
              .result() == ones);
  }
  CHECK(run(R"((y: <N x f32> written) { variant {
    for $i0 in N step 3 within ($i0 of 4) { %0: f32 = literal 1 store %0 to y[$i0] }
  } })",
            {f32(Reals(8))})
            .result() == Reals{1, 0, 0, 1, 0, 0, 0, 0});
  CHECK(run(R"((y: <N x f32> written) { variant {
    for $i0 in N step 4 { vector $j1 in 4 within ($i0 + $j1 of N) {
      %0: f32 = position $i0 + $j1 store %0 to y[$i0 + $j1]
    } }
  } })",
            {f32(Reals(6))}, 2)
            .result() == Reals{0, 1, 2, 3, 4, 5});
}

TEST_CASE("the first variant whose guards hold is run") {
  const std::string schedule = R"((y: <N x f32> written) {
    variant when (N from 2 upto 4) { %0: f32 = literal 1 store %0 to y[0] }
    variant when (N from 1 upto 9), ((2*N) from 8) { %0: f32 = literal 2 store %0 to y[0] }
    variant { %0: f32 = literal 3 store %0 to y[0] }
  })";
  CHECK(run(schedule, {f32(Reals(1))}).result()[0] == 3);
  CHECK(run(schedule, {f32(Reals(2))}).result()[0] == 1);
  CHECK(run(schedule, {f32(Reals(4))}).result()[0] == 2);
  CHECK(run(schedule, {f32(Reals(9))}).result()[0] == 3);
}

TEST_CASE("stores combine, loads outside of their bounds give the fill") {
  CHECK(run(R"((x: <4 x f32>, y: <2 x f32> written) { variant {
    %0: f32 = literal 10
    for $i0 in 4 {
      %1: f32 = load x[$i0 + 1] within ($i0 + 1 of 4) else %0
      store %1 to y[mod($i0/2)] within ($i0 of 4) by add
    }
  } })",
            {f32({1, 2, 3, 4}), f32({100, 200})})
            .result() == Reals{106, 213});
}

TEST_CASE("a product in a vector loop is each lane's") {
  CHECK(run(R"((x: <2 x 4 x f32>, y: <4 x f32> written) { registers r: <1 x 1 x f32> variant {
    vector $i0 in 4 within ($i0 of 3) {
      allocate r
      fill r[0, 0](1, 1) with f32 10
      multiply x[0, $i0](2, 1) strides [4, 1] by x[0, $i0](2, 1) strides [4, 1] into r[0, 0](1, 1) upto (1, 1, 2)
      %0: f32 = load r[0, 0]
      store %0 to y[$i0]
    }
  } })",
            {f32({1, 2, 3, 4, 5, 6, 7, 8}), f32({0, 0, 0, 0})})
            .result() == Reals{36, 50, 68, 0});
}

TEST_CASE("memory holds nothing at first, registers are a lane's") {
  const auto ran = run(R"((y: <2 x f32> written) { registers r: f32 variant {
    vector $i0 in 2 {
      allocate r
      %0: f32 = load r[]
      store %0 to y[$i0]
      %1: f32 = literal 1
      store %1 to r[]
    }
  } })",
                       {f32({0, 0})});
  CHECK(ran.error == "");
  CHECK(std::isnan(ran.result()[0]));
  CHECK(std::isnan(ran.result()[1]));
}

/// x through a panel of that layout into y.
std::string through(const std::string& layout) {
  return "(x: <8 x 8 x f32>, y: <8 x 8 x f32> written) { panel p: <8 x 8 x f32> " + layout +
         R"( variant {
    allocate p
    copy x[0, 0](8, 8) to p[0, 0](8, 8)
    for $i0 in 8 { for $j1 in 8 { %0: f32 = load p[$i0, $j1] store %0 to y[$i0, $j1] } }
  } })";
}

TEST_CASE("elements lie where strides and swizzle say") {
  Reals numbers;
  for (int i = 0; i < 64; ++i) numbers.push_back(i);
  const auto copied = [&](const std::string& layout) {
    return run(through(layout), {f32(numbers, {8, 8}), f32(Reals(64), {8, 8})});
  };
  for (const char* layout :
       {"", "strides [9, 1]", "strides [1, 8]", "swizzle 3, 0, 3", "strides [12, 1] swizzle 2, 1, 3"}) {
    CHECK(copied(layout).error == "");
    CHECK(copied(layout).result() == numbers);
  }
  // Where a tile steps through memory by strides of its own, it sees what the swizzle did.
  const auto flat =
      run(R"((x: <2 x 4 x f32>, y: <8 x f32> written) { panel p: <2 x 4 x f32> swizzle 1, 0, 2 variant {
    allocate p
    copy x[0, 0](2, 4) to p[0, 0](2, 4)
    copy p[0, 0](8) strides [1] to y[0](8)
  } })",
          {f32({0, 1, 2, 3, 4, 5, 6, 7}, {2, 4}), f32(Reals(8))});
  CHECK(flat.error == "");
  CHECK(flat.result() == Reals{0, 1, 2, 3, 4, 5, 6, 7});
  // Layouts that put two elements into one place.
  CHECK(copied("strides [4, 1]").result() != numbers);
  CHECK(copied("swizzle 3, 0, 2").error.find("B8") != std::string::npos);
}

TEST_CASE("tiles are filled, copied, converted") {
  CHECK(
      run(R"((x: <2 x 3 x f32>, y: <3 x 2 x f16> written) { panel p: <1 x 2 x 3 x f32> registers r: <3 x 2 x f32> variant {
    allocate p
    allocate r
    fill r[0, 0](3, 2) with f32 7
    copy x[0, 0](2, 3) to p[0, 0, 0](1, 2, 3)
    copy p[0, 0, 1](2, 2) strides [1, 3] to r[0, 0](2, 2)
    convert r[0, 0](3, 2) to y[0, 0](3, 2)
  } })",
          {f32({1, 2, 3, 4, 5, 6}, {2, 3}), tensor(ElementType::f16, Reals(6), {3, 2})})
          .result() == Reals{2, 5, 3, 6, 7, 7});
}

TEST_CASE("products are chains of fused multiply-adds up to their limits") {
  // (1 + e)(1 - e) - 1 = -e^2, which only a fused multiply-add does not round away.
  const double e = std::ldexp(1.0, -13);
  const auto ran = run(
      R"((a: <2 x 3 x f32>, b: <2 x 2 x f32>, y: <3 x 2 x f32> written) { registers t: <3 x 2 x f32> variant {
    allocate t
    fill t[0, 0](3, 2) with f32 -1
    multiply a[0, 0](2, 3) by b[0, 0](2, 2) into t[0, 0](3, 2) upto (2, 4, 1)
    copy t[0, 0](3, 2) to y[0, 0](3, 2)
  } })",
      {f32({1 + e, 2, 3, 50, 50, 50}, {2, 3}), f32({1 - e, 4, 60, 60}, {2, 2}), f32(Reals(6), {3, 2})});
  REQUIRE(ran.error == "");
  const Reals y = ran.result();
  CHECK(y[0] == -e * e);
  CHECK(y[1] == static_cast<float>(4 * (1 + e) - 1));
  CHECK(y[2] == 2 * (1 - e) - 1);
  CHECK(y[3] == 7);
  CHECK(std::isnan(y[4]));  // not below the limit of rows
}

TEST_CASE("reductions combine halves onto halves") {
  // 1 is lost where it meets 2^24 alone.
  const double big = std::ldexp(1.0, 24);
  const std::string sum = R"((x: <4 x f32>, y: <1 x f32> written) { variant {
    reduce x[0](4) to y[0] by add (f32 from 0)
  } })";
  CHECK(run(sum, {f32({big, 1, -big, 1}), f32({0})}).result()[0] == 2);
  CHECK(run(sum, {f32({big, -big, 1, 1}), f32({0})}).result()[0] == 1);
  const std::string argmax =
      R"((x: <4 x f32>, p: <4 x i32>, v: <1 x f32> written, y: <1 x i32> written) { variant {
    reduce x[0](4) to v[0], p[0](4) to y[0] by (f32 from 0, i32 from 0) by {
      %0: f32 = state 0 %1: i32 = state 1 %2: f32 = state 2 %3: i32 = state 3
      %4: bool = greaterThanOrEqual %0, %2 %5: f32 = select %0, %2, %4 %6: i32 = select %1, %3, %4
      yield %5, %6
    }
  } })";
  CHECK(run(argmax, {f32({3, 9, 4, 5}), tensor(ElementType::i32, {0, 1, 2, 3}), f32({0}),
                     tensor(ElementType::i32, {0})})
            .result()[0] == 1);
}

// ------------------------------------------------------------------------------------- asynchronous copies

TEST_CASE("an asynchronous copy has happened after its wait") {
  const auto copied = [](const std::string& before, const std::string& after = "") {
    return run(
        "(x: <2 x f32> written, y: <2 x f32> written) { panel p: <2 x f32> variant { allocate p "
        "copy x[0](2) to p[0](2) asynchronous " +
            before + " copy p[0](2) to y[0](2) " + after + " } }",
        {f32({1, 2}), f32({0, 0})});
  };
  CHECK(copied("commit wait 0").result() == Reals{1, 2});
  CHECK(copied("").error == "kernel @s: p[0] is read while a copy to it is under way");
  CHECK(copied("wait 0").error == "kernel @s: p[0] is read while a copy to it is under way");
  CHECK(copied("commit wait 1").error == "kernel @s: p[0] is read while a copy to it is under way");
  CHECK(copied("fill p[1](1) with f32 0 commit wait 0").error ==
        "kernel @s: p[1] is written while a copy to it is under way");
  CHECK(copied("fill x[0](1) with f32 5 commit wait 0").error ==
        "kernel @s: x[0] was written while a copy of it was under way");
}

TEST_CASE("a copy whose bound does not hold writes zeros") {
  for (const std::string how : {"", " asynchronous"}) {
    const auto ran = run("(x: <3 x f32>, y: <4 x f32> written) { panel p: <4 x f32> variant { allocate p " +
                             ("for $i0 in 4 step 2 { copy x[$i0](2) to p[$i0](2)" + how) +
                             " within ($i0 + 1 of 3) } commit wait 0 copy p[0](4) to y[0](4) } }",
                         {f32({1, 2, 3}), f32(Reals(4, 9))});
    CHECK(ran.error == "");
    CHECK(ran.result() == Reals{1, 2, 0, 0});
  }
}

TEST_CASE("a ring has the copies of some trips under way") {
  const auto pipelined = [](const std::string& pending) {
    return run(R"((x: <N x f32>, y: <N x f32> written) { panel p: <2 x f32> variant {
      allocate p
      copy x[0](1) to p[0](1) asynchronous
      commit
      for $i0 in N {
        for $next1 in 1 within ($i0 + 1 of N) {
          copy x[$i0 + 1](1) to p[mod($i0 + 1/2)](1) asynchronous
        }
        commit
        wait )" + pending +
                   R"(
        copy p[mod($i0/2)](1) to y[$i0](1)
      }
    } })",
               {f32({1, 2, 3, 4, 5}), f32(Reals(5))});
  };
  CHECK(pipelined("1").error == "");
  CHECK(pipelined("1").result() == Reals{1, 2, 3, 4, 5});
  CHECK(pipelined("0").result() == Reals{1, 2, 3, 4, 5});
  CHECK(pipelined("2").error == "kernel @s: p[0] is read while a copy to it is under way");
}

// --------------------------------------------------------------------------------------------------- errors

TEST_CASE("what a schedule may not do is an error with the kernel's name") {
  const auto error = [](const std::string& body, const std::string& buffers = "") {
    return run("(x: <4 x f32>, y: <4 x f32> written) { " + buffers + " variant { " + body + " } }",
               {f32({0, 1, 2, 3}), f32(Reals(4))})
        .error;
  };
  CHECK(error("for $i0 in 5 { %0: f32 = load x[$i0] }") == "kernel @s: index 4 of axis 0 is outside of x");
  CHECK(error("fill y[2](3) with f32 0") == "kernel @s: index 4 of axis 0 is outside of y");
  CHECK(error("copy x[0](2) strides [4] to y[0](2)") == "kernel @s: offset 4 is outside of the memory of x");
  CHECK(error("copy x[0](2) to y[0](3)") == "kernel @s: a copy to a tile of another shape");
  CHECK(error("%0: f16 = load x[0]") == "schedule @s: V4: %0");
  CHECK(error("%0: i32 = literal 1 store %0 to y[0]") == "schedule @s: V4: a store to y uses %0 as f32");
  CHECK(error("%0: i32 = literal 7 %1: i32 = check %0 from 0 upto 4 site 2 at [0]") ==
        "kernel @s: site 2: index 7 is not in [0, 4)");
  CHECK(error("%0: f32 = load p[0]", "panel p: <4 x f32> ") == "schedule @s: B7: p");
  CHECK(error("store %0 to y[0]") == "schedule @s: V2: store");
  CHECK(error("thread $t0 in 32 { }") == "schedule @s: D2: t");
  CHECK(error("role $r0 in 2 { }") == "kernel @s: a role loop, which does not say which warps run it");
  CHECK(error("allocate p", "arena p: <1000000 x 1000000 x f32> ") ==
        "kernel @s: 1000000000000 elements of p are too many");
}

}  // namespace
}  // namespace schedule_tests
