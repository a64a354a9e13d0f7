#include <doctest/doctest.h>

#include <cmath>

#include "../target/cpu/jit.h"
#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "tests/codegen/scheduled.h"

namespace codegen::kernel {
namespace {

constexpr const char* softmax = R"(kernel @softmax(x: <N x C x f32>, y: <N x C x f32> written) {
  local e: <C x f32> depth 0
  local s: f32 depth 0
  for $i0 in N {
    stage exponentials over $j1 in C {
      %0: f32 = load x[$i0, $j1]
      %1: f32 = exp %0
      store %1 to e[$j1]
    }
    stage sum over reduced $k2 in C {
      %0: f32 = load e[$k2]
      reduce add (f32 from 0) of %0
      %1: f32 = state 0
      store %1 to s[]
    }
    stage quotient over $l3 in C {
      %0: f32 = load e[$l3]
      %1: f32 = load s[]
      %2: f32 = divide %0, %1
      store %2 to y[$i0, $l3]
    }
  }
}
)";

constexpr const char* everything =
    R"(kernel @everything(x: <N x 4 x f32>, i: <N x i32>, "odd name": <2*N + 1 x f64> written) {
  stage a over $i0 in N, reduced $k1 in 4 {
    %0: f32 = literal -0.5
    %1: i32 = load i[$i0]
    %2: i32 = check %1 from -1 upto N site 3 at [$i0]
    %3: f32 = load x[%2, -$k1 + 3] within ($i0 - 1 of N), (2*$k1 + (N - 1) of 4) else %0
    %4: f64 = dataTypeCast %3
    %5: i64 = position floor((N + 1)*$i0 + $k1 / 4) + mod($i0 + 7 / (2*N + 1))
    %6: i64 = position $k1
    %7: f64 = dataTypeCast %6
    contract batch [] m [$i0] n [] k [$k1] of %4, %7
    reduce unordered (f64 from -inf, i64 from 0) of %4, %5 by {
      %0: f64 = state 0
      %1: f64 = state 2
      %2: i64 = state 1
      %3: i64 = state 3
      %4: bool = lessThan %0, %1
      %5: f64 = select %1, %0, %4
      %6: i64 = select %3, %2, %4
      yield %5, %6
    }
    %8: f64 = state 0
    store %8 to "odd name"[2*$i0] within ($i0 of 3) by add
  }
}
)";

constexpr const char* side_by_side =
    R"(kernel @sums(x: <N x 4 x f32>, y: <N x f32> written, z: <N x i32> written) {
  stage sums over $i0 in N, reduced $j1 in 4 {
    %0: f32 = load x[$i0, $j1]
    %1: i32 = position $j1
    reduce add, max (f32 from 0, i32 from 7) of %0, %1
    %2: f32 = state 0
    %3: i32 = state 1
    store %2 to y[$i0]
    store %3 to z[$i0]
  }
}
)";

constexpr const char* sorting = R"(kernel @sorting(x: <N x 4 x f32> written, p: <N x 4 x i32> written) {
  stage rows over $i0 in N {
    sort x[$i0, 0] positions p[$i0, 0] along 1 in 4 descending
  }
  stage columns over $j1 in 4 {
    sort x[0, $j1] positions p[0, $j1] along 0 in N
  }
  stage back over $k2 in N, $l3 in 4 {
    %0: i32 = load p[$k2, $l3]
    %1: f32 = literal 1
    store %1 to x[$k2, %0] distinct
  }
}
)";

constexpr const char* guarded =
    R"(kernel @guarded(x: <N x f32>, y: <N x f32> written) when (N from 2 upto 4), ((2*N) from 5) {
  stage copy over $i0 in N {
    %0: f32 = load x[$i0]
    store %0 to y[$i0]
  }
}
)";

constexpr const char* accumulating =
    R"(kernel @rows(x: <M x N x 4 x f32>, z: <M x N x f32> written, y: <M x 4 x f32> written, c: <M x i64> written) {
  local s: f32 depth 0
  for $i0 in M, $j1 in N {
    stage sum over reduced $k2 in 4 {
      %0: f32 = load x[$i0, $j1, $k2]
      reduce add (f32 from 0) of %0
      %1: f32 = state 0
      store %1 to s[]
      store %1 to z[$i0, $j1]
    }
    stage weighted over $l3 in 4, accumulated $j1 {
      %0: f32 = load x[$i0, $j1, $l3]
      %1: f32 = load s[]
      %2: f32 = multiply %0, %1
      reduce add (f32 from 0) of %2
      %3: f32 = state 0
      %4: f32 = negate %3
      store %4 to y[$i0, $l3]
    }
    stage count over accumulated $j1 {
      %0: i64 = literal 1
      reduce add (i64 from 0) of %0
      %1: i64 = state 0
      store %1 to c[$i0]
    }
  }
}
)";

