#include "codegen/schedule/verify/verify.h"

#include <doctest/doctest.h>

#include "codegen/schedule/text/text.h"
#include "codegen/schedule/verify/verify_model.h"

namespace {

/// The invariant that the text breaks, or nothing.
std::string broken(const std::string& body, const std::string& buffers = "") {
  const std::string text = "schedule @s(x: <N x f32>, y: <N x f32> written) {\n" + buffers + body + "}\n";
  std::string error;
  const auto schedule = codegen::schedule::parse_schedule(text, error);
  REQUIRE_MESSAGE(schedule.has_value(), error);
  const auto problem = codegen::schedule::verify(*schedule);
  return problem ? problem->substr(std::string("schedule @s: ").size(), 2) : "";
}

constexpr const char* copy = R"(variant { for $i0 in N { %0: f32 = load x[$i0] store %0 to y[$i0] } })";

}  // namespace

TEST_CASE("a schedule's invariants are told apart") {
  CHECK(broken(copy) == "");
  CHECK(broken(copy, "panel x: f32 ") == "B1");
  CHECK(broken(copy, "panel p: <4 x f32> strides [] ") == "B3");
  CHECK(broken(copy, "registers r: <N x f32> ") == "B4");
  CHECK(broken("variant { %0: f32 = load x[] store %0 to y[0] }") == "B5");
  CHECK(broken("variant { %0: f32 = load x[0] store %0 to x[0] }") == "B6");
  CHECK(broken("variant { reduce y[0](4) to x[0] by add (f32 from 0) }") == "B6");
  CHECK(broken("variant { convert y[0](4) to x[0](4) }") == "B6");
  CHECK(broken("variant { %0: f32 = load p[] store %0 to y[0] }", "panel p: f32 ") == "B7");
  CHECK(broken(copy, "shared p: <64 x f32> swizzle 3, 0, 3 ") == "");
  CHECK(broken(copy, "shared p: <64 x f32> swizzle 3, 0, 2 ") == "B8");
  CHECK(broken(copy, "shared p: <64 x f32> swizzle 3, 40, 3 ") == "B8");
  CHECK(broken("variant { for $i0 in N { } for $i0 in N { } }") == "L1");
  CHECK(broken("variant { vector $i0 in N { } }") == "L3");
  CHECK(broken("variant { vector $i0 in 4 { vector $j1 in 4 { } } }") == "L4");
  CHECK(broken("variant { %0: f32 = load x[$i0] }") == "L5");
  CHECK(broken("variant { pipeline $i0 in N depth 2 { } }") == "");
  CHECK(broken("variant { pipeline $i0 in N depth 1 { } }") == "L6");
  CHECK(broken("variant { core $i0 in N { core $j1 to $j2 in N step 4 work 9 { } } }") == "");
  CHECK(broken("variant { for $i0 in N { core $j1 in N work 9 { } } }") == "C1");
  CHECK(broken("variant { core $i0 in N { core $j1 in N work 9 { } barrier } }") == "C1");
  CHECK(broken("variant { core $i0 in N work 9 within ($i0 of 4) { } }") == "C1");
  CHECK(broken("variant { %0: f32 = literal 1 core $i0 in N work 9 { store %0 to y[$i0] } }") == "V2");
  CHECK(broken("variant { allocate r core $i0 in N work 9 { fill r[]() with f32 0 } }",
               "registers r: f32 ") == "B7");
  CHECK(broken("variant { core $i0 in N work 9 { core $j1 in N work 9 { } } }") == "C3");
  CHECK(broken("variant { for $i0 to $i1 in N { } }") == "C3");
  CHECK(broken("variant { core $i0 to $i0 in N work 9 { } }") == "L1");
  CHECK(broken("variant { %0: f32 = literal 1 %0: f32 = literal 2 }") == "V1");
  CHECK(broken("variant { for $i0 in N { %0: f32 = literal 1 } store %0 to y[0] }") == "V2");
  CHECK(broken("variant { %0: f32 = state 0 }") == "V3");
  CHECK(broken("variant { fill y[0](4, 4) with f32 0 }") == "T1");
  CHECK(broken("variant { allocate p allocate s reduce p[0](3) to s[] by add (f32 from 0) }",
               "registers p: <3 x f32> registers s: f32 ") == "T2");
  const auto copied = [](const std::string& tiles, const std::string& type = "<8 x f32>") {
    return broken("variant { allocate p copy " + tiles + " asynchronous }", "shared p: " + type + " ");
  };
  CHECK(copied("x[0](4) to p[0](4)") == "");
  CHECK(copied("x[0](4) to p[0](4)", "<8 x f32> swizzle 1, 2, 1") == "");
  CHECK(copied("x[0](4) to p[0](4)", "<8 x f32> swizzle 1, 1, 2") == "T3");
  CHECK(copied("x[0](4) to p[0](4)", "<8 x i32>") == "T3");
  CHECK(copied("x[0](3) to p[0](3)") == "T3");
  CHECK(copied("x[0](8) to p[0](8)") == "T3");
  CHECK(copied("x[0](4) to p[0](4)", "<8 x f32> strides [2]") == "T3");
  CHECK(copied("x[0](4) strides [2] to p[0](4)") == "T3");
  CHECK(copied("p[0](4) to p[4](4)") == "T3");
  CHECK(copied("x[0](4) to y[4](4)") == "T3");
  CHECK(broken("variant { block $a0 in 2 { block $b1 in 3 { warp $w2 in 2 { thread $t3 in 4 { thread $s4 in "
               "8 { } } "
               "barrier } } } }") == "");
  const auto sorted = [](const std::string& statement, const std::string& positions = "<N x i32>") {
    return broken("variant { allocate k allocate p allocate s " + statement + " }",
                  "arena k: <N x f32> arena p: " + positions + " panel s: <N x f32> ");
  };
  CHECK(sorted("sort k[0](N) positions p[0](N)") == "");
  CHECK(sorted("sort k[0](N) positions p[0](N) descending with s[0](N), p[0](N)") == "");
  CHECK(sorted("sort k[0](N) positions p[0](N) with s[0](N)") == "T6");
  CHECK(sorted("sort k[0](N) positions p[0](4)") == "T6");
  CHECK(sorted("sort k[0](N) positions p[0](N)", "<N x i64>") == "T6");
  CHECK(sorted("sort k[0](N) positions p[0](N)", "<N x i32> swizzle 3, 0, 3") == "T6");
  CHECK(sorted("sort x[0](N) positions p[0](N)") == "B6");
  CHECK(sorted("vector $i0 in 4 { sort k[0](N) positions p[0](N) }") == "T6");
  CHECK(sorted("block $b0 in 2 { thread $t1 in 2 { sort k[0](N) positions p[0](N) } }") == "T6");
  CHECK(broken("variant { block $a0 in 2 { block $b1 in 3 { } barrier } }") == "D1");
  CHECK(broken("variant { block $a0 in 2 { for $i1 in 2 { block $b2 in 3 { } } } }") == "D1");
  CHECK(broken("variant { thread $t0 in 32 { } }") == "D2");
  CHECK(broken("variant { warp $w0 in 2 { } }") == "D2");
  CHECK(broken("variant { block $a0 in 2 { thread $t1 in N { } } }") == "D2");
  CHECK(broken("variant { block $a0 in 2 { thread $t1 in 64 step 2 { } } }") == "D2");
  CHECK(broken("variant { block $a0 in 2 { thread $t1 in 2 { warp $w2 in 2 { } } } }") == "D2");
  CHECK(
      broken("variant { block $a0 in 2 { thread $t1 in 2 { thread $t2 in 2 { } thread $t3 in 2 { } } } }") ==
      "D3");
  CHECK(broken("variant { block $a0 in 2 { thread $t1 in 2 { barrier } } }") == "D4");
  CHECK(broken("variant when (N from 1 upto 2) { }") == "G1");
}

