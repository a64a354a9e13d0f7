#include "dlvm/ir/type_rules/parts.h"

#include <algorithm>
#include <set>

#include "dlvm/ir/function.h"

namespace dlvm {

std::optional<Shape> broadcast_shapes(const Shape& a, const Shape& b, std::string& why) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape result(rank);
  for (std::size_t i = 1; i <= rank; ++i) {
    const Extent left = i <= a.size() ? a[a.size() - i] : Extent(1);
    const Extent right = i <= b.size() ? b[b.size() - i] : Extent(1);
    if (left == right || right.is(1)) {
      result[rank - i] = left;
    } else if (left.is(1)) {
      result[rank - i] = right;
    } else {
      why = fmt::format("[{}] and [{}] do not broadcast: {} against {}", text(a), text(b), left.text(),
                        right.text());
      return std::nullopt;
    }
  }
  return result;
}

namespace type_rules {

bool all_tensors(const Signature& s, std::string& why) {
  for (const Type& type : s.operands)
    if (!type.is_tensor()) {
      why = "operand of type " + type.text() + " is not a tensor";
      return false;
    }
  return true;
}

bool accepted(const InstructionDefinition& d, ElementType element, std::string& why) {
  if (accepts(d, element)) return true;
  why = fmt::format("does not take elements of type {}", info(element).name);
  return false;
}

bool axes_of(const Integers& axes, std::size_t rank, std::string& why) {
  std::set<std::int64_t> seen;
  for (const std::int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) {
      why = fmt::format("axis {} of a tensor of rank {}", axis, rank);
      return false;
    }
    if (!seen.insert(axis).second) {
      why = fmt::format("axis {} is named twice", axis);
      return false;
    }
  }
  return true;
}

bool one_axis(const Integers& axes, std::size_t rank, std::string& why) {
  if (axes.size() != 1) {
    why = "takes one axis";
    return false;
  }
  return axes_of(axes, rank, why);
}

bool combines(const Combinator& combinator, ElementType element, std::string& why) {
  if (combinator.function != nullptr) {
    const Type scalar = Type::scalar(element);
    if (combinator.function->type() == Type::function({scalar, scalar}, scalar)) return true;
    why = fmt::format("@{} does not take two {} and return one", combinator.function->name(),
                      info(element).name);
    return false;
  }
  const InstructionDefinition& d = definition(combinator.opcode);
  if (!d.is(Trait::associative)) {
    why = fmt::format("{} does not combine elements", d.name);
    return false;
  }
  if (!accepts(d, element)) {
    why = fmt::format("{} does not take elements of type {}", d.name, info(element).name);
    return false;
  }
  return true;
}

}  // namespace type_rules
}  // namespace dlvm
