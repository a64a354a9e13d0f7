#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "../kernel/compare.h"
#include "dlvm/differentiate/transposes.h"
#include "tests/support/random_windows.h"

/// Convolutions whose taps are outside of the input where the kernel is not finite: whatever a schedule
/// multiplies there, it adds nothing.
namespace kernel_tests {
namespace {

using dlvm::ElementType;

struct Convolved {
  test::Extents input, kernel;
  std::int64_t stride = 1, padding = 1;
  ElementType element = ElementType::f32;
};

dlvm::Tensor drawn(ElementType element, const test::Extents& extents, std::mt19937_64& random) {
  dlvm::Tensor result(element, extents);
  for (std::size_t i = 0; i < result.size(); ++i)
    result.set(i, static_cast<double>(test::draw(random, -8, 8)) / 8);
  return result;
}

/// The convolution, or its adjoint by an operand from the result doubled. The other operand has an element
/// that is `special`.
std::string differences(const Convolved& c, int adjoint, double special) {
  const auto type = [&](const test::Extents& extents) {
    return tensor(c.element, dlvm::Shape(extents.begin(), extents.end()));
  };
  Scene scene({type(c.input), type(c.kernel)});
  std::vector<dlvm::WindowAxis> axes;
  for (std::size_t i = 2; i < c.input.size(); ++i)
    axes.push_back({c.input[i], c.kernel[i], c.stride, c.padding, c.padding});
  dlvm::Value* result = scene.b.convolve(scene[0], scene[1], axes, 1);
  if (adjoint >= 0)
    result = dlvm::transposes::convolve(scene.b, *dlvm::as_instruction(result),
                                        static_cast<std::size_t>(adjoint), scene.b.add(result, result));
  std::mt19937_64 random(1);
  Call call{{drawn(c.element, c.input, random), drawn(c.element, c.kernel, random)}, {}};
  dlvm::Tensor& changed = call.inputs[adjoint == 1 ? 0 : 1];
  changed.set(adjoint == 1 ? changed.size() / 2 : 0, special);
  return schedule_differences(scene.results({result}), {call}, {{true}, {0, 3}});
}

TEST_CASE("what a kernel that is not finite multiplies outside of the input is no NaN") {
  const Convolved all[]{
      {{1, 8, 4, 5}, {9, 8, 3, 3}, 1, 1, ElementType::f64},  // in threads
      {{1, 64, 3, 3}, {17, 64, 3, 3}},                       // in parts
      {{1, 2, 4, 9}, {4, 2, 3, 3}},                          // over lines
      {{1, 1, 6, 5}, {4, 1, 3, 3}},                          // over lines that adjoin
      {{1, 1, 4, 9}, {1, 1, 3, 3}, 1, 3},                    // over lines that slide, some far outside
      {{1, 2, 6, 6}, {3, 2, 3, 3}, 1, 2},                    // over lines that slide, of three channels
      {{2, 2, 5, 6}, {16, 2, 3, 3}},                         // with lanes of filters in an adjoint
      {{1, 1, 24}, {3, 1, 5}, 1, 2},                         // with lanes along k in an adjoint
  };
  for (const Convolved& c : all)
    for (const int adjoint : {-1, 0, 1})
      for (const double special : {HUGE_VAL, std::nan("")}) {
        if (std::isnan(special) && c.input[1] > 2) continue;  // enough of the slow ones
        INFO(c.input.size(), " axes, ", c.input[1], " channels, adjoint ", adjoint, ", ", special);
        CHECK(differences(c, adjoint, special) == "");
      }
}

TEST_CASE("what an infinite kernel multiplies outside of the input on tensor cores is no NaN") {
  for (const ElementType element : {ElementType::f32, ElementType::f16}) {
    INFO(dlvm::info(element).name);
    CHECK(differences({{1, 8, 8, 9}, {17, 8, 3, 3}, 1, 1, element}, -1, HUGE_VAL) == "");
  }
}

}  // namespace
}  // namespace kernel_tests