TEST_CASE("types and sizes of a schedule are told apart") {
  CHECK(broken(copy, "registers r: <16385 x f32> ") == "B4");
  CHECK(broken(copy, "panel p: <(-4) x f32> ") == "B9");
  CHECK(broken(copy, "panel p: <4611686018427387904 x 4 x f32> ") == "B9");
  CHECK(broken("variant { %0: f32 = load x[floor($i0 / 0)] }") == "L5");
  CHECK(broken("variant { for $i0 in N { %0: f32 = load x[floor($i0 / 0)] } }") == "I1");
  CHECK(broken("variant { for $i0 in (-3) { } }") == "I1");
  CHECK(broken("variant { vector $i0 in 0 { } }") == "L3");
  CHECK(broken("variant { vector $i0 in 129 { } }") == "L3");
  CHECK(broken("variant { unrolled $i0 in 1100 { unrolled $j1 in 1100 { %0: f32 = load x[0] } } }") == "L7");
  CHECK(broken("variant { unrolled $i0 in 9223372036854775807 step 2 { fill y[0](1) with f32 0 } }") == "L7");
  CHECK(broken("variant { %0: i32 = load x[0] }") == "V4");
  CHECK(broken("variant { %0: f32 = load x[0] %1: f64 = add %0, %0 }") == "V4");
  CHECK(broken("variant { %0: f32 = load x[0] %1: f32 = add %0 }") == "V4");
  CHECK(broken("variant { %0: f32 = load x[0] %1: f32 = load x[%0] }") == "V4");
  CHECK(broken("variant { %0: f64 = literal 1 store %0 to y[0] }") == "V4");
  CHECK(broken("variant { %0: f32 = load x[0] store %0 to y[0] by exp }") == "V4");
  CHECK(broken("variant { fill y[0](1) with f64 0 }") == "V4");
  CHECK(broken("variant { vector $i0 in 8 { %0: f32 = load x[$i0] store %0 to y[0] by add } }") == "V5");
  const auto lanes = [](const std::string& left, const std::string& columns = "3",
                        const std::string& outside = "", const std::string& inside = "allocate r ") {
    return broken("variant { " + outside + "vector $i0 in 8 { " + inside + "multiply " + left +
                      " by x[$i0](2, 3) strides [8, 1] into r[0, 0](2, 3) upto (2, " + columns + ", 2) } }",
                  "registers r: <2 x 3 x f32> ");
  };
  CHECK(lanes("x[$i0](2, 2) strides [8, 32]") == "");
  CHECK(lanes("x[2*$i0](2, 2) strides [8, 32]") == "V5");
  CHECK(lanes("x[0](2, 2) strides [8, 32]") == "V5");
  CHECK(lanes("x[$i0](2, 2) strides [8, 32]", "2") == "V5");
  CHECK(lanes("x[$i0](2, 2) strides [8, 32]", "3", "allocate r ", "") == "V5");
  CHECK(broken("variant { fill y[0](N) with f32 0 }") == "T4");
  CHECK(broken("variant { fill y[0](4097) with f32 0 }") == "T4");
  CHECK(broken("variant { multiply x[0](4) by x[0](4) into y[0](4) upto (4, 4, 4) }") == "T5");
  const std::string product =
      "multiply p[0, 0](4, 2) by p[0, 0](4, 2) into q[0, 0](2, 2) upto (2, 2, 4) ahead ";
  const std::string tiles = "registers p: <4 x 2 x f32> registers q: <2 x 2 x f32> ";
  CHECK(broken("variant { allocate p allocate q " + product + "p[0, 0](4, 2) }", tiles) == "");
  CHECK(broken("variant { allocate p allocate q " + product + "x[0](4) }", tiles) == "T5");
  CHECK(broken("variant { allocate p allocate q " + product + "p[0, 0](N, 2) }", tiles) == "T5");
  CHECK(broken("variant { allocate p allocate s reduce p[0](4) to s[] by add (f64 from 0) }",
               "registers p: <4 x f32> registers s: f32 ") == "T2");
}

