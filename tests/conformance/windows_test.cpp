// Convolutions and reductions of windows with random attributes, and their adjoints, on a target.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "dlvm/differentiate/transposes.h"
#include "tests/conformance/target.h"
#include "tests/support/random_windows.h"

using namespace conformance;

namespace {

/// Numbers between -1.5 and 1.5, divided by `scale`; small integers.
Tensor drawn(std::mt19937_64& random, ElementType element, const std::vector<std::int64_t>& extents,
             double scale = 1) {
  Tensor tensor(element, extents);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, is_floating(element) ? static_cast<double>(test::draw(random, -15, 15)) / 10 / scale
                                       : static_cast<double>(test::draw(random, 0, 9)));
  return tensor;
}

void check(const Cases& cases) {
  for (const std::string& wrong : disagreements(cases)) FAIL_CHECK(wrong);
}

/// The convolution, or its adjoint by an operand from the result doubled.
void add_convolution(Cases& cases, const std::string& name, const test::RandomConvolution& c,
                     std::vector<Tensor> inputs, int adjoint, bool free = false) {
  cases.add(
      name, std::move(inputs),
      [&](Builder& b, const Arguments& a) {
        std::vector<WindowAxis> axes = c.axes;
        Value* result = b.convolve(a[0], a[1], axes, c.groups);
        if (adjoint < 0) return result;
        return transposes::convolve(b, *as_instruction(result), static_cast<std::size_t>(adjoint),
                                    b.add(result, result));
      },
      free);
}

}  // namespace

TEST_CASE("convolutions with random attributes and their adjoints") {
  constexpr ElementType elements[]{ElementType::f32, ElementType::f64, ElementType::f32, ElementType::f16,
                                   ElementType::i32};
  std::mt19937_64 random(1);
  Cases cases;
  for (std::size_t i = 0; i < 40; ++i) {
    const auto c = test::random_convolution(random, i % 4 == 0 ? 20 : 3);
    const ElementType element = elements[i % std::size(elements)];
    const int adjoint = is_floating(element) ? static_cast<int>(i % 3) - 1 : -1;
    const std::vector<Tensor> inputs{drawn(random, element, c.input), drawn(random, element, c.kernel)};
    add_convolution(cases, fmt::format("convolve{}", i), c, inputs, adjoint);
  }
  check(cases);
}

TEST_CASE("convolutions over named extents and their adjoints") {
  std::mt19937_64 random(2);
  Cases cases;
  for (std::size_t i = 0; i < 12; ++i) {
    // The channels agree by their numbers alone; batch, filters and spatial extents are named.
    auto c = test::random_convolution(random);
    c.input[1] = c.kernel[1] = c.groups = 1;
    const std::vector<Tensor> inputs{drawn(random, ElementType::f32, c.input),
                                     drawn(random, ElementType::f32, c.kernel)};
    add_convolution(cases, fmt::format("named{}", i), c, inputs, static_cast<int>(i % 3) - 1, true);
  }
  check(cases);
}

TEST_CASE("convolutions as large as a layer's") {
  std::mt19937_64 random(3);
  Cases cases;
  const auto add = [&](const std::string& name, test::Extents input, test::Extents kernel,
                       std::int64_t stride, std::int64_t low, std::int64_t dilation = 1) {
    test::RandomConvolution c{std::move(input), std::move(kernel), {}, 1};
    for (std::size_t i = 2; i < c.input.size(); ++i) {
      c.axes.push_back({c.input[i], c.kernel[i], stride});
      c.axes.back().low = c.axes.back().high = low;
      c.axes.back().right_dilation = dilation;
    }
    const std::vector<Tensor> inputs{drawn(random, ElementType::f32, c.input, 8),
                                     drawn(random, ElementType::f32, c.kernel, 8)};
    for (int adjoint = -1; adjoint < 2; ++adjoint)
      add_convolution(cases, fmt::format("{}_{}", name, adjoint + 1), c, inputs, adjoint);
  };
  add("pointwise", {2, 40, 9, 9}, {33, 40, 1, 1}, 1, 0);
  add("pointwise_of_whole_vectors", {1, 64, 6, 6}, {40, 64, 1, 1}, 1, 0);
  add("square", {2, 20, 15, 15}, {18, 20, 3, 3}, 1, 1);
  add("strided", {2, 20, 14, 14}, {18, 20, 3, 3}, 2, 1);
  add("strided_pointwise", {2, 40, 8, 8}, {24, 40, 1, 1}, 2, 0);
  add("wide", {1, 3, 28, 28}, {6, 3, 5, 5}, 1, 2);
  add("one_filter", {3, 1, 20, 20}, {1, 1, 5, 5}, 1, 2);
  add("one_filter_dilated", {2, 2, 20, 23}, {1, 2, 3, 3}, 1, 2, 2);
  add("one_filter_far_outside", {2, 1, 20, 20}, {1, 1, 3, 3}, 1, 4);
  add("one_filter_3d", {2, 2, 5, 6, 19}, {1, 2, 3, 2, 3}, 1, 1);
  add("one_channel", {3, 1, 20, 20}, {5, 1, 5, 5}, 1, 2);
  add("one_channel_and_nine_taps", {2, 1, 18, 27}, {5, 1, 3, 3}, 1, 1);
  add("three_vectors", {2, 2, 6, 12}, {4, 2, 3, 3}, 1, 1);
  add("one_channel_of_whole_vectors", {2, 1, 11, 34}, {7, 1, 3, 3}, 1, 0);
  add("one_channel_1d", {2, 1, 90}, {5, 1, 7}, 1, 3);
  add("two_channels_dilated", {2, 2, 20, 23}, {5, 2, 3, 3}, 1, 2, 2);
  add("few_filters_1d", {2, 3, 70}, {5, 3, 7}, 1, 3);
  add("few_filters_3d", {2, 2, 5, 6, 19}, {4, 2, 3, 2, 3}, 1, 1);
  add("few_strided_filters", {2, 3, 20, 20}, {6, 3, 3, 3}, 2, 1);
  add("more_filters_than_terms", {1, 58, 2, 4}, {530, 58, 3, 3}, 1, 1);
  add("more_filters_than_terms_pointwise", {1, 523, 4, 5}, {530, 523, 1, 1}, 2, 0);
  check(cases);
}

