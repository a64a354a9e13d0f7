#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dlvm/ir/instruction_table.h"

namespace dlvm {

/// The way in which the taps of a window, or of a convolution's kernel, go over one axis of an operand: tap t
/// of result position o meets position o * stride + t * right_dilation - low of the spread axis, on which the
/// elements of the operand are left_dilation apart. Every other position is outside of the operand.
struct WindowAxis {
  Extent input, taps;
  std::int64_t stride = 1;
  Extent low = 0,
         high = 0;  ///< positions before and after the spread axis; negative ones leave out positions
  std::int64_t left_dilation = 1, right_dilation = 1;

  /// Returns the positions from the first to the last element of the spread axis, and of the taps.
  Extent input_span() const { return (input - 1) * Extent(left_dilation) + 1; }
  Extent tap_span() const { return (taps - 1) * Extent(right_dilation) + 1; }
  /// Returns the number of result positions: those whose taps all are on the padded, spread axis.
  Extent result() const;
};

/// Return the axes of a `reduceWindow` and of a `convolve`, with the defaults filled in; or nothing, and the
/// reason, where the attributes do not fit the operands.
std::optional<std::vector<WindowAxis>> reduce_window_axes(const Type& input,
                                                          std::span<const Attribute> attributes,
                                                          std::string& why);
std::optional<std::vector<WindowAxis>> convolve_axes(const Type& input, const Type& kernel,
                                                     std::span<const Attribute> attributes, std::string& why);

/// The attributes that say the same; one that is the default of all axes is absent.
struct WindowAttributes {
  explicit WindowAttributes(const std::vector<WindowAxis>& axes);
  Attribute strides, padding, left_dilation, right_dilation;
};

}  // namespace dlvm