TEST_CASE("what one thread and what grids cannot run is told apart") {
  const auto on = [](auto verify, const std::string& body, const std::string& buffers = "") {
    std::string error;
    const auto schedule = codegen::schedule::parse_schedule(
        "schedule @s(x: <N x f32>, y: <N x f32> written) {\n" + buffers + body + "}\n", error);
    REQUIRE_MESSAGE(schedule.has_value(), error);
    const auto problem = verify(*schedule);
    return problem ? problem->substr(std::string("schedule @s: ").size(), 2) : "";
  };
  constexpr auto core = codegen::schedule::verify_for_core, grids = codegen::schedule::verify_for_grids;
  const std::string block = "variant { block $b0 in N { } }";
  CHECK(on(core, copy) == "");
  CHECK(on(grids, block) == "");
  CHECK(on(core, block) == "M1");
  CHECK(on(core, "variant { barrier }") == "M2");
  CHECK(on(core, "variant { wait 0 }") == "M2");
  const auto copied = [&](const std::string& tiles, const std::string& type = "f32") {
    return on(core, "variant { allocate p copy " + tiles + " }", "panel p: <8 x 8 x " + type + "> ");
  };
  CHECK(copied("x[0](4, 4) strides [9, 1] to p[0, 0](4, 4) strides [1, 8]") == "");
  CHECK(copied("x[0](4, 4) strides [9, 1] to p[0, 0](4, 4) strides [8, 1]") == "M2");
  CHECK(copied("x[0](4, 4) strides [9, 2] to p[0, 0](4, 4) strides [1, 8]") == "M2");
  CHECK(copied("x[0](3, 3) strides [9, 1] to p[0, 0](3, 3) strides [1, 8]") == "M2");
  CHECK(copied("x[0](4, 4) strides [9, 1] to p[0, 0](4, 4) strides [1, 8] within (4 of N)") == "M2");
  CHECK(copied("x[0](4, 4) strides [9, 1] to p[0, 0](4, 4) strides [1, 8]", "f64") == "M2");
  CHECK(on(core, copy, "registers r: <8 x f32> linear_layout [[1], [2], [4]] [] [] ") == "M3");
  CHECK(on(core, copy, "shared p: <8 x f32> ") == "M4");
  CHECK(on(grids, copy) == "M5");
  CHECK(on(grids, "variant { block $b0 in N { thread $t1 in 1025 { } } }") == "M6");
  CHECK(on(grids, "variant { block $b0 in N { role $r1 in 2 { } } }") == "M7");
  CHECK(on(grids, block, "panel p: <8 x f32> ") == "M7");
  CHECK(on(grids, block, "shared p: <N x f32> ") == "M8");
  CHECK(on(grids, "variant { block $b0 in N { reduce s[0](4) to y[0] by add (f32 from 0) } }",
           "shared s: <4 x f32> ") == "M9");
  CHECK(on(grids,
           "variant { block $b0 in N { vector $l1 in 4 { allocate r multiply x[$l1](2, 2) strides [4, 8] by "
           "x[$l1](2, 3) strides [8, 1] into r[0, 0](2, 3) upto (2, 3, 2) } } }",
           "registers r: <2 x 3 x f32> ") == "M9");
  CHECK(on(grids,
           "variant { block $b0 in N { allocate r multiply x[0](2, 2) strides [4, 8] by x[0](2, 3) "
           "strides [8, 1] into r[0, 0](2, 3) upto (2, 3, 2) anew within ($b0 of 1) } }",
           "registers r: <2 x 3 x f32> ") == "M9");
}

