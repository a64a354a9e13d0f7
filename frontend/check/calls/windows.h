// Convolution and pooling share what is here: the settings of the windows that go over an operand.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dlvm/ir/window.h"
#include "frontend/check/calls/builtins.h"

namespace frontend::check {

/// The windows of one call over the axes behind batch and channels. In the functions of a net, which are
/// checked for dimensions that stand for themselves too, a setting may be any extent; an instance has
/// constants.
struct Windows {
  std::vector<Extent> taps, strides, dilations;
  std::vector<std::pair<Extent, Extent>> padding;
  bool constant = true;  ///< strides, dilations and taps are constants

  std::size_t axes() const { return taps.size(); }
  /// Returns the positions from the first to the last tap of a window.
  Extent span(std::size_t axis) const { return (taps[axis] - 1) * dilations[axis] + 1; }
  /// Returns the number of windows on an axis of that extent.
  Extent positions(std::size_t axis, const Extent& extent) const;
};

/// Reads the settings of one call, and reports what is wrong with them.
class WindowReader {
 public:
  WindowReader(BodyContext& context, const BuiltinCall& call) : context_(context), call_(call) {}

  /// Checks that the operand has a batch and channels over one to three axes.
  bool has_axes(const Node* x, std::string_view what);
  /// Returns one number for each axis, `otherwise` without the argument.
  std::optional<std::vector<Extent>> numbers(std::size_t argument, std::size_t axes, std::int64_t least,
                                             const std::vector<Extent>& otherwise);
  std::optional<std::vector<std::pair<Extent, Extent>>> padding(std::size_t argument, std::size_t axes);
  /// Returns whether the numbers are constants; reports those that are not where they must be.
  std::optional<bool> constant(std::size_t argument, const std::vector<Extent>& numbers);
  /// Requires that the windows fit the axes of `x`.
  bool fit(const Windows& windows, const Node* x);

 private:
  Location place(std::size_t argument) const {
    const BuiltinArgument& given = call_.arguments[argument];
    return given.given ? given.location : call_.location;
  }

  BodyContext& context_;
  const BuiltinCall& call_;
};

/// Returns the integers of constant extents.
dlvm::Integers integers_of(const std::vector<Extent>& extents);

/// Makes a value of that shape, and the element type of `x`, in the check of a net's function for dimensions
/// that stand for themselves. Such a body is never computed.
Node* make_sample(BodyContext& context, const BuiltinCall& call, Shape shape);

}  // namespace frontend::check
