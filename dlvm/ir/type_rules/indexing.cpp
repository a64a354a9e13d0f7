// Defines the type rules of gathers and scatters, and of instructions that make tensors without operands.
#include "dlvm/ir/type_rules/parts.h"

namespace dlvm::type_rules {
namespace {

/// Adjacent axes `axes` of `shape` replaced by `inner`.
Shape replaced(const Shape& shape, const Integers& axes, const Shape& inner) {
  Shape result(shape.begin(), shape.begin() + axes.front());
  result.insert(result.end(), inner.begin(), inner.end());
  result.insert(result.end(), shape.begin() + axes.back() + 1, shape.end());
  return result;
}

bool indexes(const Type& input, std::span<const Type> indices, const Integers& axes, std::string& why) {
  if (!axes_of(axes, input.rank(), why)) return false;
  if (axes.empty() || axes.size() != indices.size()) {
    why = fmt::format("{} indices for {} axes", indices.size(), axes.size());
    return false;
  }
  for (std::size_t i = 1; i < axes.size(); ++i)
    if (axes[i] != axes[0] + static_cast<std::int64_t>(i)) {
      why = "the axes are not adjacent";
      return false;
    }
  for (const Type& index : indices) {
    if (!is_integer(index.element())) {
      why = fmt::format("an index of type {}", index.text());
      return false;
    }
    if (index.shape() != indices[0].shape()) return same(index, indices[0], why);
  }
  return true;
}

}  // namespace

TYPE_RULE(gather) {
  if (!all_tensors(s, why)) return std::nullopt;
  const auto indices = s.operands.subspan(1);
  if (!indexes(s.operands[0], indices, integers(s, 0), why)) return std::nullopt;
  return s.operands[0].with_shape(replaced(s.operands[0].shape(), integers(s, 0), indices[0].shape()));
}

TYPE_RULE(scatter) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type &updates = s.operands[0], &input = s.operands[1];
  const auto indices = s.operands.subspan(2);
  const Integers& axes = integers(s, 1);
  if (!indexes(input, indices, axes, why)) return std::nullopt;
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why)) return std::nullopt;
  if (!same(updates, input.with_shape(replaced(input.shape(), axes, indices[0].shape())), why))
    return std::nullopt;
  return input;
}

TYPE_RULE(iota) {
  const ElementType element = std::get<ElementType>(s.attributes[2]);
  if (!accepted(d, element, why) || !one_axis(integers(s, 1), extents(s, 0).size(), why)) return std::nullopt;
  return Type::tensor(element, extents(s, 0));
}

TYPE_RULE(random) {
  const Type& low = s.operands[0];
  if (!all_tensors(s, why)) return std::nullopt;
  if (!low.is_scalar()) return fail(why, "bounds are scalars, not " + low.text());
  if (!accepted(d, low.element(), why) || !same(low, s.operands[1], why)) return std::nullopt;
  for (const Type& word : s.operands.subspan(2))
    if (!same(word, Type::scalar(ElementType::u64), why)) return std::nullopt;
  return low.with_shape(extents(s, 0));
}

}  // namespace dlvm::type_rules
