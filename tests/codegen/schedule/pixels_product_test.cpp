#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "../kernel/compare.h"
#include "codegen/schedule/cpu/pack_operands.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "codegen/schedule/text/text.h"
#include "dlvm/differentiate/transposes.h"
#include "tests/codegen/scheduled.h"

/// Convolutions on a core whose lanes are filters.
namespace kernel_tests {
namespace {

using codegen::schedule::cpu::CpuTarget;
using dlvm::ElementType;
using Extents = std::vector<std::int64_t>;

/// Vectors of four numbers; and none, so that the schedule is loops over single elements.
const CpuTarget vectors{16, 16}, scalars{0, 16};

struct Convolved {
  Extents input, kernel;
  std::int64_t stride = 1, padding = 1, groups = 1;
  std::string plan;         ///< what the plan says beside the form
  bool is_adjoint = false;  ///< of the input
  double first = 0.5;       ///< the first element of the kernel
  std::int64_t dilation = 1;
};

/// Multiples of 1/8 that are so small that no sum is rounded.
dlvm::Tensor drawn(const Extents& extents, std::mt19937& random) {
  std::uniform_int_distribution<int> uniform(-8, 8);
  dlvm::Tensor result(ElementType::f32, extents);
  for (std::size_t i = 0; i < result.size(); ++i) result.set(i, uniform(random) / 8.0);
  return result;
}

codegen::kernel::Program convolution(const Convolved& c) {
  const auto type = [](const Extents& extents) {
    return tensor(ElementType::f32, dlvm::Shape(extents.begin(), extents.end()));
  };
  Scene scene({type(c.input), type(c.kernel)});
  std::vector<dlvm::WindowAxis> axes;
  for (std::size_t i = 2; i < c.input.size(); ++i)
    axes.push_back({c.input[i], c.kernel[i], c.stride, c.padding, c.padding, 1, c.dilation});
  dlvm::Value* result = scene.b.convolve(scene[0], scene[1], axes, c.groups);
  if (c.is_adjoint)
    result =
        dlvm::transposes::convolve(scene.b, *dlvm::as_instruction(result), 0, scene.b.add(result, result));
  return program(scene.results({result}));
}

const std::vector<Convolved>& convolutions() {
  static const std::vector<Convolved> all{
      {{2, 30, 12, 12}, {40, 30, 3, 3}, 1, 1, 1, "tiles of 6 x 8, one chain over k, left packed"},
      {{2, 30, 4, 3}, {40, 30, 3, 3}, 1, 1, 1, "lines adjoin, left packed"},
      {{1, 30, 11, 12}, {40, 30, 3, 3}, 2, 1, 1, "one chain over k, left packed"},
      {{2, 200, 9, 9}, {40, 200, 1, 1}, 2, 0, 1, "one chain over k, left packed"},
      {{2, 60, 6, 6}, {80, 30, 3, 3}, 1, 1, 2, "left packed"},
      {{1, 71, 4, 12}, {8, 71, 3, 3}, 1, 1, 1, "k in blocks of 315, left packed"},
      {{2, 71, 4, 6}, {8, 71, 3, 3}, 1, 1, 1, "k in blocks of 315, "},
      {{1, 71, 3, 4, 5}, {40, 71, 2, 2, 2}, 1, 1, 1, "k in blocks of "},
      {{1, 100, 40}, {40, 100, 3}, 1, 1, 1, "one chain over k, left packed"},
      {{1, 40, 12, 12}, {32, 40, 3, 3}, 1, 1, 1, "left packed", true},
      {{1, 30, 12, 12},
       {40, 30, 3, 3},
       1,
       1,
       1,
       "left packed",
       false,
       std::numeric_limits<double>::infinity()},
      {{1, 30, 9, 10}, {40, 30, 2, 4}, 2, 0, 1, "lines adjoin, left packed", false, 0.5, 2},
      {{1, 30, 12, 15}, {40, 30, 2, 4}, 3, 0, 1, "lines adjoin, left packed", false, 0.5, 3},
      {{2, 30, 13, 18}, {40, 30, 2, 4}, 2, 1, 1, "left packed", false, 0.5, 4},
  };
  return all;
}

TEST_CASE("filters and pixels: convolutions have the bits of scalar loops, in any order of cores") {
  for (const Convolved& c : convolutions()) {
    INFO(c.plan << " of " << c.kernel.size() - 2 << " axes, " << c.input[1] << " channels");
    const auto built = convolution(c);
    const auto wide = test::scheduled_for_cpu(built, vectors),
               narrow = test::scheduled_for_cpu(built, scalars);
    std::string text;
    for (const auto& schedule : wide.schedules) text += print(schedule);
    CHECK_MESSAGE(text.find("product of filters and pixels") != std::string::npos, text);
    CHECK_MESSAGE(text.find(c.plan) != std::string::npos, text);
    std::mt19937 random(1);
    std::vector<dlvm::Tensor> inputs{drawn(c.input, random), drawn(c.kernel, random)};
    inputs[1].set(0, c.first);
    const auto expected = codegen::schedule::interpret(narrow, inputs, {});
    for (const std::uint32_t order : {0U, 2U}) {
      const auto one = codegen::schedule::interpret(wide, inputs, {}, order);
      CHECK(one.error.value_or("") == "");
      CHECK(one.outputs == expected.outputs);
    }
  }
}

TEST_CASE("filters and pixels: filters that are packed before have the same bits") {
  for (const Convolved& c : convolutions()) {
    if (c.groups > 1 || c.is_adjoint) continue;  // these are not frozen
    INFO(c.plan << " of " << c.kernel.size() - 2 << " axes, " << c.input[1] << " channels");
    codegen::kernel::Program program = convolution(c);
    const auto packed = test::scheduled_for_cpu(program, vectors);
    const auto operands = codegen::schedule::cpu::freeze_operands(program, {1}, vectors);
    REQUIRE(operands.size() == 1);
    CHECK(operands[0].input == 1);
    const auto frozen = test::scheduled_for_cpu(program, vectors);
    CHECK(print(frozen.schedules[0]).find("left panels") != std::string::npos);
    std::mt19937 random(1);
    std::vector<dlvm::Tensor> inputs{drawn(c.input, random), drawn(c.kernel, random)};
    inputs[1].set(0, c.first);
    const auto expected = codegen::schedule::interpret(packed, inputs, {});
    const auto pack = test::scheduled_for_cpu(codegen::program_of({operands[0].pack}), vectors);
    const std::vector<dlvm::Tensor> filters{inputs[1]};
    inputs.push_back(codegen::schedule::interpret(pack, filters, {}).outputs.at(0));
    CHECK(codegen::schedule::interpret(frozen, inputs, {}).outputs == expected.outputs);
  }
}

}  // namespace
}  // namespace kernel_tests