TEST_CASE("every kind of loop, buffer and statement is read as it is printed") {
  const std::string text = R"(schedule @all(x: <N x 8 x f16>, y: <N x f32> written) {
  arena work: <N x 4 x f32>
  shared tile: <64 x 64 x f16> strides [72, 1] swizzle 3, 4, 3
  registers acc: <8 x 8 x f32> linear_layout [[0, 1], [8, 0]] [[1, 0]] []
  variant when (N from 1 upto 8), ((2*N) from 0) {
    block $b0 in (floor((N + 63)/64)) {
      allocate tile
      warp $w1 in 4 {
        thread $t2 in 32 {
          allocate acc
          fill acc[0, 0](8, 8) with f32 0
          pipeline $k3 in N step 64 depth 3 within (64*$b0 + $k3 of N) {
            role $r4 in 2 {
              copy x[$k3, 0](64, 8) to tile[0, 0](64, 8) asynchronous within ($k3 + 63 of N)
            }
            commit
            wait 2
            multiply tile[0, 0](64, 8) by tile[0, 0](64, 8) strides [1, 64] into acc[0, 0](8, 8) upto (8, 8, -$k3 + N)
          }
          convert acc[0, 0](8, 8) to acc[0, 0](8, 8)
          multiply tile[0, 0](16, 8) by tile[0, 0](16, 8) into acc[0, 0](8, 8) upto (8, 8, 16) on tensor_cores
          multiply tile[0, 0](16, 8) by tile[0, 0](16, 8) into acc[0, 0](8, 8) upto (8, 8, 16) on tensor_cores split
        }
      }
    }
  }
  variant {
    unrolled $u5 in 2 {
      vector $v6 in 16 within (16*$u5 + $v6 of N) {
        %0: f32 = literal 1
        store %0 to y[16*$u5 + $v6] within ($v6 of 4) by add
      }
    }
  }
}
)";
  std::string error;
  const auto schedule = codegen::schedule::parse_schedule(text, error);
  REQUIRE_MESSAGE(schedule.has_value(), error);
  CHECK(codegen::schedule::print(*schedule) == text);
}
