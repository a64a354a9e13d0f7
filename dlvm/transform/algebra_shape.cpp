#include <algorithm>
#include <limits>

#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

/// Changes the shape and no element's position in row-major order.
bool is_reshape(const Instruction& i) {
  return i.opcode() == Opcode::shapeCast || i.opcode() == Opcode::padShape ||
         i.opcode() == Opcode::squeezeShape;
}

/// An index map that maps each element to itself.
Value* identity_map(Instruction& i, Builder&) {
  const bool can = is_reshape(i) || i.opcode() == Opcode::broadcast || i.opcode() == Opcode::slice ||
                   i.opcode() == Opcode::pad;
  if (can && i.opcode() != Opcode::slice && i.opcode() != Opcode::pad)
    return i.type() == i.operand(0)->type() ? i.operand(0) : nullptr;
  if (i.opcode() == Opcode::slice) {
    const Shape& whole = i.operand(0)->type().shape();
    const bool from_start =
        std::all_of(i.extents(0).begin(), i.extents(0).end(), [](auto& e) { return e.is(0); });
    return from_start && i.extents(1) == whole && i.type() == i.operand(0)->type() ? i.operand(0) : nullptr;
  }
  if (i.opcode() != Opcode::pad) return nullptr;
  const auto& amounts = std::get<ExtentPairs>(i.attributes()[0]);
  const bool none = std::all_of(amounts.begin(), amounts.end(),
                                [](const auto& pair) { return pair.first.is(0) && pair.second.is(0); });
  return none ? i.operand(0) : nullptr;
}
Value* reshape_reshape(Instruction& i, Builder& b) {
  const Instruction* x = is_reshape(i) ? as_instruction(i.operand(0)) : nullptr;
  if (x == nullptr || !is_reshape(*x)) return nullptr;
  return b.shape_cast(x->operand(0), i.type().shape());
}

Integers permutation(const Instruction& i) {
  if (std::holds_alternative<Integers>(i.attributes()[0])) return i.integers(0);
  Integers reversed;
  for (std::size_t axis = i.type().rank(); axis-- > 0;) reversed.push_back(static_cast<std::int64_t>(axis));
  return reversed;
}
bool is_identity(const Integers& permutation) {
  return std::is_sorted(permutation.begin(), permutation.end());
}
Value* transpose_nothing(Instruction& i, Builder&) {
  return i.opcode() == Opcode::transpose && is_identity(permutation(i)) ? i.operand(0) : nullptr;
}
Value* transpose_transpose(Instruction& i, Builder& b) {
  const Instruction* x = i.opcode() == Opcode::transpose ? match(i.operand(0), Opcode::transpose) : nullptr;
  if (x == nullptr) return nullptr;
  const Integers inner = permutation(*x);
  Integers both;
  for (const auto axis : permutation(i)) both.push_back(inner[static_cast<std::size_t>(axis)]);
  return is_identity(both) ? x->operand(0) : b.transpose(x->operand(0), std::move(both));
}
Value* reverse_nothing(Instruction& i, Builder&) {
  return i.opcode() == Opcode::reverse && i.axes().empty() ? i.operand(0) : nullptr;
}
Value* reverse_reverse(Instruction& i, Builder& b) {
  const Instruction* x = i.opcode() == Opcode::reverse ? match(i.operand(0), Opcode::reverse) : nullptr;
  if (x == nullptr) return nullptr;
  Integers once;
  for (const auto axis : i.axes())
    if (std::find(x->axes().begin(), x->axes().end(), axis) == x->axes().end()) once.push_back(axis);
  for (const auto axis : x->axes())
    if (std::find(i.axes().begin(), i.axes().end(), axis) == i.axes().end()) once.push_back(axis);
  std::sort(once.begin(), once.end());
  return once.empty() ? x->operand(0) : b.reverse(x->operand(0), std::move(once));
}
Value* slice_slice(Instruction& i, Builder& b) {
  const Instruction* x = i.opcode() == Opcode::slice ? match(i.operand(0), Opcode::slice) : nullptr;
  if (x == nullptr || std::holds_alternative<Integers>(i.attributes()[2]) ||
      std::holds_alternative<Integers>(x->attributes()[2]))
    return nullptr;
  Shape from, upto;
  for (std::size_t axis = 0; axis < i.type().rank(); ++axis) {
    from.push_back(x->extents(0)[axis] + i.extents(0)[axis]);
    upto.push_back(x->extents(0)[axis] + i.extents(1)[axis]);
  }
  const Type type = x->operand(0)->type();
  std::string why;
  const std::vector<Type> types{type};
  const std::vector<Attribute> attributes{from, upto, Attribute()};
  const auto result = infer_type(Opcode::slice, {types, attributes}, why);
  return result && *result == i.type() ? b.slice(x->operand(0), from, upto) : nullptr;
}
/// broadcast of broadcast; of an axis that broadcasting would add itself.
Value* broadcast_again(Instruction& i, Builder& b) {
  const Instruction* x = i.opcode() == Opcode::broadcast ? as_instruction(i.operand(0)) : nullptr;
  if (x == nullptr) return nullptr;
  const bool leading = x->opcode() == Opcode::padShape && x->axes()[0] == 0;
  if (x->opcode() != Opcode::broadcast && !leading) return nullptr;
  return stretched(b, x->operand(0), i.type());
}
/// A broadcast operand that the elementwise instruction would stretch itself.
Value* broadcast_operand(Instruction& i, Builder& b) {
  if (!i.is(Trait::elementwise) || i.operands().size() < 2) return nullptr;
  for (std::size_t at = 0; at < i.operands().size(); ++at) {
    const Instruction* x = match(i.operand(at), Opcode::broadcast);
    if (x == nullptr) continue;
    std::vector<Value*> operands = i.operands();
    operands[at] = x->operand(0);
    std::vector<Type> types;
    for (const Value* operand : operands) types.push_back(operand->type());
    std::string why;
    const auto type = infer_type(i.opcode(), {types, i.attributes()}, why);
    if (type && *type == i.type()) return b.create(i.opcode(), std::move(operands), i.attributes());
  }
  return nullptr;
}
/// One scalar everywhere, moved about: one scalar everywhere.
Value* view_of_filled(Instruction& i, Builder& b) {
  if (!i.is(Trait::view) || i.operands().size() != 1 || i.opcode() == Opcode::broadcast) return nullptr;
  const Instruction* x = match(i.operand(0), Opcode::broadcast);
  return x != nullptr && x->operand(0)->type().is_scalar() ? b.broadcast(x->operand(0), i.type().shape())
                                                           : nullptr;
}
/// Computed before it is stretched, not after.
Value* unary_of_broadcast(Instruction& i, Builder& b) {
  if (!i.is(Trait::elementwise) || i.operands().size() != 1) return nullptr;
  const Instruction* x = match(i.operand(0), Opcode::broadcast);
  if (x == nullptr) return nullptr;
  return b.broadcast(b.create(i.opcode(), {x->operand(0)}, i.attributes()), i.type().shape());
}
Value* concatenate_one(Instruction& i, Builder&) {
  return i.opcode() == Opcode::concatenate && i.operands().size() == 1 ? i.operand(0) : nullptr;
}

