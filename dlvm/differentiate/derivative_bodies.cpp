#include "dlvm/differentiate/derivative_bodies.h"

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/shared_functions.h"
#include "dlvm/differentiate/adjoint_graph.h"
#include "dlvm/differentiate/copy_body.h"
#include "dlvm/differentiate/custom_adjoint.h"
#include "dlvm/differentiate/leaf_cotangents.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm {

DerivativeBodies::Reverse DerivativeBodies::reverse(
    Builder& builder, const Function& of, const std::vector<Value*>& arguments, const std::vector<bool>& wrt,
    const Extent::Substitution& names, const std::vector<Value*>& seeds, const std::vector<Value*>& onto) {
  if (of.adjoint != nullptr) {
    CalledAdjoint called = call_adjoint(builder, of, arguments, wrt, seeds, onto);
    return {called.result, std::move(called.cotangents)};
  }
  const std::unique_ptr<Function> loop =
      options_.without_recursion ? options_.without_recursion(of) : nullptr;
  const BodyCopy copy = copy_body(builder, loop ? *loop : of, arguments, names);
  const Type type = of.type().result().substitute(names);
  if (copy.exit == nullptr) {  // what stands behind it is never reached
    builder = Builder(*builder.function().add_block("unreached"));
    std::size_t at = 0;
    const std::vector<Value*> none(leaf_count(type));
    return {assembled(builder, type, none, at), onto};
  }
  return {copy.result, build_cotangents(builder, {copy, arguments, wrt, seeds, onto}, dependence_, *this)};
}

BodyWithTangents DerivativeBodies::forward(Builder& builder, const Function& of,
                                           const std::vector<Value*>& arguments,
                                           const std::vector<Value*>& tangents,
                                           const Extent::Substitution& names, const std::vector<bool>& from) {
  if (of.adjoint != nullptr) return forward_declared(builder, of, arguments, tangents, from);
  const std::unique_ptr<Function> loop =
      options_.without_recursion ? options_.without_recursion(of) : nullptr;
  const BodyCopy copy = copy_body(builder, loop ? *loop : of, arguments, names);
  const Type type = of.type().result().substitute(names);
  if (copy.exit == nullptr) {  // what stands behind it is never reached
    builder = Builder(*builder.function().add_block("unreached"));
    std::size_t at = 0;
    return {assembled(builder, type, std::vector<Value*>(from.size()), at), std::vector<Value*>(from.size())};
  }
  BodyWithTangents body =
      build_tangents(builder.function(), {copy, arguments, tangents, from}, dependence_, *this);
  builder = Builder(*copy.exit);
  return body;
}