Kernel parsed(const char* text) {
  std::string error;
  auto kernel = parse_kernel(text, error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  return std::move(*kernel);
}

TEST_CASE("kernels print as they were parsed, and verify") {
  for (const char* text : {softmax, everything, side_by_side, sorting, guarded, accumulating}) {
    const Kernel kernel = parsed(text);
    CHECK(print(kernel) == text);
    CHECK(verify(kernel).value_or("") == "");
  }
}

TEST_CASE("a kernel's text that is wrong is an error with its line") {
  const std::string good = softmax;
  std::string error;
  for (std::size_t cut = 0; cut + 3 < good.size(); ++cut)
    CHECK_FALSE(parse_kernel(good.substr(0, cut), error).has_value());
  std::string wrong = good;
  wrong.replace(wrong.find("exp %0"), 3, "ex_");
  CHECK_FALSE(parse_kernel(wrong, error).has_value());
  CHECK(error == "line 7: expected the definition of a scalar, found 'ex_'");
  CHECK_FALSE(
      parse_kernel("kernel @a() { stage s over $i0 in " + std::string(100000, '(') + "N", error).has_value());
  wrong = good;
  wrong.replace(wrong.find("[$") + 1, 0, "mod floor(");
  CHECK_FALSE(parse_kernel(wrong, error).has_value());
  wrong = side_by_side;
  wrong.replace(wrong.find("add, max"), 8, "add");
  CHECK_FALSE(parse_kernel(wrong, error).has_value());
  CHECK(error == "line 5: a component has no instruction of its own");
}

TEST_CASE("the verifier names the invariant that a kernel breaks") {
  const auto broken = [](const std::string& from, const std::string& to) {
    std::string text = softmax;
    text.replace(text.find(from), from.size(), to);
    return verify(parsed(text.c_str())).value_or("");
  };
  CHECK(broken("store %1 to e[$j1]", "store %1 to x[$i0, $j1]").ends_with("(B4)"));
  CHECK(broken("store %1 to e[$j1]", "store %1 to e[$k2]").ends_with("(A3)"));
  CHECK(broken("exp %0", "exp %1").ends_with("(S1)"));
  CHECK(broken("%1: f32 = exp", "%1: f64 = exp").ends_with("(S2)"));
  CHECK(broken("load e[$l3]", "load e[$l3, $l3]").ends_with("(B3)"));
  CHECK(broken("over reduced $k2", "over $k2").ends_with("(A4)"));
  CHECK(broken("store %1 to s[]", "store %0 to s[]").ends_with("(S1)"));

  std::string contraction = everything;
  const std::string operands = "of %4, %7";
  contraction.replace(contraction.find(operands), operands.size(), "of %7, %4");
  CHECK(verify(parsed(contraction.c_str())).value_or("").ends_with("(C2)"));

  const auto broken_sort = [](const std::string& from, const std::string& to) {
    std::string text = sorting;
    text.replace(text.find(from), from.size(), to);
    return verify(parsed(text.c_str())).value_or("");
  };
  CHECK(broken_sort("    sort x", "    %0: f32 = literal 1\n    sort x").ends_with("(O1)"));
  CHECK(broken_sort("f32> written", "f32>").ends_with("(B4)"));
  CHECK(broken_sort("x i32>", "x i64>").ends_with("(O2)"));
  CHECK(broken_sort("p: <N x 4", "p: <N x 5").ends_with("(O2)"));
  CHECK(broken_sort("along 1 in 4", "along 2 in 4").ends_with("(O2)"));
  CHECK(broken_sort("along 1 in 4", "along 1 in 3").ends_with("(O2)"));
  CHECK(broken_sort("x[$i0, 0]", "x[$i0, 1]").ends_with("(O2)"));

  const auto broken_sum = [](const std::string& from, const std::string& to) {
    std::string text = accumulating;
    text.replace(text.find(from), from.size(), to);
    return verify(parsed(text.c_str())).value_or("");
  };
  CHECK(broken_sum("accumulated $j1", "accumulated $i0").ends_with("(A6)"));
  CHECK(broken_sum("accumulated $j1", "accumulated $l3").ends_with("(A6)"));
  CHECK(broken_sum("over accumulated $j1", "over accumulated $i0, accumulated $j1").ends_with("(A6)"));
  CHECK(broken_sum("store %4 to y[$i0, $l3]", "store %4 to z[$i0, $l3]").ends_with("(A7)"));
  CHECK(broken_sum("store %4 to y[$i0, $l3]", "store %4 to s[]").ends_with("(A7)"));
  CHECK(broken_sum("store %4 to y[$i0, $l3]", "store %4 to y[$i0, $l3] by add").ends_with("(A7)"));
  CHECK(broken_sum("%4: f32 = negate %3", "%4: f32 = load s[]").ends_with("(A7)"));
  CHECK(broken_sum("%4: f32 = negate %3", "%4: f32 = load x[$i0, $j1, $l3]").ends_with("(A3)"));

  // A block in another one accumulates to what is of that one's point.
  const auto nested = [](const std::string& target) {
    return verify(
               parsed(
                   ("kernel @rows(x: <N x M x f32>, y: <N x f32> written) {\n  local sum: f32 depth 1\n"
                    "  local own: f32 depth 2\n  for $i0 in N {\n    for $j1 in M {\n"
                    "      stage sum over accumulated $j1 {\n        %0: f32 = load x[$i0, $j1]\n"
                    "        reduce add (f32 from 0) of %0\n        %1: f32 = state 0\n        store %1 to " +
                    target +
                    "[]\n      }\n    }\n    stage copy {\n      %0: f32 = load sum[]\n"
                    "      store %0 to y[$i0]\n    }\n  }\n}\n")
                       .c_str()))
        .value_or("");
  };
  CHECK(nested("sum") == "");
  CHECK(nested("own").ends_with("(A7)"));

  std::string guard = guarded;
  guard.replace(guard.find("(2*N)"), 5, "(2*N - 9223372036854775807 - 9223372036854775807)");
  CHECK(verify(parsed(guard.c_str())).value_or("").ends_with("(G1)"));
}

TEST_CASE("the interpreter runs a kernel point by point") {
  Program program;
  program.kernels.push_back(parsed(softmax));
  const Shape shape{Extent::dimension("N"), Extent::dimension("C")};
  program.values = {{Value::Place::input, 0, "x", ElementType::f32, shape, {}},
                    {Value::Place::output, 0, "y", ElementType::f32, shape, {}}};
  program.body = {{Launch{0, {0, 1}}}};
  CHECK(verify(program).value_or("") == "");
  dlvm::Tensor x(ElementType::f32, {2, 3});
  for (std::size_t i = 0; i < 6; ++i) x.set(i, 0.5 * static_cast<double>(i));
  const Execution run = interpret(program, std::vector{x}, {{"N", 2}, {"C", 3}});
  REQUIRE_MESSAGE(!run.error, run.error.value_or(""));
  const double sum = std::exp(1.5) + std::exp(2.0) + std::exp(2.5);
  CHECK(run.outputs[0].real(4) == doctest::Approx(std::exp(2.0) / sum));
  // A buffer smaller than the axis: an access outside is an error, not a crash.
  const Execution outside = interpret(program, std::vector{x}, {{"N", 3}, {"C", 3}});
  CHECK(outside.error.has_value());
}

TEST_CASE("a stage that accumulates stores once, the identity if there is nothing to accumulate") {
  Program program;
  program.kernels.push_back(parsed(accumulating));
  const Extent m = Extent::dimension("M"), n = Extent::dimension("N");
  program.values = {{Value::Place::input, 0, "x", ElementType::f32, {m, n, 4}, {}},
                    {Value::Place::output, 0, "z", ElementType::f32, {m, n}, {}},
                    {Value::Place::output, 1, "y", ElementType::f32, {m, 4}, {}},
                    {Value::Place::output, 2, "c", ElementType::i64, {m}, {}}};
  program.dimensions = {"M", "N"};
  program.body = {{Launch{0, {0, 1, 2, 3}}}};
  CHECK(verify(program).value_or("") == "");
  const test::CompiledProgram compiled(program);
  const auto scheduled = test::scheduled_for_cpu(program, {32}), grids = test::scheduled_for_gpu(program, 80);
  for (const std::int64_t rows : {0, 1, 5}) {
    CAPTURE(rows);
    dlvm::Tensor x(ElementType::f32, {2, rows, 4});
    for (std::size_t i = 0; i < x.size(); ++i) x.set(i, static_cast<double>(i % 7) - 2);
    const Extent::Bindings dimensions{{"M", 2}, {"N", rows}};
    const Execution run = interpret(program, std::vector{x}, dimensions);
    REQUIRE_MESSAGE(!run.error, run.error.value_or(""));
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(run.outputs[2].integer(i) == rows);
      for (std::size_t l = 0; l < 4; ++l) {
        double sum = 0;
        for (std::size_t j = 0; j < static_cast<std::size_t>(rows); ++j) {
          const std::size_t row = 4 * (i * static_cast<std::size_t>(rows) + j);
          sum += (x.real(row) + x.real(row + 1) + x.real(row + 2) + x.real(row + 3)) * x.real(row + l);
        }
        CHECK(run.outputs[1].real(4 * i + l) == -sum);
      }
    }
    CHECK(compiled.run(std::vector{x}, dimensions).outputs == run.outputs);
    CHECK(schedule::interpret(scheduled, std::vector{x}, dimensions).outputs == run.outputs);
    CHECK(schedule::interpret(grids, std::vector{x}, dimensions).outputs == run.outputs);
  }
}

