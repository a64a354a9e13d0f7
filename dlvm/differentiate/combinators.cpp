#include <unordered_map>

#include "dlvm/differentiate/reductions.h"
#include "dlvm/differentiate/sweep.h"
#include "dlvm/ir/identity.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"

namespace dlvm::reductions {
namespace {

/// The body of an elementwise function built on tensors.
Value* map(Builder& b, const Function& function, const std::vector<Value*>& arguments) {
  std::unordered_map<const Value*, Value*> values;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values[function.entry().arguments()[i].get()] = arguments[i];
  const auto value_of = [&](const Value* value) {
    if (const Literal* literal = as_literal(value))
      return static_cast<Value*>(b.function().copy(*literal, literal->type()));
    return values.at(value);
  };
  for (const auto& instruction : function.entry().instructions()) {
    std::vector<Value*> operands;
    for (const Value* operand : instruction->operands()) operands.push_back(value_of(operand));
    if (instruction->is(Trait::terminator)) return operands[0];
    const auto call = as<Apply>(*instruction);
    values[instruction.get()] = call ? map(b, *call.callee(), operands)
                                     : b.create(instruction->opcode(), operands, instruction->attributes());
  }
  internal_error("@" + function.name() + " ends without a terminator");
}

}  // namespace

bool is_identity(const Combinator& by, const Value* value) {
  const Literal* literal = as_literal(value);
  return by.function == nullptr && literal != nullptr &&
         literal->splat() == identity_of(by.opcode, literal->type().element()).real(0);
}

Value* combine(Builder& b, const Combinator& by, Value* x, Value* y) {
  return by.function == nullptr ? b.binary(by.opcode, x, y) : map(b, *by.function, {x, y});
}

CombinatorPartials combinator_partials(Builder& b, const Combinator& by, Value* x, Value* y) {
  const auto& instructions = b.block().instructions();
  const std::size_t before = instructions.size();
  Value* result = combine(b, by, x, y);
  std::vector<Instruction*> body;
  for (auto at = std::next(instructions.begin(), static_cast<std::ptrdiff_t>(before));
       at != instructions.end(); ++at)
    body.push_back(at->get());
  Dependence dependence(derivative_edge);
  Dependence::Leaves varied{{x, {true}}, {y, {true}}};
  for (const Instruction* instruction : body) dependence.add_reached(varied, *instruction);
  const Sweep::Shadows no_stacks;
  Sweep sweep(b, dependence, varied, no_stacks, nullptr);
  sweep.add(result, 0, ones(b, result->type()));
  const auto locations = b.locations();
  sweep.run(body);
  b.set_locations(locations);
  const auto partial = [&](Value* of) {
    Value* cotangent = sweep.cotangent(of);
    if (cotangent == nullptr) return zeros(b, y->type());
    return stretched(b, cotangent, y->type().shape());
  };
  return {partial(x), partial(y)};
}

}  // namespace dlvm::reductions
