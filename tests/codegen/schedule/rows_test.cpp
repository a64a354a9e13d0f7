#include <doctest/doctest.h>

#include <cmath>

#include "codegen/kernel/text/text.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/verify/verify.h"
#include "tests/codegen/scheduled.h"

/// Rows in the registers of a team (row_registers.h), and rows whose length a call decides (dynamic_rows.h).
namespace schedule_tests {
namespace {

using codegen::schedule::Schedule;
using dlvm::ElementType;
using dlvm::Tensor;

/// A softmax along rows: `x` is read by two stages, `e` is handed over; `shift` is each row's.
std::string softmax(const std::string& length, const std::string& type = "f32") {
  std::string text =
      R"(kernel @softmax(x: <N x LENGTH x TYPE>, shift: <N x TYPE>, y: <N x LENGTH x TYPE> written) {
  local top: TYPE depth 1
  local e: <LENGTH x TYPE> depth 1
  local sum: TYPE depth 1
  for $i0 in N {
    stage top over reduced $j1 in LENGTH {
      %0: TYPE = load x[$i0, $j1]
      reduce max (TYPE from -inf) of %0
      %1: TYPE = state 0
      %2: TYPE = load shift[$i0]
      %3: TYPE = add %1, %2
      store %3 to top[]
    }
    stage exp over $k2 in LENGTH {
      %0: TYPE = load x[$i0, $k2]
      %1: TYPE = load top[]
      %2: TYPE = subtract %0, %1
      %3: TYPE = exp %2
      store %3 to e[$k2]
    }
    stage sum over reduced $l3 in LENGTH {
      %0: TYPE = load e[$l3]
      reduce add (TYPE from 0) of %0
      %1: TYPE = state 0
      store %1 to sum[]
    }
    stage divide over $m4 in LENGTH {
      %0: TYPE = load e[$m4]
      %1: TYPE = load sum[]
      %2: TYPE = divide %0, %1
      store %2 to y[$i0, $m4]
    }
  }
}
)";
  const auto replace = [&](const std::string& name, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += by.size())
      text.replace(at, name.size(), by);
  };
  replace("LENGTH", length);
  replace("TYPE", type);
  return text;
}

Schedule scheduled(const std::string& text) {
  std::string error;
  const auto kernel = codegen::kernel::parse_kernel(text, error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  const Schedule schedule = test::schedule_for_gpu(*kernel, 80);
  CHECK(codegen::schedule::verify(schedule).value_or("") == "");
  return schedule;
}

std::vector<Tensor> arguments(std::int64_t rows, std::int64_t length, ElementType type = ElementType::f32) {
  std::vector<Tensor> result{Tensor(type, {rows, length}), Tensor(type, {rows}),
                             Tensor(type, {rows, length})};
  for (std::size_t i = 0; i < result[0].size(); ++i)
    result[0].set(i, static_cast<double>((7 * i) % 101) / 17);
  for (std::size_t i = 0; i < result[1].size(); ++i) result[1].set(i, static_cast<double>(i));
  return result;
}

void check_softmax(const std::vector<Tensor>& results, std::int64_t rows, std::int64_t length,
                   double tolerance) {
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    const auto x = [&](std::int64_t j) { return results[0].real(static_cast<std::size_t>(i * length + j)); };
    for (std::int64_t j = 0; j < length; ++j) sum += std::exp(x(j));
    for (std::int64_t j = 0; j < length; ++j)
      CHECK(results[2].real(static_cast<std::size_t>(i * length + j)) ==
            doctest::Approx(std::exp(x(j)) / sum).epsilon(tolerance));
  }
}

std::vector<Tensor> run(const Schedule& schedule, std::vector<Tensor> arguments, std::uint32_t order = 3) {
  const auto& extents = arguments[0].extents();
  const dlvm::Extent::Bindings dimensions{{"N", extents[0]}, {"T", extents[1]}};
  CHECK(codegen::schedule::interpret(schedule, arguments, dimensions, order).value_or("") == "");
  return arguments;
}

// That a row is read once, and by how many neighbours, is checked in rows.kernel.
TEST_CASE("rows of any length and type give a softmax") {
  struct Case {
    std::int64_t length;
    const char* type;
    ElementType element;
  };
  for (const Case& each : {Case{10, "f32", ElementType::f32}, Case{96, "f32", ElementType::f32},
                           Case{257, "f32", ElementType::f32}, Case{512, "f32", ElementType::f32},
                           Case{2052, "f32", ElementType::f32}, Case{128, "f64", ElementType::f64},
                           Case{6000, "f64", ElementType::f64}}) {
    CAPTURE(each.length);
    const Schedule schedule = scheduled(softmax(std::to_string(each.length), each.type));
    check_softmax(run(schedule, arguments(3, each.length, each.element)), 3, each.length, 1e-5);
  }
}

TEST_CASE("what another point's thread reads is right") {
  std::string text = softmax("64");
  const std::string own = "load e[$m4]";
  text.replace(text.find(own), own.size(), "load e[63 - $m4]");
  const auto results = run(scheduled(text), arguments(2, 64));
  const double top = std::exp(results[0].real(0)), other = std::exp(results[0].real(63));
  CHECK(results[2].real(63) / results[2].real(0) == doctest::Approx(top / other).epsilon(1e-5));
}

TEST_CASE("rows of a named dimension have a variant by their length") {
  const Schedule schedule = scheduled(softmax("T"));
  REQUIRE(schedule.variants.size() == 4);
  CHECK(schedule.variants[0].guards[0].end == 1025);
  REQUIRE(schedule.variants[1].guards.size() == 2);
  CHECK(schedule.variants[1].guards[0].first == 16384);
  CHECK(schedule.variants[1].guards[1].end == 128);
  CHECK(schedule.variants[2].guards[0].first == 16384);
  for (const std::int64_t length : {1, 31, 700, 1024, 1025, 16384}) {
    CAPTURE(length);
    check_softmax(run(schedule, arguments(2, length)), 2, length, 1e-4);
  }
  CHECK(run(schedule, arguments(2, 0))[2].size() == 0);
}

TEST_CASE("a long row has the same bits where there are few and where there are many") {
  Schedule few = scheduled(softmax("T")), many = few;
  few.variants.erase(few.variants.begin());
  many.variants.erase(many.variants.begin(), many.variants.begin() + 2);
  CHECK(run(few, arguments(2, 16400), 0)[2] == run(many, arguments(2, 16400), 5)[2]);
}

TEST_CASE("a row's bits do not depend on how many rows there are") {
  const Schedule schedule = scheduled(softmax("T"));
  for (const std::int64_t length : {40, 2000}) {
    const auto one = run(schedule, arguments(1, length), 0), many = run(schedule, arguments(9, length), 5);
    for (std::size_t j = 0; j < static_cast<std::size_t>(length); ++j)
      CHECK(one[2].real(j) == many[2].real(j));
  }
}

}  // namespace
}  // namespace schedule_tests
