#include <doctest/doctest.h>

#include "../kernel/compare.h"
#include "codegen/kernel/text/text.h"
#include "codegen/schedule/cpu/schedule_for_cpu.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/text/text.h"
#include "codegen/schedule/verify/verify.h"
#include "tests/codegen/scheduled.h"

/// Elementwise stages that read along one axis and write along another: tiles in shared memory.
namespace kernel_tests {
namespace {

using codegen::schedule::Schedule;
using dlvm::ElementType;
using dlvm::Tensor;

Schedule scheduled(const std::string& text) {
  std::string error;
  const auto kernel = codegen::kernel::parse_kernel(text, error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  Schedule made = test::schedule_for_gpu(*kernel, 75);
  CHECK(codegen::schedule::verify(made).value_or("") == "");
  return made;
}

bool has_tile(const std::string& text) { return print(scheduled(text)).find("shared ") != std::string::npos; }

/// 0, 1, 2 … up to where small types and products of a few stay exact.
Tensor counted(ElementType type, const std::vector<std::int64_t>& extents) {
  Tensor result(type, extents);
  for (std::size_t i = 0; i < result.size(); ++i) result.set(i, static_cast<double>(i % 11));
  return result;
}

/// The last argument after a run, which must be the same in every order of threads.
Tensor run(const Schedule& schedule, const std::vector<Tensor>& arguments,
           const dlvm::Extent::Bindings& dimensions) {
  std::optional<Tensor> first;
  for (const std::uint32_t seed : {0, 1, 2}) {
    std::vector<Tensor> own = arguments;
    CHECK(codegen::schedule::interpret(schedule, own, dimensions, seed).value_or("") == "");
    if (!first) first = own.back();
    CHECK(own.back() == *first);
  }
  return *first;
}

/// x is <n x m>, y <m x n>; `value` of x's element and the place in y's order.
template <typename Value>
void check_transposed(const Schedule& schedule, ElementType type, std::int64_t n, std::int64_t m,
                      const dlvm::Extent::Bindings& dimensions, Value value) {
  INFO(n, " x ", m, " of ", dlvm::info(type).name);
  const Tensor x = counted(type, {n, m});
  const Tensor y = run(schedule, {x, Tensor(type, {m, n})}, dimensions);
  bool all = true;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const auto from = static_cast<std::size_t>(j * m + i), to = static_cast<std::size_t>(i * n + j);
      all = all && y.real(to) == value(x.real(from));
    }
  CHECK(all);
}

std::string transpose(const std::string& n, const std::string& m, const std::string& type) {
  return "kernel @t(x: <" + n + " x " + m + " x " + type + ">, y: <" + m + " x " + n + " x " + type +
         "> written) { stage s over $i0 in " + m + ", $j1 in " + n + " { %0: " + type +
         " = load x[$j1, $i0] %1: " + type + " = literal 2 %2: " + type +
         " = multiply %0, %1 store %2 to y[$i0, $j1] } }";
}

TEST_CASE("transposed: constant extents, every width of elements, whole and odd") {
  for (const ElementType type : {ElementType::i8, ElementType::bf16, ElementType::f16, ElementType::f32,
                                 ElementType::i64, ElementType::f64})
    for (const auto& [n, m] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {64, 128}, {8, 40}, {33, 31}, {36, 66}, {200, 9}}) {
      const Schedule schedule =
          scheduled(transpose(std::to_string(n), std::to_string(m), std::string(dlvm::info(type).name)));
      CHECK(print(schedule).find("shared ") != std::string::npos);
      check_transposed(schedule, type, n, m, {}, [](double value) { return 2 * value; });
    }
}

TEST_CASE("transposed: 16 bytes at a time along both axes, where extents allow") {
  const auto vectors = [](const std::string& n, const std::string& m, const std::string& type) {
    const std::string text = print(scheduled(transpose(n, m, type)));
    std::vector<std::string> widths;
    for (std::size_t at = 0; (at = text.find("vector $lane", at)) != std::string::npos; ++at)
      widths.push_back(text.substr(text.find(" in ", at) + 4, 1));
    return widths;
  };
  using Widths = std::vector<std::string>;
  CHECK(vectors("64", "128", "f32") == Widths{"4", "4"});
  CHECK(vectors("64", "128", "f64") == Widths{"2", "2"});
  CHECK(vectors("64", "128", "bf16") == Widths{"8", "8"});
  CHECK(vectors("N", "128", "f32") == Widths{"4"});
  CHECK(vectors("63", "65", "f32").empty());
}

TEST_CASE("transposed: dynamic extents of every length") {
  const Schedule schedule = scheduled(transpose("N", "20", "f32"));
  CHECK(print(schedule).find("shared ") != std::string::npos);
  for (const std::int64_t n : {0, 1, 3, 31, 32, 33, 70})
    check_transposed(schedule, ElementType::f32, n, 20, {{"N", n}}, [](double value) { return 2 * value; });
  const Schedule both = scheduled(transpose("N", "M", "f32"));
  for (const std::int64_t n : {1, 37})
    for (const std::int64_t m : {0, 2, 64})
      check_transposed(both, ElementType::f32, n, m, {{"N", n}, {"M", m}},
                       [](double value) { return 2 * value; });
}

TEST_CASE("transposed: two loads of other types, beside those that are not, between axes of batches") {
  const Schedule schedule = scheduled(
      "kernel @t(a: <3 x N x 2 x 40 x f16>, b: <40 x N x f32>, c: <3 x 40 x 2 x N x f32>, d: <N x f32>, "
      "e: <3 x 40 x f32>, y: <3 x 40 x 2 x N x f32> written) { stage s over $i0 in 3, $j1 in 40, $k2 in 2, "
      "$l3 in N { %0: f16 = load a[$i0, $l3, $k2, $j1] %1: f32 = dataTypeCast %0 %2: f32 = load b[$j1, $l3] "
      "%3: f32 = load c[$i0, $j1, $k2, $l3] %4: f32 = load d[$l3] %5: f32 = load e[$i0, $j1] "
      "%6: f16 = load a[2 - $i0, $l3, 1 - $k2, $j1] %7: f32 = dataTypeCast %6 %8: f32 = add %1, %2 "
      "%9: f32 = add %8, %3 %10: f32 = add %9, %4 %11: f32 = add %10, %5 %12: f32 = add %11, %7 "
      "store %12 to y[$i0, $j1, $k2, $l3] } }");
  CHECK(print(schedule).find("shared s.tile1: <32 x 32 x f16>") != std::string::npos);
  const std::int64_t n = 35, m = 40;
  const Tensor a = counted(ElementType::f16, {3, n, 2, m}), b = counted(ElementType::f32, {m, n}),
               c = counted(ElementType::f32, {3, m, 2, n}), d = counted(ElementType::f32, {n}),
               e = counted(ElementType::f32, {3, m});
  const Tensor y = run(schedule, {a, b, c, d, e, Tensor(ElementType::f32, {3, m, 2, n})}, {{"N", n}});
  const auto at = [](const Tensor& tensor, std::int64_t place) {
    return tensor.real(static_cast<std::size_t>(place));
  };
  bool all = true;
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t k = 0; k < 2; ++k)
        for (std::int64_t l = 0; l < n; ++l) {
          const std::int64_t to = ((i * m + j) * 2 + k) * n + l;
          const double sum = at(a, ((i * n + l) * 2 + k) * m + j) + at(b, j * n + l) + at(c, to) + at(d, l) +
                             at(e, i * m + j) + at(a, (((2 - i) * n + l) * 2 + 1 - k) * m + j);
          all = all && at(y, to) == sum;
        }
  CHECK(all);
}

