#include <doctest/doctest.h>

#include "../kernel/compare.h"
#include "codegen/kernel/text/text.h"
#include "codegen/schedule/gpu/collapse_axes.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/text/text.h"
#include "tests/codegen/scheduled.h"

/// Elementwise work over rows that are no whole vectors, 16 bytes at a time.
namespace kernel_tests {
namespace {

codegen::kernel::Kernel kernel(const std::string& text) {
  std::string error;
  auto parsed = codegen::kernel::parse_kernel(text, error);
  REQUIRE_MESSAGE(parsed.has_value(), error);
  return std::move(*parsed);
}

constexpr const char* sum = R"(kernel @sum(x: <N x 3 x f32>, s: f32, y: <N x 3 x f32> written) {
  stage sum over $i0 in N, $j1 in 3 {
    %0: f32 = load x[$i0, $j1]
    %1: f32 = load s[]
    %2: f32 = add %0, %1
    store %2 to y[$i0, $j1]
  }
}
)";

TEST_CASE("element by element, rows are one") {
  const auto flat = codegen::schedule::gpu::collapse_axes(kernel(sum), codegen::schedule::gpu::target_of(75));
  REQUIRE(flat.has_value());
  CHECK(flat->buffers[0].shape == dlvm::Shape{N * dlvm::Extent(3)});
  CHECK(flat->buffers[1].shape.empty());
}

TEST_CASE("what is not in the order of memory, or whole vectors already, stays") {
  const auto stays = [](const std::string& shape, const std::string& index, const std::string& columns) {
    return !codegen::schedule::gpu::collapse_axes(
                kernel("kernel @k(x: <" + shape + " x f32>, y: <N x " + columns +
                       " x f32> written) { stage s over $i0 in N, $j1 in " + columns +
                       " { %0: f32 = load x[" + index + "] store %0 to y[$i0, $j1] } }"),
                codegen::schedule::gpu::target_of(75))
                .has_value();
  };
  CHECK(!stays("N x 5", "$i0, $j1", "5"));
  CHECK(stays("N x 8", "$i0, $j1", "8"));
  CHECK(stays("5 x N", "$j1, $i0", "5"));
  CHECK(stays("5", "$j1", "5"));
  CHECK(stays("N x 6", "$i0, $j1 + 1", "5"));
}

TEST_CASE("vectors, and what is left over, at every length") {
  const auto schedule = test::schedule_for_gpu(kernel(sum), 75);
  CHECK(print(schedule).find("vector $lane") != std::string::npos);
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 340, 341, 342, 343}) {
    INFO(n);
    std::vector<dlvm::Tensor> arguments{dlvm::Tensor(dlvm::ElementType::f32, {n, 3}),
                                        dlvm::Tensor(dlvm::ElementType::f32, {}),
                                        dlvm::Tensor(dlvm::ElementType::f32, {n, 3})};
    for (std::size_t i = 0; i < arguments[0].size(); ++i) arguments[0].set(i, static_cast<double>(i));
    arguments[1].set(0, 0.5);
    CHECK(codegen::schedule::interpret(schedule, arguments, {{"N", n}}, 2).value_or("") == "");
    bool all = true;
    for (std::size_t i = 0; i < arguments[2].size(); ++i)
      all = all && arguments[2].real(i) == static_cast<double>(i) + 0.5;
    CHECK(all);
  }
}

}  // namespace
}  // namespace kernel_tests