/// Whether every value of `from` is one of `to`.
bool is_exact(ElementType from, ElementType to) {
  const auto digits = [](ElementType type) {  // of the significand, or of the integer without its sign
    constexpr int floats[]{11, 8, 24, 53};    // f16, bf16, f32, f64
    if (is_floating(type)) return floats[static_cast<int>(type) - static_cast<int>(ElementType::f16)];
    return is_boolean(type) ? 1 : static_cast<int>(info(type).bytes) * 8 - (is_signed(type) ? 1 : 0);
  };
  if (from == to) return true;
  if (is_boolean(to)) return false;
  if (is_floating(from)) {
    if (to == ElementType::f64) return true;
    return to == ElementType::f32 && from != ElementType::f64;
  }
  if (!is_floating(to) && is_signed(from) && !is_signed(to)) return false;
  return digits(from) <= digits(to);
}
Value* cast_nothing(Instruction& i, Builder&) {
  return i.opcode() == Opcode::dataTypeCast && i.type() == i.operand(0)->type() ? i.operand(0) : nullptr;
}
/// A to B to C is A to C where nothing is lost on the way; between integers also where B is not narrower than
/// C, because all of them wrap. From an integer through a float to an integer saturates, which a wrapping
/// conversion does not.
Value* cast_cast(Instruction& i, Builder& b) {
  const Instruction* x =
      i.opcode() == Opcode::dataTypeCast ? match(i.operand(0), Opcode::dataTypeCast) : nullptr;
  if (x == nullptr) return nullptr;
  const ElementType from = x->operand(0)->type().element(), between = x->type().element(),
                    to = i.type().element();
  const bool wraps =
      is_integer(from) && is_integer(between) && is_integer(to) && info(between).bytes >= info(to).bytes;
  const bool saturates = is_integer(from) && is_floating(between) && is_integer(to) && !is_exact(from, to);
  if (!wraps && (!is_exact(from, between) || saturates)) return nullptr;
  return from == to ? x->operand(0) : b.cast(x->operand(0), to);
}

constexpr RewriteRule rules[]{identity_map,      reshape_reshape, transpose_nothing,  transpose_transpose,
                              reverse_nothing,   reverse_reverse, slice_slice,        broadcast_again,
                              broadcast_operand, view_of_filled,  unary_of_broadcast, concatenate_one,
                              cast_nothing,      cast_cast};

}  // namespace

std::span<const RewriteRule> shape_rules() { return rules; }

}  // namespace dlvm::algebra