TEST_CASE("transposed: bounds of the load that is turned, and of others") {
  const Schedule schedule = scheduled(
      "kernel @t(x: <30 x 40 x f32>, y: <44 x 36 x f32> written) { stage s over $i0 in 44, $j1 in 36 { "
      "%0: f32 = literal 7 %1: f32 = load x[-2 + $j1, -1 + $i0] within (-2 + $j1 of 30), (-1 + $i0 of 40) "
      "else %0 "
      "store %1 to y[$i0, $j1] } }");
  CHECK(print(schedule).find("shared ") != std::string::npos);
  const Tensor x = counted(ElementType::f32, {30, 40});
  const Tensor y = run(schedule, {x, Tensor(ElementType::f32, {44, 36})}, {});
  bool all = true;
  for (std::int64_t i = 0; i < 44; ++i)
    for (std::int64_t j = 0; j < 36; ++j) {
      const bool inside = j >= 2 && j < 32 && i >= 1 && i < 41;
      const double from = inside ? x.real(static_cast<std::size_t>((j - 2) * 40 + i - 1)) : 7;
      all = all && y.real(static_cast<std::size_t>(i * 36 + j)) == from;
    }
  CHECK(all);
}

TEST_CASE("transposed: stores along both axes, and a store against several loads") {
  const Schedule two = scheduled(
      "kernel @t(x: <36 x 50 x f32>, z: <50 x 36 x f32> written, y: <36 x 50 x f32> written) { stage s over "
      "$i0 in 50, $j1 in 36 { %0: f32 = load x[$j1, $i0] %1: f32 = add %0, %0 store %1 to z[$i0, $j1] store "
      "%1 to y[$j1, $i0] } }");
  const Tensor x = counted(ElementType::f32, {36, 50});
  std::vector<Tensor> arguments{x, Tensor(ElementType::f32, {50, 36}), Tensor(ElementType::f32, {36, 50})};
  CHECK(codegen::schedule::interpret(two, arguments, {}, 2).value_or("") == "");
  bool all = true;
  for (std::size_t i = 0; i < 36; ++i)
    for (std::size_t j = 0; j < 50; ++j)
      all = all && arguments[1].real(j * 36 + i) == 2 * x.real(i * 50 + j) &&
            arguments[2].real(i * 50 + j) == 2 * x.real(i * 50 + j);
  CHECK(all);
  // One tile, of the store.
  const Schedule sum = scheduled(
      "kernel @t(a: <N x 50 x f32>, b: <N x 50 x f32>, c: <N x 50 x f32>, y: <50 x N x f32> written) { stage "
      "s over $i0 in 50, $j1 in N { %0: f32 = load a[$j1, $i0] %1: f32 = load b[$j1, $i0] %2: f32 = load "
      "c[$j1, $i0] %3: f32 = add %0, %1 %4: f32 = add %3, %2 store %4 to y[$i0, $j1] within ($i0 of 45) } }");
  CHECK(print(sum).find("shared s.tile: ") != std::string::npos);
  CHECK(print(sum).find("shared s.tile1") == std::string::npos);
  const std::size_t n = 33;
  const Tensor a = counted(ElementType::f32, {33, 50});
  const Tensor y = run(sum, {a, a, a, counted(ElementType::f32, {50, 33})}, {{"N", 33}});
  all = true;
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < n; ++j)
      all = all &&
            y.real(i * n + j) == (i < 45 ? 3 * a.real(j * 50 + i) : static_cast<double>((i * n + j) % 11));
  CHECK(all);
}

