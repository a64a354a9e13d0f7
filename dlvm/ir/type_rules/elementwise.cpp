// Defines the type rules of elementwise instructions.
#include "dlvm/ir/type_rules/parts.h"

namespace dlvm::type_rules {

TYPE_RULE(elementwise) {
  if (!all_tensors(s, why)) return std::nullopt;
  const ElementType element = s.operands[0].element();
  if (!accepted(d, element, why)) return std::nullopt;
  const Type* whole = &s.operands[0];
  bool stretches = false;  // mostly there is one shape, and scalars: then no shape is copied
  for (const Type& operand : s.operands.subspan(1)) {
    if (operand.element() != element)
      return fail(why, fmt::format("operands of types {} and {}", s.operands[0].text(), operand.text()));
    if (whole->is_scalar())
      whole = &operand;
    else
      stretches = stretches || (!operand.is_scalar() && operand.shape() != whole->shape());
  }
  const ElementType result = d.is(Trait::comparison) ? ElementType::boolean : element;
  if (!stretches) return result == element ? *whole : whole->with_element(result);
  Shape shape = s.operands[0].shape();
  for (const Type& operand : s.operands.subspan(1)) {
    auto joined = broadcast_shapes(shape, operand.shape(), why);
    if (!joined) return std::nullopt;
    shape = std::move(*joined);
  }
  return Type::tensor(result, std::move(shape));
}

TYPE_RULE(select) {
  if (s.operands[0].kind() == Type::Kind::function) {
    if (!same(s.operands[1], s.operands[0], why) ||
        !same(s.operands[2], Type::scalar(ElementType::boolean), why))
      return std::nullopt;
    return s.operands[0];
  }
  if (!all_tensors(s, why)) return std::nullopt;
  if (s.operands[2].element() != ElementType::boolean)
    return fail(why, "the condition is " + s.operands[2].text());
  if (s.operands[0].element() != s.operands[1].element())
    return fail(why, fmt::format("sides of types {} and {}", s.operands[0].text(), s.operands[1].text()));
  auto shape = broadcast_shapes(s.operands[0].shape(), s.operands[1].shape(), why);
  if (shape) shape = broadcast_shapes(*shape, s.operands[2].shape(), why);
  if (!shape) return std::nullopt;
  return Type::tensor(s.operands[0].element(), std::move(*shape));
}

TYPE_RULE(cast) {
  if (!all_tensors(s, why)) return std::nullopt;
  return s.operands[0].with_element(std::get<ElementType>(s.attributes[0]));
}

TYPE_RULE(bit_cast) {
  if (!all_tensors(s, why)) return std::nullopt;
  const ElementType from = s.operands[0].element(), to = std::get<ElementType>(s.attributes[0]);
  if (is_boolean(from) || is_boolean(to)) return fail(why, "a bool has one bit");
  if (info(from).bytes != info(to).bytes)
    return fail(why, fmt::format("elements of {} have {} bytes, those of {} {}", info(from).name,
                                 info(from).bytes, info(to).name, info(to).bytes));
  return s.operands[0].with_element(to);
}

}  // namespace dlvm::type_rules
