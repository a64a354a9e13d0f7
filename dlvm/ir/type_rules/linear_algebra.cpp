// Defines the type rules of contractions and convolutions.
#include "dlvm/ir/type_rules/parts.h"
#include "dlvm/ir/window.h"

namespace dlvm {

DotAxes dot_axes(const Type& left, const Type& right, std::span<const Attribute> attributes) {
  DotAxes axes;
  if (const auto* contract = std::get_if<AxisPairs>(&attributes[0]))
    axes.contract = *contract;
  else if (left.rank() > 0 && right.rank() > 0)
    axes.contract = {{static_cast<std::int64_t>(left.rank()) - 1, 0}};
  if (const auto* batch = std::get_if<AxisPairs>(&attributes[1])) axes.batch = *batch;
  const auto is_free = [&](std::int64_t axis, bool of_left) {
    for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
      for (const auto& [l, r] : *pairs)
        if ((of_left ? l : r) == axis) return false;
    return true;
  };
  for (std::size_t i = 0; i < left.rank(); ++i)
    if (is_free(static_cast<std::int64_t>(i), true)) axes.left_free.push_back(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < right.rank(); ++i)
    if (is_free(static_cast<std::int64_t>(i), false)) axes.right_free.push_back(static_cast<std::int64_t>(i));
  return axes;
}

namespace type_rules {

TYPE_RULE(dot) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type &left = s.operands[0], &right = s.operands[1];
  if (!accepted(d, left.element(), why)) return std::nullopt;
  if (left.element() != right.element())
    return fail(why, fmt::format("operands of types {} and {}", left.text(), right.text()));
  const DotAxes axes = dot_axes(left, right, s.attributes);
  Integers used[2];
  for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
    for (const auto& [l, r] : *pairs) {
      used[0].push_back(l);
      used[1].push_back(r);
    }
  if (!axes_of(used[0], left.rank(), why) || !axes_of(used[1], right.rank(), why)) return std::nullopt;
  for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
    for (const auto& [l, r] : *pairs) {
      const Extent &a = left.shape()[static_cast<std::size_t>(l)],
                   &b = right.shape()[static_cast<std::size_t>(r)];
      if (a != b)
        return fail(why,
                    fmt::format("{} and {}: {} against {}", left.text(), right.text(), a.text(), b.text()));
    }
  Shape shape;
  for (const auto& [l, r] : axes.batch) shape.push_back(left.shape()[static_cast<std::size_t>(l)]);
  for (const auto axis : axes.left_free) shape.push_back(left.shape()[static_cast<std::size_t>(axis)]);
  for (const auto axis : axes.right_free) shape.push_back(right.shape()[static_cast<std::size_t>(axis)]);
  return left.with_shape(std::move(shape));
}

TYPE_RULE(convolve) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type &input = s.operands[0], &kernel = s.operands[1];
  if (!accepted(d, input.element(), why)) return std::nullopt;
  if (input.element() != kernel.element() || input.rank() != kernel.rank())
    return fail(why, fmt::format("operands of types {} and {}", input.text(), kernel.text()));
  if (input.rank() < 3 || input.rank() > 5)
    return fail(why, "takes a batch, channels and 1 to 3 spatial axes, not " + input.text());
  const auto* listed = std::get_if<Integers>(&s.attributes[4]);
  if (listed != nullptr && (listed->size() != 1 || listed->front() < 1))
    return fail(why, "the number of groups is one integer of at least 1");
  const Extent groups = listed != nullptr ? listed->front() : 1;
  const Extent &channels = input.shape()[1], &filters = kernel.shape()[0];
  if (channels != groups * kernel.shape()[1])
    return fail(why, fmt::format("{} channels in {} groups against a kernel of {} channels", channels.text(),
                                 groups.text(), kernel.shape()[1].text()));
  if (!Extent::exact_divide(filters, groups))
    return fail(why, fmt::format("{} groups do not divide {} filters", groups.text(), filters.text()));
  const auto axes = convolve_axes(input, kernel, s.attributes, why);
  if (!axes) return std::nullopt;
  Shape shape{input.shape()[0], filters};
  for (const WindowAxis& axis : *axes) shape.push_back(axis.result());
  return input.with_shape(std::move(shape));
}

}  // namespace type_rules
}  // namespace dlvm