TEST_CASE("transposed: short axes that lie together in memory are one") {
  const Schedule schedule = scheduled(
      "kernel @t(x: <N x 5 x 7 x 24 x f32>, y: <N x 24 x 5 x 7 x f32> written) { stage s over $i0 in N, "
      "$j1 in 24, $k2 in 5, $l3 in 7 { %0: f32 = load x[$i0, $k2, $l3, $j1] store %0 to y[$i0, $j1, $k2, "
      "$l3] } }");
  CHECK(print(schedule).find("shared ") != std::string::npos);
  const std::int64_t n = 2, pixels = 35, channels = 24;
  const Tensor x = counted(ElementType::f32, {n, 5, 7, channels});
  const Tensor y = run(schedule, {x, Tensor(ElementType::f32, {n, channels, 5, 7})}, {{"N", n}});
  bool all = true;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < channels; ++j)
      for (std::int64_t k = 0; k < pixels; ++k)
        all = all && y.real(static_cast<std::size_t>((i * channels + j) * pixels + k)) ==
                         x.real(static_cast<std::size_t>((i * pixels + k) * channels + j));
  CHECK(all);
}

TEST_CASE("transposed on a processor: the axis that is no vector's in blocks") {
  const auto scheduled = [](const std::string& text) {
    std::string error;
    const auto kernel = codegen::kernel::parse_kernel(text, error);
    REQUIRE_MESSAGE(kernel.has_value(), error);
    return test::schedule_for_cpu(*kernel, {});
  };
  const auto has_blocks = [&](const std::string& text) {
    return print(scheduled(text)).find("_block") != std::string::npos;
  };
  const auto twice = [](double value) { return 2 * value; };
  for (const ElementType type : {ElementType::f16, ElementType::f32, ElementType::f64}) {
    const std::string name(dlvm::info(type).name);
    CHECK(has_blocks(transpose("48", "N", name)));
    check_transposed(scheduled(transpose("48", "32", name)), type, 48, 32, {}, twice);
    check_transposed(scheduled(transpose("45", "37", name)), type, 45, 37, {}, twice);
    const Schedule dynamic = scheduled(transpose("N", "M", name));
    for (const std::int64_t n : {0, 1, 16, 33})
      for (const std::int64_t m : {0, 2, 15, 40})
        check_transposed(dynamic, type, n, m, {{"N", n}, {"M", m}}, twice);
  }
  CHECK(!has_blocks(transpose("16", "1000", "f32")));
  CHECK(
      !has_blocks("kernel @t(x: <N x 64 x f32>, y: <N x 64 x f32> written) { stage s over $i0 in N, $j1 in "
                  "64 { %0: f32 = load x[$i0, $j1] store %0 to y[$i0, $j1] } }"));
}

