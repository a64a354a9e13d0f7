#pragma once

#include <random>
#include <vector>

#include "dlvm/ir/window.h"

/// Random windows with every combination of attributes, for the tests of convolutions and reductions of
/// windows.
namespace test {

using Extents = std::vector<std::int64_t>;

inline std::int64_t draw(std::mt19937_64& random, std::int64_t first, std::int64_t last) {
  return std::uniform_int_distribution<std::int64_t>(first, last)(random);
}

/// An axis with results; strides often leave a remainder, and padding is negative at times.
inline dlvm::WindowAxis random_axis(std::mt19937_64& random, std::int64_t max_input, bool plain = false) {
  for (;;) {
    dlvm::WindowAxis axis{draw(random, 1, max_input), draw(random, 1, 3), draw(random, 1, 3)};
    axis.low = draw(random, plain ? 0 : -1, 3);
    axis.high = draw(random, plain ? 0 : -1, 3);
    if (!plain) axis.left_dilation = draw(random, 1, 3);
    if (!plain) axis.right_dilation = draw(random, 1, 2);
    if (axis.result().constant().value_or(0) >= 1) return axis;
  }
}

struct RandomConvolution {
  Extents input, kernel;
  std::vector<dlvm::WindowAxis> axes;
  std::int64_t groups = 1;
};

inline RandomConvolution random_convolution(std::mt19937_64& random, std::int64_t max_channels = 3) {
  RandomConvolution c;
  const std::int64_t spatial = draw(random, 1, 3);
  c.groups = draw(random, 1, 2) == 1 ? 1 : draw(random, 2, 3);
  const std::int64_t channels = draw(random, 1, max_channels);
  c.input = {draw(random, 1, 2), c.groups * channels};
  c.kernel = {c.groups * draw(random, 1, max_channels), channels};
  for (std::int64_t i = 0; i < spatial; ++i) {
    c.axes.push_back(random_axis(random, spatial == 1 ? 9 : spatial == 2 ? 6 : 3));
    c.input.push_back(*c.axes.back().input.constant());
    c.kernel.push_back(*c.axes.back().taps.constant());
  }
  return c;
}

struct RandomWindow {
  Extents input;
  std::vector<dlvm::WindowAxis> axes;
};

inline RandomWindow random_window(std::mt19937_64& random, std::int64_t max_rank = 3) {
  RandomWindow w;
  for (std::int64_t rank = draw(random, 1, max_rank); rank > 0; --rank) {
    w.axes.push_back(random_axis(random, 5));
    w.axes.back().right_dilation = 1;  // windows have none
    w.input.push_back(*w.axes.back().input.constant());
    if (w.axes.back().result().constant().value_or(0) < 1) w.axes.back().high = 9;
  }
  return w;
}

}  // namespace test
