#include "dlvm/transform/literal_broadcasting_promotion.h"

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// A view whose operands are all the same splat is that splat. An empty result holds no element to differ.
Value* view_of_splats(Instruction& i, Builder& b) {
  if (!i.is(Trait::view)) return nullptr;
  const Literal* first = as_literal(i.operand(0));
  for (const Value* operand : i.operands()) {
    const Literal* literal = as_literal(operand);
    if (literal == nullptr || !literal->is_splat() || !(literal->data() == first->data())) return nullptr;
  }
  return b.function().literal(i.type(), first->data());
}

/// A dense literal all of whose elements are the same bits as a splat.
bool shrink(Instruction& i, std::size_t operand) {
  const Literal* literal = as_literal(i.operand(operand));
  if (literal == nullptr || literal->is_splat() || literal->data().size() == 0) return false;
  const Tensor& data = literal->data();
  const std::size_t bytes = info(data.element()).bytes;
  for (std::size_t at = bytes; at < data.byte_count(); ++at)
    if (data.data()[at] != data.data()[at - bytes]) return false;
  Tensor one(data.element(), {});
  std::copy_n(data.data(), bytes, one.data());
  i.set_operand(operand, i.block()->function().literal(literal->type(), std::move(one)));
  return true;
}

/// The constant that the value is, or that it names.
const Literal* constant(Value* value) {
  const auto named = as<NamedConstant>(value);
  return as_literal(named ? named.constant() : value);
}

/// A splat operand of an elementwise instruction as a scalar, where the result keeps its type.
bool promote(Instruction& i, std::size_t operand) {
  const Literal* literal = constant(i.operand(operand));
  if (literal == nullptr || !literal->is_splat()) return false;
  if (literal == i.operand(operand) && literal->type().is_scalar()) return false;
  std::vector<Type> types;
  for (const Value* each : i.operands()) types.push_back(each->type());
  types[operand] = Type::scalar(literal->type().element());
  std::string why;
  const auto type = infer_type(i.opcode(), {types, i.attributes()}, why);
  if (!type || !(*type == i.type())) return false;
  i.set_operand(operand, i.block()->function().literal(types[operand], literal->data()));
  return true;
}

}  // namespace

bool literal_broadcasting_promotion(Function& function) {
  constexpr RewriteRule rules[]{{OpcodeSet::all(), view_of_splats}};
  bool changed = rewrite(function, rules);
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      for (std::size_t i = 0; i < instruction->operands().size(); ++i) {
        changed = shrink(*instruction, i) || changed;
        if (instruction->is(Trait::elementwise)) changed = promote(*instruction, i) || changed;
      }
  return changed;
}

}  // namespace dlvm