TEST_CASE("no tiles: short axes, loads along the last axis, gathers, reductions") {
  CHECK(!has_tile(transpose("3", "1000", "f32")));
  CHECK(!has_tile(transpose("1000", "3", "f32")));
  const auto stage = [](const std::string& arguments, const std::string& axes, const std::string& body) {
    return "kernel @t(" + arguments + ") { stage s over " + axes + " { " + body + " } }";
  };
  CHECK(!has_tile(stage("x: <N x 16 x 8 x 64 x f32>, y: <N x 8 x 16 x 64 x f32> written",
                        "$i0 in N, $j1 in 8, $k2 in 16, $l3 in 64",
                        "%0: f32 = load x[$i0, $k2, $j1, $l3] store %0 to y[$i0, $j1, $k2, $l3]")));
  CHECK(!has_tile(stage("x: <64 x f32>, y: <64 x 64 x f32> written", "$i0 in 64, $j1 in 64",
                        "%0: f32 = load x[$i0] store %0 to y[$i0, $j1]")));
  CHECK(
      !has_tile(stage("x: <64 x 64 x f32>, p: <64 x i32>, y: <64 x 64 x f32> written", "$i0 in 64, $j1 in 64",
                      "%0: i32 = load p[$j1] %1: i32 = check %0 from 0 upto 64 site 0 at [$j1] "
                      "%2: f32 = load x[%1, $i0] store %2 to y[$i0, $j1]")));
}

}  // namespace
}  // namespace kernel_tests