TEST_CASE("what a stage accumulates may be of a local of the whole kernel") {
  Program program;
  program.kernels.push_back(parsed(R"(kernel @scaled(x: <N x f32>, y: <f32> written, z: <N x f32> written) {
  local all: <N x f32> depth 0
  local one: f32 depth 1
  stage twice over $i0 in N {
    %0: f32 = load x[$i0]
    %1: f32 = add %0, %0
    store %1 to all[$i0]
  }
  for $j1 in N {
    stage next {
      %0: f32 = load all[$j1]
      store %0 to one[]
      store %0 to z[$j1]
    }
    stage sum over accumulated $j1 {
      %0: f32 = load all[$j1]
      %1: f32 = load one[]
      %2: f32 = multiply %0, %1
      reduce add (f32 from 0) of %2
      %3: f32 = state 0
      store %3 to y[]
    }
  }
}
)"));
  const Extent n = Extent::dimension("N");
  program.values = {{Value::Place::input, 0, "x", ElementType::f32, {n}, {}},
                    {Value::Place::output, 0, "y", ElementType::f32, {}, {}},
                    {Value::Place::output, 1, "z", ElementType::f32, {n}, {}}};
  program.dimensions = {"N"};
  program.body = {{Launch{0, {0, 1, 2}}}};
  REQUIRE(verify(program).value_or("") == "");
  dlvm::Tensor x(ElementType::f32, {3});
  for (std::size_t i = 0; i < 3; ++i) x.set(i, static_cast<double>(i + 1));
  const Extent::Bindings dimensions{{"N", 3}};
  const Execution run = interpret(program, std::vector{x}, dimensions);
  CHECK(run.outputs.at(0).real(0) == 4 + 16 + 36);
  CHECK(test::CompiledProgram(program).run(std::vector{x}, dimensions).outputs == run.outputs);
  CHECK(schedule::interpret(test::scheduled_for_gpu(program, 80), std::vector{x}, dimensions).outputs ==
        run.outputs);
}

TEST_CASE("a launch does nothing where a guard of its kernel does not hold") {
  Program program;
  program.kernels = {parsed(guarded), parsed(guarded)};
  program.kernels[0].name = "fill";
  program.kernels[0].guards.clear();
  const Shape shape{Extent::dimension("N")};
  program.values = {{Value::Place::input, 0, "x", ElementType::f32, shape, {}},
                    {Value::Place::input, 1, "z", ElementType::f32, shape, {}},
                    {Value::Place::output, 0, "y", ElementType::f32, shape, {}}};
  program.body = {{Launch{0, {1, 2}}}, {Launch{1, {0, 2}}}};
  CHECK(verify(program).value_or("") == "");
  for (const std::int64_t n : {1, 2, 3, 4}) {
    dlvm::Tensor x(ElementType::f32, {n}), z(ElementType::f32, {n});
    for (std::int64_t i = 0; i < n; ++i) x.set(static_cast<std::size_t>(i), 1.0);
    const Execution run = interpret(program, std::vector{x, z}, {{"N", n}});
    REQUIRE_MESSAGE(!run.error, run.error.value_or(""));
    CHECK(run.outputs[0].real(0) == (n == 3 ? 1 : 0));
  }
}

}  // namespace
}  // namespace codegen::kernel
