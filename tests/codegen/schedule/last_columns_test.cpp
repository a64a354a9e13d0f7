#include <doctest/doctest.h>

#include <random>

#include "../kernel/compare.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "codegen/schedule/text/text.h"
#include "tests/codegen/scheduled.h"

/// Convolutions on a core whose last columns are few.
namespace kernel_tests {
namespace {

using dlvm::ElementType;
using Extents = std::vector<std::int64_t>;

dlvm::Tensor drawn(const Extents& extents, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  dlvm::Tensor result(ElementType::f32, extents);
  for (std::size_t i = 0; i < result.size(); ++i) result.set(i, uniform(random));
  return result;
}

TEST_CASE("the last columns of a convolution have the same bits as rows and as columns") {
  struct Convolved {
    Extents input, kernel;
    std::int64_t padding;
    std::string plan;
  };
  const Convolved all[]{
      {{1, 140, 7, 7},
       {14, 140, 2, 2},
       0,
       "tiles of 14 x 32, the last 4 columns as rows, k in blocks of 280"},
      {{1, 58, 2, 3}, {13, 58, 3, 3}, 1, "tiles of 13 x 32, the last 6 columns as rows, k in blocks of 261"},
  };
  for (const Convolved& c : all) {
    INFO(c.plan);
    const auto type = [](const Extents& extents) {
      return tensor(ElementType::f32, dlvm::Shape(extents.begin(), extents.end()));
    };
    Scene scene({type(c.input), type(c.kernel)});
    std::vector<dlvm::WindowAxis> axes;
    for (std::size_t i = 2; i < c.input.size(); ++i)
      axes.push_back({c.input[i], c.kernel[i], 1, c.padding, c.padding});
    const auto built = program(scene.results({scene.b.convolve(scene[0], scene[1], axes, 1)}));
    const auto rows = test::scheduled_for_cpu(built, {64, 32}),
               columns = test::scheduled_for_cpu(built, {32, 16});
    const std::string text = print(rows.schedules[0]);
    CHECK_MESSAGE(text.find(c.plan) != std::string::npos, text);
    CHECK(print(columns.schedules[0]).find("as rows") == std::string::npos);
    std::mt19937 random(1);
    const std::vector<dlvm::Tensor> inputs{drawn(c.input, random), drawn(c.kernel, random)};
    const auto one = codegen::schedule::interpret(rows, inputs, {}, 2);
    CHECK(one.error.value_or("") == "");
    CHECK(one.outputs == codegen::schedule::interpret(columns, inputs, {}).outputs);
  }
}

}  // namespace
}  // namespace kernel_tests
