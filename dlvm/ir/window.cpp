#include "dlvm/ir/window.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlvm {
namespace {

using Axes = std::optional<std::vector<WindowAxis>>;

/// Sets the integers of the attribute, if it is there: one for each axis, at least 1.
bool set_integers(const Attribute& attribute, std::string_view what, std::int64_t WindowAxis::* member,
                  std::vector<WindowAxis>& axes, std::string& why) {
  const auto* list = std::get_if<Integers>(&attribute);
  if (list == nullptr) return true;
  if (list->size() != axes.size()) {
    why = fmt::format("{} {} for {} axes", list->size(), what, axes.size());
    return false;
  }
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i].*member = (*list)[i];
  if (std::ranges::all_of(*list, [](std::int64_t each) { return each >= 1; })) return true;
  why = fmt::format("{} are at least 1", what);
  return false;
}

bool set_padding(const Attribute& attribute, std::vector<WindowAxis>& axes, std::string& why) {
  if (const auto* pairs = std::get_if<ExtentPairs>(&attribute)) {
    if (pairs->size() != axes.size()) {
      why = fmt::format("{} pairs of padding for {} axes", pairs->size(), axes.size());
      return false;
    }
    for (std::size_t i = 0; i < axes.size(); ++i) std::tie(axes[i].low, axes[i].high) = (*pairs)[i];
  }
  if (const auto* padding = std::get_if<WindowPadding>(&attribute))
    for (WindowAxis& axis : axes) {
      const Extent around = axis.tap_span() - 1;
      if (*padding == WindowPadding::half) {
        axis.low = Extent::floor_divide(around, 2);
        axis.high = around - axis.low;
      } else if (*padding == WindowPadding::full) {
        axis.low = axis.high = around;
      }
    }
  return true;
}

bool has_results(const std::vector<WindowAxis>& axes, std::string& why) {
  for (const WindowAxis& axis : axes)
    if (provably_at_most(0, axis.result()) == Proof::no) {
      why = fmt::format("{} taps do not fit an axis of extent {} with padding ({}, {})", axis.taps.text(),
                        axis.input.text(), axis.low.text(), axis.high.text());
      return false;
    }
  return true;
}

}  // namespace

Extent WindowAxis::result() const {
  return Extent::floor_divide(input_span() + low + high - tap_span(), stride) + 1;
}

Axes reduce_window_axes(const Type& input, std::span<const Attribute> attributes, std::string& why) {
  const auto& dims = std::get<Integers>(attributes[1]);
  std::vector<WindowAxis> axes;
  for (std::size_t i = 0; i < dims.size(); ++i) axes.push_back({input.shape()[i], dims[i], 1, 0, 0});
  if (std::ranges::any_of(dims, [](std::int64_t each) { return each < 1; })) {
    why = "the window's extents are at least 1";
    return std::nullopt;
  }
  if (!set_integers(attributes[2], "strides", &WindowAxis::stride, axes, why) ||
      !set_integers(attributes[4], "dilations", &WindowAxis::left_dilation, axes, why) ||
      !set_padding(attributes[3], axes, why) || !has_results(axes, why))
    return std::nullopt;
  return axes;
}

Axes convolve_axes(const Type& input, const Type& kernel, std::span<const Attribute> attributes,
                   std::string& why) {
  std::vector<WindowAxis> axes;
  for (std::size_t i = 2; i < input.rank(); ++i)
    axes.push_back({input.shape()[i], kernel.shape()[i], 1, 0, 0});
  if (!set_integers(attributes[0], "strides", &WindowAxis::stride, axes, why) ||
      !set_integers(attributes[2], "dilations", &WindowAxis::left_dilation, axes, why) ||
      !set_integers(attributes[3], "dilations", &WindowAxis::right_dilation, axes, why) ||
      !set_padding(attributes[1], axes, why) || !has_results(axes, why))
    return std::nullopt;
  return axes;
}

WindowAttributes::WindowAttributes(const std::vector<WindowAxis>& axes) {
  const auto set = [&](std::int64_t WindowAxis::* member) {
    Integers list;
    for (const WindowAxis& axis : axes) list.push_back(axis.*member);
    const bool is_default = std::ranges::all_of(list, [](std::int64_t each) { return each == 1; });
    return is_default ? Attribute() : Attribute(std::move(list));
  };
  strides = set(&WindowAxis::stride);
  left_dilation = set(&WindowAxis::left_dilation);
  right_dilation = set(&WindowAxis::right_dilation);
  ExtentPairs pairs;
  for (const WindowAxis& axis : axes) pairs.emplace_back(axis.low, axis.high);
  if (!std::ranges::all_of(pairs, [](const auto& pair) { return pair.first.is(0) && pair.second.is(0); }))
    padding = std::move(pairs);
}

}  // namespace dlvm