// The adjoint computes v * J, which is linear in the cotangents v: its derivative by v, with the tangents t
// as cotangents, is J * t, and nothing uses v * J.
BodyWithTangents DerivativeBodies::forward_declared(Builder& builder, const Function& of,
                                                    const std::vector<Value*>& arguments,
                                                    const std::vector<Value*>& tangents,
                                                    const std::vector<bool>& from) {
  BodyWithTangents body{builder.apply(&of, arguments), std::vector<Value*>(from.size())};
  std::vector<Value*> given = arguments, seeds;
  std::vector<bool> wrt(arguments.size());
  std::vector<std::size_t> numbers;  // of the results behind the arguments
  std::vector<Instruction*> cotangents;
  for (std::size_t i = 0; i < from.size(); ++i) {
    Value* result = element_of(builder, body.result, i);
    if (!is_differentiable(result->type())) continue;
    // Any cotangent will do, but a literal has no derivative.
    cotangents.push_back(as_instruction(builder.unary(Opcode::detach, zeros(builder, result->type()))));
    given.push_back(cotangents.back());
    wrt.push_back(from[i]);
    numbers.push_back(i);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (is_differentiable(arguments[i]->type())) seeds.push_back(tangents[i]);
  Extent::Substitution names;  // the adjoint's dimensions may have names of their own
  unify_lists(of.adjoint->type().parameters(), given, names);
  const Reverse transposed =
      reverse(builder, *of.adjoint, given, wrt, names, seeds, std::vector<Value*>(given.size()));
  for (Instruction* cotangent : cotangents) {
    replace_all_uses(*cotangent, *cotangent->operand(0));
    cotangent->block()->erase(cotangent);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    body.tangents[numbers[i]] = transposed.cotangents[arguments.size() + i];
  return body;
}

const Function* DerivativeBodies::adjoint(const Sweep::Calls::Wanted& wanted) {
  Function*& known = adjoints_[wanted];
  if (known != nullptr) return known;
  const Function& callee = *wanted.callee;
  std::vector<Type> parameters = callee.type().parameters(), derivatives;
  const std::vector<Type> inputs = leaves(Type::tuple(parameters)), results = leaves(callee.type().result());
  for (std::size_t i = 0; i < results.size(); ++i)
    if (wanted.from[i]) parameters.push_back(results[i]);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (wanted.wrt[i]) derivatives.push_back(inputs[i]);
    if (wanted.onto[i]) parameters.push_back(inputs[i]);
  }
  if (is_shared(callee)) derivatives.insert(derivatives.end(), results.begin(), results.end());
  known = module_.add_function(module_.fresh_name(callee.name() + ".adjoint"),
                               Type::function(std::move(parameters), Type::tuple(std::move(derivatives))));
  known->attributes = callee.attributes;
  known->location = callee.location;
  pending_adjoints_.push_back({wanted, known});
  return known;
}

void DerivativeBodies::build(const Adjoint& adjoint) {
  const Sweep::Calls::Wanted& wanted = adjoint.wanted;
  const Function& of = *wanted.callee;
  BasicBlock* entry = adjoint.function->add_entry(argument_names(of));
  std::vector<Value*> arguments;
  std::size_t next = 0;
  const auto take = [&] { return static_cast<Value*>(entry->arguments()[next++].get()); };
  const auto take_each = [&](const std::vector<bool>& mask) {
    std::vector<Value*> values;
    for (const bool taken : mask) values.push_back(taken ? take() : nullptr);
    return values;
  };
  while (next < of.type().parameters().size()) arguments.push_back(take());
  const auto seeds = take_each(wanted.from), onto = take_each(wanted.onto);
  Builder b(*entry);
  const Reverse body = reverse(b, of, arguments, wanted.wrt, {}, seeds, onto);
  b.set_locations({});
  const std::vector<Type> types = leaves(Type::tuple(of.type().parameters()));
  std::vector<Value*> out;
  for (std::size_t i = 0; i < wanted.wrt.size(); ++i)
    if (wanted.wrt[i]) out.push_back(body.cotangents[i] != nullptr ? body.cotangents[i] : zeros(b, types[i]));
  if (is_shared(of)) append_leaves(b, body.result, out);
  b.return_(b.tuple(std::move(out)));
  if (of.adjoint != nullptr) erase_unused(body.result);
  copy_requirements(*adjoint.function, of, {});
  remove_unused(*adjoint.function);
}

const Function* DerivativeBodies::with_tangents(const TangentCalls::Wanted& wanted) {
  Function*& known = with_tangents_[wanted];
  if (known != nullptr) return known;
  const Function& callee = *wanted.callee;
  std::vector<Type> parameters = callee.type().parameters(), returned{callee.type().result()};
  const std::vector<Type> inputs = leaves(Type::tuple(parameters)), results = leaves(callee.type().result());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (wanted.wrt[i]) parameters.push_back(inputs[i]);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (wanted.from[i]) returned.push_back(results[i]);
  known = module_.add_function(module_.fresh_name(callee.name() + ".tangent"),
                               Type::function(std::move(parameters), Type::tuple(std::move(returned))));
  known->attributes = callee.attributes;
  known->location = callee.location;
  pending_tangents_.push_back({wanted, known});
  return known;
}

void DerivativeBodies::build(const WithTangents& called) {
  const auto& [wanted, function] = called;
  const Function& of = *wanted.callee;
  BasicBlock* entry = function->add_entry(argument_names(of));
  std::vector<Value*> arguments, tangents;
  std::size_t next = 0;
  while (next < of.type().parameters().size()) arguments.push_back(entry->arguments()[next++].get());
  for (const bool has_tangent : wanted.wrt)
    tangents.push_back(has_tangent ? entry->arguments()[next++].get() : nullptr);
  Builder b(*entry);
  const BodyWithTangents body = forward(b, of, arguments, tangents, {}, wanted.from);
  b.set_locations({});
  const std::vector<Type> types = leaves(of.type().result());
  std::vector<Value*> out{body.result};
  for (std::size_t i = 0; i < types.size(); ++i)
    if (wanted.from[i]) out.push_back(body.tangents[i] != nullptr ? body.tangents[i] : zeros(b, types[i]));
  b.return_(b.tuple(std::move(out)));
  copy_requirements(*function, of, {});
  remove_unused(*function);
}

const Function* DerivativeBodies::build_next() {
  const auto next = [&](auto& pending) -> const Function* {
    if (pending.empty()) return nullptr;
    const auto called = pending.front();
    pending.pop_front();
    build(called);
    return called.function;
  };
  const Function* built = next(pending_adjoints_);
  return built != nullptr ? built : next(pending_tangents_);
}

void DerivativeBodies::forget() {
  adjoints_.clear();
  with_tangents_.clear();
}

}  // namespace dlvm
