#include <algorithm>
#include <limits>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

/// Changes the shape and no element's position in row-major order.
bool is_reshape(const Instruction& i) { return i.is(Trait::reshape) && i.is(Trait::bijective); }

Value* reshape_nothing(Instruction& i, Builder&) {
  return i.is(Trait::reshape) && i.type() == i.operand(0)->type() ? i.operand(0) : nullptr;
}
Value* slice_nothing(Instruction& i, Builder&) {
  const Slice slice(i);
  const Type& whole = slice.input()->type();
  const bool from_start = std::ranges::all_of(slice.first(), [](const Extent& e) { return e.is(0); });
  return from_start && slice.end() == whole.shape() && i.type() == whole ? slice.input() : nullptr;
}
Value* pad_nothing(Instruction& i, Builder&) {
  const Pad pad(i);
  const auto is_nothing = [](const auto& pair) { return pair.first.is(0) && pair.second.is(0); };
  return std::ranges::all_of(pad.amounts(), is_nothing) ? pad.input() : nullptr;
}
Value* reshape_reshape(Instruction& i, Builder& b) {
  const Instruction* x = is_reshape(i) ? as_instruction(i.operand(0)) : nullptr;
  if (x == nullptr || !is_reshape(*x)) return nullptr;
  return b.shape_cast(x->operand(0), i.type().shape());
}

bool is_identity(const Integers& permutation) {
  return std::is_sorted(permutation.begin(), permutation.end());
}
Value* transpose_nothing(Instruction& i, Builder&) {
  const Transpose transpose(i);
  return is_identity(transpose.permutation()) ? transpose.input() : nullptr;
}
Value* transpose_transpose(Instruction& i, Builder& b) {
  const Transpose outer(i);
  const auto x = as<Transpose>(outer.input());
  if (!x) return nullptr;
  const Integers inner = x.permutation();
  Integers both;
  for (const auto axis : outer.permutation()) both.push_back(inner[static_cast<std::size_t>(axis)]);
  return is_identity(both) ? x.input() : b.transpose(x.input(), std::move(both));
}
Value* reverse_nothing(Instruction& i, Builder&) {
  const Reverse reverse(i);
  return reverse.axes().empty() ? reverse.input() : nullptr;
}
Value* reverse_reverse(Instruction& i, Builder& b) {
  const Reverse outer(i);
  const auto x = as<Reverse>(outer.input());
  if (!x) return nullptr;
  Integers once;
  const auto add_missing = [&](const Integers& from, const Integers& other) {
    for (const auto axis : from)
      if (std::ranges::find(other, axis) == other.end()) once.push_back(axis);
  };
  add_missing(outer.axes(), x.axes());
  add_missing(x.axes(), outer.axes());
  std::ranges::sort(once);
  return once.empty() ? x.input() : b.reverse(x.input(), std::move(once));
}
Value* slice_slice(Instruction& i, Builder& b) {
  const Slice outer(i);
  const auto x = as<Slice>(outer.input());
  if (!x || outer.has_steps() || x.has_steps()) return nullptr;
  Shape from, upto;
  for (std::size_t axis = 0; axis < i.type().rank(); ++axis) {
    from.push_back(x.first()[axis] + outer.first()[axis]);
    upto.push_back(x.first()[axis] + outer.end()[axis]);
  }
  std::string why;
  const std::vector<Type> types{x.input()->type()};
  const std::vector<Attribute> attributes{from, upto, Attribute()};
  const auto result = infer_type(Opcode::slice, {types, attributes}, why);
  return result && *result == i.type() ? b.slice(x.input(), from, upto) : nullptr;
}
/// broadcast of broadcast; of an axis that broadcasting would add itself.
Value* broadcast_again(Instruction& i, Builder& b) {
  const Instruction* x = as_instruction(i.operand(0));
  if (x == nullptr) return nullptr;
  const auto added = as<PadShape>(*x);
  const bool leading = added && added.axis() == 0;
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
Value* concatenate_one(Instruction& i, Builder&) { return i.operands().size() == 1 ? i.operand(0) : nullptr; }

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
  return i.type() == i.operand(0)->type() ? i.operand(0) : nullptr;
}
/// A to B to C is A to C where nothing is lost on the way; between integers also where B is not narrower than
/// C, because all of them wrap. From an integer through a float to an integer saturates, which a wrapping
/// conversion does not.
Value* cast_cast(Instruction& i, Builder& b) {
  const Instruction* x = match(i.operand(0), Opcode::dataTypeCast);
  if (x == nullptr) return nullptr;
  const ElementType from = x->operand(0)->type().element(), between = x->type().element(),
                    to = i.type().element();
  const bool wraps =
      is_integer(from) && is_integer(between) && is_integer(to) && info(between).bytes >= info(to).bytes;
  const bool saturates = is_integer(from) && is_floating(between) && is_integer(to) && !is_exact(from, to);
  if (!wraps && (!is_exact(from, between) || saturates)) return nullptr;
  return from == to ? x->operand(0) : b.cast(x->operand(0), to);
}

constexpr RewriteRule rules[]{
    {OpcodeSet::all(), reshape_nothing},
    {{Opcode::slice}, slice_nothing},
    {{Opcode::pad}, pad_nothing},
    {OpcodeSet::all(), reshape_reshape},
    {{Opcode::transpose}, transpose_nothing},
    {{Opcode::transpose}, transpose_transpose},
    {{Opcode::reverse}, reverse_nothing},
    {{Opcode::reverse}, reverse_reverse},
    {{Opcode::slice}, slice_slice},
    {{Opcode::broadcast}, broadcast_again},
    {OpcodeSet::all(), broadcast_operand},
    {OpcodeSet::all(), view_of_filled},
    {OpcodeSet::all(), unary_of_broadcast},
    {{Opcode::concatenate}, concatenate_one},
    {{Opcode::dataTypeCast}, cast_nothing},
    {{Opcode::dataTypeCast}, cast_cast},
};

}  // namespace

std::span<const RewriteRule> shape_rules() { return rules; }

}  // namespace dlvm::algebra
