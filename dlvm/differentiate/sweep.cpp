#include "dlvm/differentiate/sweep.h"

#include <algorithm>
#include <set>

#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/shared_functions.h"
#include "dlvm/differentiate/accumulate.h"
#include "dlvm/differentiate/leaf_cotangents.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"

namespace dlvm {

bool Sweep::is_active(const Value* value, std::size_t leaf) const {
  const auto found = active_.find(value);
  return found != active_.end() && found->second[leaf];
}

void Sweep::add(const Value* to, std::size_t leaf, Value* cotangent) {
  if (cotangent == nullptr || !is_active(to, leaf)) return;
  Leaves& of = cotangents_[to];
  if (of.empty()) of.resize(leaf_count(to->type()));
  of[leaf] = of[leaf] == nullptr ? cotangent : accumulated(builder_, of[leaf], cotangent);
}

Value* Sweep::cotangent(const Value* of, std::size_t leaf) const {
  const auto found = cotangents_.find(of);
  return found == cotangents_.end() ? nullptr : found->second[leaf];
}

void Sweep::run(const std::vector<Instruction*>& body) {
  for (auto at = body.rbegin(); at != body.rend(); ++at) {
    const auto found = cotangents_.find(*at);
    const Shadow* shadow = shadow_of(**at);
    if (found == cotangents_.end() && shadow == nullptr) continue;
    Leaves cotangents;
    if (found != cotangents_.end()) {
      cotangents = std::move(found->second);
      cotangents_.erase(found);
    }
    builder_.set_locations((*at)->locations());
    if (shadow != nullptr)
      visit_stack(**at, cotangents, *shadow);
    else
      visit(**at, cotangents);
  }
}

namespace {

/// The formulas of 16-bit floats are computed in float32, their constants too, and rounded once.
bool is_widened(const Instruction& primal) {
  const ElementType element = primal.type().element();
  return primal.is(Trait::elementwise) && (element == ElementType::f16 || element == ElementType::bf16);
}
Value* widened(Builder& builder, Value* value) {
  const Literal* literal = as_literal(value);
  if (literal != nullptr && literal->splat())
    return builder.splat(value->type().with_element(ElementType::f32), *literal->splat());
  return builder.cast(value, ElementType::f32);
}
/// Converts back to `element`; a value that was only widened is returned as it was before.
Value* narrowed(Builder& builder, Value* value, ElementType element) {
  const Instruction* cast = as_instruction(value);
  const bool is_cast = cast != nullptr && cast->opcode() == Opcode::dataTypeCast;
  if (is_cast && cast->operand(0)->type().element() == element) return cast->operand(0);
  return builder.cast(value, element);
}

}  // namespace

Value* Sweep::by_partial(Instruction& primal, const Partials& row, std::size_t operand, Value* cotangent) {
  const bool wide = is_widened(primal);
  const auto expression = [&](Value* value) {
    return Expression{&builder_, wide && value != nullptr ? widened(builder_, value) : value};
  };
  Value* y = primal.operands().size() > 1 ? primal.operand(1) : nullptr;
  const Primal seen{expression(primal.operand(0)), expression(y), expression(&primal), &primal};
  Partial partial = row.by[operand](seen);
  if (wide && partial.value != nullptr)
    partial.value = narrowed(builder_, partial.value, primal.type().element());
  // Through an instruction of one operand a sign goes on to the product, where another may cancel it.
  const Instruction* negated = primal.operands().size() == 1 ? match(cotangent, Opcode::negate) : nullptr;
  Value* product = scaled(builder_, negated != nullptr ? negated->operand(0) : cotangent, partial);
  if (negated != nullptr && product != nullptr) product = negative(builder_, product);
  return product == nullptr ? nullptr : unbroadcast(builder_, product, primal.operand(operand)->type());
}

/// The scatter that a gather's cotangent was, where `add` has built another one. It is of this gather alone.
void Sweep::remove_if_replaced(const Instruction& primal, const Value* operand, Value* cotangent) {
  if (primal.opcode() != Opcode::gather || cotangent == nullptr) return;
  Instruction* scatter = match(cotangent, Opcode::scatter);
  if (scatter != nullptr && scatter->users().empty() && this->cotangent(operand) != scatter)
    builder_.block().erase(scatter);
}

void Sweep::visit(Instruction& primal, const Leaves& cotangents) {
  const auto& rule = derivative(primal.opcode()).rule;
  if (std::holds_alternative<Structural>(rule)) return visit_structural(primal, cotangents);
  const auto each = [&](auto cotangent_of) {
    for (std::size_t i = 0; i < primal.operands().size(); ++i)
      if (is_active(primal.operand(i)) && derivative_edge(primal, i) == Edge::smooth) {
        Value* cotangent = cotangent_of(i);
        add(primal.operand(i), 0, cotangent);
        remove_if_replaced(primal, primal.operand(i), cotangent);
      }
  };
  if (const auto* partials = std::get_if<Partials>(&rule))
    each([&](std::size_t i) { return by_partial(primal, *partials, i, cotangents[0]); });
  else if (const auto* linear = std::get_if<Linear>(&rule))
    each([&](std::size_t i) { return linear->transpose(builder_, primal, i, cotangents[0]); });
  else if (const auto* own = std::get_if<CustomRule>(&rule))
    each([&](std::size_t i) { return own->reverse(builder_, primal, i, cotangents[0]); });
}

void Sweep::visit_structural(Instruction& primal, const Leaves& cotangents) {
  const auto& operands = primal.operands();
  const auto pass = [&](std::size_t operand, std::size_t inner, std::size_t outer, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(operands[operand], inner + i, cotangents[outer + i]);
  };
  if (primal.opcode() == Opcode::apply) {
    visit_call(primal, cotangents);
  } else if (primal.opcode() == Opcode::literal) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t count = leaf_count(operands[i]->type());
      pass(i, 0, at, count);
      at += count;
    }
  } else if (const auto extract = as<Extract>(primal)) {
    pass(0, leaf_offset(operands[0]->type().components(), extract.position()), 0, cotangents.size());
  } else if (const auto insert = as<Insert>(primal)) {
    const std::size_t first = leaf_offset(primal.type().components(), insert.position());
    const std::size_t count = leaf_count(operands[0]->type());
    pass(0, 0, first, count);
    pass(1, 0, 0, first);
    pass(1, first + count, first + count, cotangents.size() - first - count);
  }
}