TEST_CASE("taps outside of the input contribute nothing, whatever the other operand is") {
  std::mt19937_64 random(5);
  Cases cases;
  const auto add = [&](const std::string& name, test::Extents input, test::Extents kernel,
                       std::int64_t stride, std::int64_t low, std::int64_t dilation = 1,
                       ElementType element = ElementType::f32, std::int64_t groups = 1) {
    test::RandomConvolution c{std::move(input), std::move(kernel), {}, groups};
    for (std::size_t i = 2; i < c.input.size(); ++i) {
      c.axes.push_back({c.input[i], c.kernel[i], stride});
      c.axes.back().low = c.axes.back().high = low;
      c.axes.back().right_dilation = dilation;
    }
    for (const double special : {INFINITY, NAN})
      for (int adjoint = -1; adjoint < 2; ++adjoint) {
        std::vector<Tensor> inputs{drawn(random, element, c.input, 8), drawn(random, element, c.kernel, 8)};
        // A corner of the kernel, and an element inside of the input, so that sums of all kinds remain.
        Tensor& changed = inputs[adjoint == 1 ? 0 : 1];
        changed.set(adjoint == 1 ? changed.size() / 2 : 0, special);
        add_convolution(cases,
                        fmt::format("{}_{}_{}", name, adjoint + 1, std::isnan(special) ? "nan" : "inf"), c,
                        inputs, adjoint);
      }
  };
  add("square", {2, 20, 15, 15}, {18, 20, 3, 3}, 1, 1);
  add("strided", {2, 20, 14, 14}, {18, 20, 3, 3}, 2, 1);
  add("wide", {1, 3, 28, 28}, {6, 3, 5, 5}, 1, 2);
  add("double", {1, 3, 13, 13}, {6, 3, 3, 3}, 1, 1, 1, ElementType::f64);
  add("half", {1, 3, 13, 13}, {6, 3, 3, 3}, 1, 1, 1, ElementType::f16);
  add("long", {1, 70, 9, 9}, {9, 70, 3, 3}, 1, 1);
  add("one_filter", {3, 1, 20, 20}, {1, 1, 5, 5}, 1, 2);
  add("one_filter_dilated", {2, 2, 20, 23}, {1, 2, 3, 3}, 1, 2, 2);
  add("one_filter_far_outside", {2, 1, 20, 20}, {1, 1, 3, 3}, 1, 4);
  add("one_channel_1d", {2, 1, 90}, {5, 1, 7}, 1, 3);
  add("two_channels_dilated", {2, 2, 20, 23}, {5, 2, 3, 3}, 1, 2, 2);
  add("few_filters_3d", {2, 2, 5, 6, 19}, {4, 2, 3, 2, 3}, 1, 1);
  add("groups", {2, 6, 9, 9}, {4, 3, 3, 3}, 1, 1, 1, ElementType::f32, 2);
  add("depthwise", {2, 5, 9, 9}, {5, 1, 3, 3}, 1, 1, 1, ElementType::f32, 5);
  check(cases);
}

TEST_CASE("reductions of windows with random attributes and their adjoints") {
  constexpr Opcode combinators[]{Opcode::add, Opcode::max, Opcode::min, Opcode::multiply};
  constexpr ElementType elements[]{ElementType::f32, ElementType::f16, ElementType::i32, ElementType::f64};
  std::mt19937_64 random(4);
  Cases cases;
  for (std::size_t i = 0; i < 48; ++i) {
    const auto w = test::random_window(random, i % 5 == 0 ? 4 : 2);
    const ElementType element = elements[i / 4 % std::size(elements)];
    const Combinator by{combinators[i % std::size(combinators)], nullptr};
    const bool adjoint = is_floating(element) && i % 3 == 0,
               identity = i % 2 == 0 && !by.is(Opcode::multiply);
    cases.add(fmt::format("window{}", i), {drawn(random, element, w.input)},
              [&](Builder& b, const Arguments& a) {
                const double neutral = by.is(Opcode::add) ? 0 : by.is(Opcode::max) ? -INFINITY : INFINITY;
                Value* initial = b.constant(element, identity && is_floating(element) ? neutral : 1);
                Value* result = b.reduce_window(a[0], by, initial, w.axes);
                if (!adjoint) return result;
                return transposes::reduce_window(b, *as_instruction(result), 0, b.splat(result->type(), 0.5));
              });
  }
  check(cases);
}
