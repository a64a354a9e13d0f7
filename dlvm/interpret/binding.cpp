// Binding the names of symbolic extents by actual extents.
#include <fmt/format.h>

#include "dlvm/interpret/interpret.h"

namespace dlvm {
namespace {

struct Axis {
  std::string place;  ///< "%x: axis 0"
  const Extent* pattern;
  std::int64_t actual;
};

/// Lists the axes of all tensors in `type`; what does not have its structure or rank is returned as text.
std::optional<std::string> collect(const Type& type, const RuntimeValue& value, const std::string& place,
                                   std::vector<Axis>& axes) {
  if (type.is_aggregate()) {
    if (value.is_tensor() || value.elements().size() != type.component_count())
      return fmt::format("{} is not {}", place, type.text());
    for (std::size_t i = 0; i < type.component_count(); ++i)
      if (auto wrong =
              collect(type.component(i), value.elements()[i], fmt::format("{}, element {}", place, i), axes))
        return wrong;
    return std::nullopt;
  }
  // The extents in an enum are numbers, and those behind a pointer belong to its memory.
  if ((type.is_enumeration() || type.is_pointer() || type.is_box()) && !value.is_tensor())
    return std::nullopt;
  if (type.is_stack() && value.is_stack()) return std::nullopt;
  const bool is_undefined = !value.is_tensor() && !value.is_stack() && value.elements().empty();
  if (type.kind() == Type::Kind::function && (value.function() != nullptr || is_undefined))
    return std::nullopt;
  if (!type.is_tensor() || !value.is_tensor()) return fmt::format("{} is not {}", place, type.text());
  const Tensor& tensor = value.tensor();
  if (tensor.extents().size() != type.rank())
    return fmt::format("{} has rank {}, not {} ({})", place, tensor.extents().size(), type.rank(),
                       type.text());
  for (std::size_t i = 0; i < type.rank(); ++i)
    axes.push_back({fmt::format("{}: axis {}", place, i), &type.shape()[i], tensor.extents()[i]});
  return std::nullopt;
}

/// The only name in `extent` that `bindings` lack; nothing where there is none or more than one.
std::optional<std::string> only_unknown(const Extent& extent, const Extent::Bindings& bindings) {
  std::set<std::string> names;
  extent.collect_names(names);
  std::optional<std::string> unknown;
  for (const auto& name : names)
    if (!bindings.contains(name)) {
      if (unknown) return std::nullopt;
      unknown = name;
    }
  return unknown;
}

bool linear_in(const Extent& extent, const std::string& name) {
  for (const auto& term : extent.terms()) {
    int occurrences = 0;
    for (const auto& atom : term.atoms) {
      if (atom.floor) {
        std::set<std::string> inside;
        atom.floor->numerator.collect_names(inside);
        atom.floor->denominator.collect_names(inside);
        if (inside.contains(name)) return false;
      } else if (atom.name == name && ++occurrences > 1) {
        return false;
      }
    }
  }
  return true;
}

/// Solves `axis` for `name`, its only unknown, where it is linear in it and the solution is an extent.
bool solve(const Axis& axis, const std::string& name, Extent::Bindings& bindings) {
  if (!linear_in(*axis.pattern, name)) return false;
  const auto value_at = [&](std::int64_t value) {
    Extent::Bindings with = bindings;
    with[name] = value;
    return axis.pattern->evaluate(with);
  };
  const auto offset = value_at(0), first = value_at(1);
  std::int64_t scale = 0, difference = 0;
  if (!offset || !first || __builtin_sub_overflow(*first, *offset, &scale) ||
      __builtin_sub_overflow(axis.actual, *offset, &difference) || scale == 0)
    return false;
  if (scale == -1 ? difference == INT64_MIN : difference % scale != 0) return false;
  if (difference / scale < 0) return false;
  bindings[name] = difference / scale;
  return true;
}

}  // namespace

std::vector<std::string> bind_dimensions(std::span<const TypedValue> values, Extent::Bindings& bindings) {
  std::vector<std::string> wrong;
  std::vector<Axis> axes;
  for (const TypedValue& value : values)
    if (auto text = collect(*value.type, *value.value, value.name, axes)) wrong.push_back(std::move(*text));

  for (const Axis& axis : axes)
    if (const auto name = axis.pattern->name()) bindings.try_emplace(*name, axis.actual);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Axis& axis : axes)
      if (const auto name = only_unknown(*axis.pattern, bindings)) changed |= solve(axis, *name, bindings);
  }
  for (const Axis& axis : axes) {
    const auto expected = axis.pattern->evaluate(bindings);
    if (!expected)
      wrong.push_back(
          fmt::format("{} has extent {}, which {} cannot be", axis.place, axis.actual, axis.pattern->text()));
    else if (*expected != axis.actual && axis.pattern->constant())
      wrong.push_back(fmt::format("{} has extent {}, not {}", axis.place, axis.actual, *expected));
    else if (*expected != axis.actual)
      wrong.push_back(fmt::format("{} has extent {}, not {} = {}", axis.place, axis.actual,
                                  axis.pattern->text(), *expected));
  }
  return wrong;
}

}  // namespace dlvm