/// One call of the callee's adjoint: by the leaves that vary and reach a result with a cotangent, from the
/// results that they reach.
void Sweep::visit_call(Instruction& primal, const Leaves& cotangents) {
  if (calls_ == nullptr) internal_error("a call where none may stand");
  struct Leaf {
    Value* operand;
    std::size_t leaf;
  };
  const Function& callee = *Apply(primal).callee();
  std::vector<Leaf> parameters;
  for (Value* operand : primal.operands())
    for (std::size_t leaf = 0; leaf < leaf_count(operand->type()); ++leaf)
      parameters.push_back({operand, leaf});
  std::vector<bool> wrt(parameters.size()), from(cotangents.size()), onto(parameters.size());
  for (std::size_t result = 0; result < cotangents.size(); ++result) {
    if (cotangents[result] == nullptr) continue;
    const auto& paths = dependence_.of_result(callee, result);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (has(paths[i], Edge::smooth) && is_active(parameters[i].operand, parameters[i].leaf))
        wrt[i] = from[result] = true;
  }
  if (std::find(wrt.begin(), wrt.end(), true) == wrt.end()) return;
  std::vector<Value*> arguments = primal.operands();
  for (std::size_t result = 0; result < cotangents.size(); ++result)
    if (from[result]) arguments.push_back(cotangents[result]);
  std::set<std::pair<const Value*, std::size_t>> given;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Value* known = wrt[i] ? cotangent(parameters[i].operand, parameters[i].leaf) : nullptr;
    if (known == nullptr || !given.insert({parameters[i].operand, parameters[i].leaf}).second) continue;
    onto[i] = true;
    arguments.push_back(known);
    cotangents_.at(parameters[i].operand)[parameters[i].leaf] = nullptr;
  }
  const Function* adjoint = calls_->adjoint({&callee, wrt, from, onto});
  if (is_shared(callee)) call_joint(primal, *adjoint);
  Value* call = builder_.apply(adjoint, std::move(arguments));
  std::int64_t position = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (wrt[i]) add(parameters[i].operand, parameters[i].leaf, builder_.extract(call, position++));
}

/// The adjoint of a shared function returns the function's results behind the derivatives. The primal becomes
/// a call of it with cotangents of zero, so that code generation sees that the two calls compute the same.
void Sweep::call_joint(Instruction& primal, const Function& adjoint) {
  Builder builder(*primal.block(), &primal);
  builder.set_locations(primal.locations());
  const std::vector<Type>& parameters = adjoint.type().parameters();
  std::vector<Value*> arguments = primal.operands();
  while (arguments.size() < parameters.size())
    arguments.push_back(zeros(builder, parameters[arguments.size()]));
  Value* call = builder.apply(&adjoint, std::move(arguments));
  std::vector<Value*> results;
  const std::size_t count = leaf_count(primal.type()), all = adjoint.type().result().elements().size();
  for (std::size_t i = all - count; i < all; ++i)
    results.push_back(builder.extract(call, static_cast<std::int64_t>(i)));
  std::size_t at = 0;
  replace_all_uses(primal, *assembled(builder, primal.type(), results, at));
}

const Sweep::Shadow* Sweep::shadow_of(const Instruction& primal) const {
  const Opcode opcode = primal.opcode();
  if (opcode != Opcode::push && opcode != Opcode::peek && opcode != Opcode::pop) return nullptr;
  const auto found = shadows_.find(primal.operands().back());
  return found == shadows_.end() ? nullptr : &found->second;
}

void Sweep::visit_stack(Instruction& primal, const Leaves& cotangents, const Shadow& shadow) {
  const bool alone = shadow.leaves.size() == 1;
  const Type record = alone ? shadow.types[0] : Type::tuple(shadow.types);
  std::vector<Value*> leaves;
  if (primal.opcode() != Opcode::pop) {
    Value* top = builder_.pop(record, shadow.stack);
    for (std::size_t i = 0; i < shadow.leaves.size(); ++i)
      leaves.push_back(alone ? top : builder_.extract(top, static_cast<std::int64_t>(i)));
  }
  if (primal.opcode() == Opcode::push) {
    for (std::size_t i = 0; i < leaves.size(); ++i) add(primal.operand(0), shadow.leaves[i], leaves[i]);
    return;
  }
  for (std::size_t i = 0; i < shadow.leaves.size(); ++i) {
    Value* own = cotangents.empty() ? nullptr : cotangents[shadow.leaves[i]];
    if (primal.opcode() == Opcode::pop)
      leaves.push_back(own != nullptr ? own : zeros(builder_, shadow.types[i]));
    else if (own != nullptr)
      leaves[i] = builder_.add(leaves[i], own);
  }
  builder_.push(alone ? leaves[0] : builder_.tuple(std::move(leaves)), shadow.stack);
}

}  // namespace dlvm
