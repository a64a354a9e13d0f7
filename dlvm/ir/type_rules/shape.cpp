// Defines the type rules of reshaping and slicing instructions, and of those that read or check extents.
#include "dlvm/ir/type_rules/parts.h"

namespace dlvm::type_rules {

TYPE_RULE(pad_shape) {
  if (!all_tensors(s, why) || !one_axis(integers(s, 0), s.operands[0].rank() + 1, why)) return std::nullopt;
  Shape shape = s.operands[0].shape();
  shape.insert(shape.begin() + integers(s, 0)[0], Extent(1));
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(squeeze_shape) {
  if (!all_tensors(s, why) || !one_axis(integers(s, 0), s.operands[0].rank(), why)) return std::nullopt;
  Shape shape = s.operands[0].shape();
  const auto at = shape.begin() + integers(s, 0)[0];
  if (!at->is(1)) return fail(why, fmt::format("the axis has extent {}, not 1", at->text()));
  shape.erase(at);
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(shape_cast) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Shape& to = extents(s, 0);
  const Extent before = unit_count(s.operands[0].shape()), after = unit_count(to);
  // Where the dimensions leave it open, the function's requirements (or the interpreter) settle it.
  if (provably_equal(before, after) == Proof::no)
    return fail(why, fmt::format("[{}] has {} elements, [{}] has {}", text(s.operands[0].shape()),
                                 before.text(), text(to), after.text()));
  return s.operands[0].with_shape(to);
}

TYPE_RULE(transpose) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Shape& from = s.operands[0].shape();
  if (std::holds_alternative<std::monostate>(s.attributes[0]))
    return s.operands[0].with_shape(Shape(from.rbegin(), from.rend()));
  const Integers& permutation = integers(s, 0);
  if (permutation.size() != from.size()) return fail(why, "the permutation is not of the tensor's rank");
  if (!axes_of(permutation, from.size(), why)) return std::nullopt;
  Shape shape;
  for (const auto axis : permutation) shape.push_back(from[static_cast<std::size_t>(axis)]);
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(reverse) {
  if (!all_tensors(s, why) || !axes_of(integers(s, 0), s.operands[0].rank(), why)) return std::nullopt;
  return s.operands[0];
}

TYPE_RULE(slice) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Shape& whole = s.operands[0].shape();
  const Shape &from = extents(s, 0), &upto = extents(s, 1);
  const bool stepped = std::holds_alternative<Integers>(s.attributes[2]);
  if (from.size() != whole.size() || upto.size() != whole.size() ||
      (stepped && integers(s, 2).size() != whole.size()))
    return fail(why, "a bound for each axis");
  Shape shape;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::int64_t step = stepped ? integers(s, 2)[i] : 1;
    if (step < 1) return fail(why, "a step is at least 1");
    if (provably_at_most(0, from[i]) == Proof::no || provably_at_most(from[i], upto[i]) == Proof::no ||
        provably_at_most(upto[i], whole[i]) == Proof::no)
      return fail(why, fmt::format("{} upto {} is outside the extent {} of axis {}", from[i].text(),
                                   upto[i].text(), whole[i].text(), i));
    shape.push_back(Extent::floor_divide(upto[i] - from[i] + Extent(step - 1), step));
  }
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(concatenate) {
  if (!all_tensors(s, why)) return std::nullopt;
  if (s.operands.empty()) return fail(why, "nothing to concatenate");
  Shape shape = s.operands[0].shape();
  if (!one_axis(integers(s, 0), shape.size(), why)) return std::nullopt;
  const auto axis = static_cast<std::size_t>(integers(s, 0)[0]);
  for (const Type& operand : s.operands.subspan(1)) {
    Shape expected = operand.shape();
    if (expected.size() == shape.size()) expected[axis] = shape[axis];
    if (expected != shape || operand.element() != s.operands[0].element())
      return fail(why, fmt::format("{} and {} along axis {}", s.operands[0].text(), operand.text(), axis));
    shape[axis] = shape[axis] + operand.shape()[axis];
  }
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(pad) {
  if (!all_tensors(s, why)) return std::nullopt;
  const auto& amounts = std::get<ExtentPairs>(s.attributes[0]);
  Shape shape = s.operands[0].shape();
  if (amounts.size() != shape.size()) return fail(why, "a pair of amounts for each axis");
  if (!same(s.operands[1], Type::scalar(s.operands[0].element()), why)) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (provably_at_most(0, amounts[i].first) == Proof::no ||
        provably_at_most(0, amounts[i].second) == Proof::no)
      return fail(why, "an amount is at least 0");
    shape[i] = amounts[i].first + shape[i] + amounts[i].second;
  }
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(broadcast) {
  if (!all_tensors(s, why)) return std::nullopt;
  const auto joined = broadcast_shapes(s.operands[0].shape(), extents(s, 0), why);
  if (!joined) return std::nullopt;
  if (*joined != extents(s, 0))
    return fail(
        why, fmt::format("[{}] does not stretch to [{}]", text(s.operands[0].shape()), text(extents(s, 0))));
  return s.operands[0].with_shape(extents(s, 0));
}

TYPE_RULE(extent) {
  const ElementType element = std::get<ElementType>(s.attributes[1]);
  if (!accepted(d, element, why)) return std::nullopt;
  if (extents(s, 0).size() != 1) return fail(why, "takes one extent");
  return Type::scalar(element);
}

TYPE_RULE(check_index) {
  if (!all_tensors(s, why) || !accepted(d, s.operands[0].element(), why)) return std::nullopt;
  if (extents(s, 0).size() != 1 || extents(s, 1).size() != 1)
    return fail(why, "takes one bound on each side");
  return s.operands[0];
}

TYPE_RULE(rank) {
  if (!all_tensors(s, why)) return std::nullopt;
  return Type::scalar(ElementType::i64);
}

TYPE_RULE(shape) {
  if (!all_tensors(s, why)) return std::nullopt;
  return Type::tensor(ElementType::i64, {Extent(static_cast<std::int64_t>(s.operands[0].rank()))});
}

TYPE_RULE(unit_count) { return rank(d, s, why); }

}  // namespace dlvm::type_rules
