// Defines the type rules of reductions, scans, sorts and searches.
#include <algorithm>

#include "dlvm/ir/type_rules/parts.h"
#include "dlvm/ir/window.h"

namespace dlvm::type_rules {

TYPE_RULE(reduce) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  const Integers& axes = integers(s, 1);
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why)) return std::nullopt;
  if (!same(s.operands[1], Type::scalar(input.element()), why) || !axes_of(axes, input.rank(), why))
    return std::nullopt;
  Shape shape;
  for (std::size_t i = 0; i < input.rank(); ++i)
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) == axes.end())
      shape.push_back(input.shape()[i]);
  return input.with_shape(std::move(shape));
}

TYPE_RULE(reduce_window) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why) ||
      !same(s.operands[1], Type::scalar(input.element()), why))
    return std::nullopt;
  if (integers(s, 1).size() != input.rank()) return fail(why, "a window has an extent for each axis");
  const auto axes = reduce_window_axes(input, s.attributes, why);
  if (!axes) return std::nullopt;
  Shape shape;
  for (const WindowAxis& axis : *axes) shape.push_back(axis.result());
  return input.with_shape(std::move(shape));
}

TYPE_RULE(scan) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why) ||
      !one_axis(integers(s, 1), input.rank(), why))
    return std::nullopt;
  return input;
}

TYPE_RULE(recurrence) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& factors = s.operands[0];
  if (!accepted(d, factors.element(), why) || !same(factors, s.operands[1], why) ||
      !one_axis(integers(s, 0), factors.rank(), why))
    return std::nullopt;
  return factors;
}

TYPE_RULE(argsort) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!accepted(d, input.element(), why) || !one_axis(integers(s, 1), input.rank(), why)) return std::nullopt;
  const auto* comparison = std::get_if<Combinator>(&s.attributes[0]);
  if (comparison != nullptr && !comparison->is(Opcode::lessThan) && !comparison->is(Opcode::greaterThan))
    return fail(why, "elements are compared by lessThan or by greaterThan");
  return input.with_element(ElementType::i32);
}

TYPE_RULE(sort) {
  const auto positions = argsort(d, s, why);
  if (!positions) return std::nullopt;
  return s.operands[0];
}

TYPE_RULE(topk) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!accepted(d, input.element(), why) || !one_axis(integers(s, 1), input.rank(), why)) return std::nullopt;
  if (extents(s, 0).size() != 1) return fail(why, "takes one count");
  const Extent& count = extents(s, 0)[0];
  Shape shape = input.shape();
  Extent& extent = shape[static_cast<std::size_t>(integers(s, 1)[0])];
  if (provably_at_most(0, count) == Proof::no || provably_at_most(count, extent) == Proof::no)
    return fail(why, fmt::format("{} of the {} elements of the axis", count.text(), extent.text()));
  extent = count;
  return Type::tuple({input.with_shape(shape), Type::tensor(ElementType::i32, shape)});
}

TYPE_RULE(arg_extremum) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!accepted(d, input.element(), why) || !one_axis(integers(s, 0), input.rank(), why)) return std::nullopt;
  Shape shape = input.shape();
  shape.erase(shape.begin() + integers(s, 0)[0]);
  return Type::tensor(ElementType::i32, std::move(shape));
}

}  // namespace dlvm::type_rules
