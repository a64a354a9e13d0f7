#include <doctest/doctest.h>

#include "../kernel/compare.h"
#include "codegen/kernel/text/text.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/text/text.h"
#include "codegen/schedule/transform/variants.h"
#include "codegen/target/gpu/emit_kernels.h"
#include "tests/codegen/scheduled.h"

/// Rows that few blocks would be busy with: split over blocks where there are few, else a block's, with the
/// same bits.
namespace kernel_tests {
namespace {

using codegen::schedule::Schedule;

/// A softmax over rows of 20,000 with what the row's label contributes: the label is checked in a reduction.
constexpr const char* rows =
    R"(kernel @rows(x: <N x 20000 x f32>, label: <N x i32>, y: <N x 20000 x f32> written, z: <N x f32> written) {
  local top: f32 depth 1
  local e: <20000 x f32> depth 1
  local sum: f32 depth 1
  for $i0 in N {
    stage top over reduced $j1 in 20000 {
      %0: f32 = load x[$i0, $j1]
      reduce max (f32 from -inf) of %0
      %1: f32 = state 0
      store %1 to top[]
    }
    stage exp over $k2 in 20000 {
      %0: f32 = load x[$i0, $k2]
      %1: f32 = load top[]
      %2: f32 = subtract %0, %1
      %3: f32 = exp %2
      store %3 to e[$k2]
    }
    stage sum over reduced $l3 in 20000 {
      %0: f32 = load e[$l3]
      reduce add (f32 from 0) of %0
      %1: f32 = state 0
      store %1 to sum[]
    }
    stage divide over $m4 in 20000 {
      %0: f32 = load e[$m4]
      %1: f32 = load sum[]
      %2: f32 = divide %0, %1
      store %2 to y[$i0, $m4]
    }
    stage pick over reduced $n5 in 20000 {
      %0: f32 = load x[$i0, $n5]
      %1: f32 = literal 0
      %2: i32 = load label[$i0]
      %3: i32 = check %2 from 0 upto 20000 site 0 at [$i0]
      %4: i32 = position $n5
      %5: bool = equal %3, %4
      %6: f32 = select %0, %1, %5
      reduce add (f32 from 0) of %6
      %7: f32 = state 0
      store %7 to z[$i0]
    }
  }
}
)";

Schedule scheduled() {
  std::string error;
  const auto kernel = codegen::kernel::parse_kernel(rows, error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  return test::schedule_for_gpu(*kernel, 75);
}

std::vector<dlvm::Tensor> arguments(std::int64_t n) {
  using dlvm::ElementType;
  const std::int64_t width = 20000;
  std::vector<dlvm::Tensor> result{
      dlvm::Tensor(ElementType::f32, {n, width}), dlvm::Tensor(ElementType::i32, {n}),
      dlvm::Tensor(ElementType::f32, {n, width}), dlvm::Tensor(ElementType::f32, {n})};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < width; ++j)
      result[0].set(static_cast<std::size_t>(i * width + j), static_cast<double>((7 * j + 3 * i) % 101) / 17);
    result[1].set(static_cast<std::size_t>(i), 19000.0 + static_cast<double>(i));
  }
  return result;
}

Schedule only(Schedule schedule, std::size_t variant) {
  schedule.variants = {schedule.variants[variant]};
  schedule.variants[0].guards.clear();
  return schedule;
}

TEST_CASE("few long rows are split over blocks, many are a block's each") {
  const Schedule schedule = scheduled();
  REQUIRE(schedule.variants.size() == 2);
  REQUIRE(schedule.variants[0].guards.size() == 1);
  CHECK(schedule.variants[0].guards[0].value.text() == "N");
  CHECK(schedule.variants[0].guards[0].end == 128);
  CHECK(codegen::schedule::grid_count(only(schedule, 0)) == 8);
  CHECK(codegen::schedule::grid_count(only(schedule, 1)) == 1);
}

TEST_CASE("a long row has the same bits split over blocks and in one") {
  const Schedule schedule = scheduled();
  std::vector<std::vector<dlvm::Tensor>> results;
  for (const std::size_t variant : {0, 1}) {
    results.push_back(arguments(2));
    CHECK(codegen::schedule::interpret(only(schedule, variant), results.back(), {{"N", 2}}, 2).value_or("") ==
          "");
  }
  CHECK(results[0] == results[1]);
  // Σ y = 1, and the label's x is picked out.
  double sum = 0;
  for (std::size_t j = 0; j < 20000; ++j) sum += results[0][2].real(j);
  CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  CHECK(results[0][3].real(1) == results[0][0].real(20000 + 19001));
}

TEST_CASE("a label outside of a long row is an error in both") {
  const Schedule schedule = scheduled();
  for (const std::size_t variant : {0, 1}) {
    auto wrong = arguments(1);
    wrong[1].set(0, 20000.0);
    CHECK(codegen::schedule::interpret(only(schedule, variant), wrong, {{"N", 1}}, 0).has_value());
  }
}

// That a chunk is a block's is checked in split_sum.kernel.
TEST_CASE("a sum over two axes is right, whichever way the tensor lies in memory") {
  for (const char* element : {"load x[$i0, $j1]", "load x[$j1, $i0]"}) {
    std::string error;
    const auto kernel = codegen::kernel::parse_kernel(
        std::string(
            "kernel @total(x: <N x N x f32>, y: f32 written) { stage sum over reduced $i0 in N, reduced "
            "$j1 in N { %0: f32 = ") +
            element + " reduce add (f32 from 0) of %0 %1: f32 = state 0 store %1 to y[] } }",
        error);
    REQUIRE_MESSAGE(kernel.has_value(), error);
    const Schedule schedule = test::schedule_for_gpu(*kernel, 75, false);
    std::vector<dlvm::Tensor> arguments{dlvm::Tensor(dlvm::ElementType::f32, {150, 150}),
                                        dlvm::Tensor(dlvm::ElementType::f32, {})};
    for (std::size_t i = 0; i < arguments[0].size(); ++i) arguments[0].set(i, static_cast<double>(i % 7));
    CHECK(codegen::schedule::interpret(schedule, arguments, {{"N", 150}}, 1).value_or("") == "");
    CHECK(arguments[1].real(0) == doctest::Approx(67495).epsilon(1e-6));
  }
}

TEST_CASE("a thread's long sum is a sum of sums") {
  std::string error;
  const auto kernel = codegen::kernel::parse_kernel(
      "kernel @columns(x: <N x M x f32>, y: <M x f32> written) { stage sum over $j0 in M, reduced $i1 in N { "
      "%0: f32 = load x[$i1, $j0] reduce add (f32 from 0) of %0 %1: f32 = state 0 store %1 to y[$j0] } }",
      error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  const Schedule schedule = test::schedule_for_gpu(*kernel, 75, false);
  const std::int64_t n = 20000;
  std::vector<dlvm::Tensor> arguments{dlvm::Tensor(dlvm::ElementType::f32, {n, 2}),
                                      dlvm::Tensor(dlvm::ElementType::f32, {2})};
  for (std::size_t i = 0; i < arguments[0].size(); ++i) arguments[0].set(i, 0.1);
  CHECK(codegen::schedule::interpret(schedule, arguments, {{"N", n}, {"M", 2}}, 1).value_or("") == "");
  const double exact = static_cast<double>(n) * static_cast<double>(0.1F);
  CHECK(arguments[1].real(1) == doctest::Approx(exact).epsilon(1e-5));
}

}  // namespace
}  // namespace kernel_tests
