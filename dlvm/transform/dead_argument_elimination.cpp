#include "dlvm/transform/dead_argument_elimination.h"

#include <algorithm>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/needed_parts.h"

namespace dlvm {
namespace {

/// The positions of a function's parameters, and of the elements of its result, that stay, in order.
struct KeptParts {
  std::vector<std::size_t> parameters, results;
  bool all = true;
};

KeptParts kept_parts(const Function& function, const NeededParts& needed) {
  KeptParts kept;
  const Type& type = function.type();
  for (std::size_t i = 0; i < type.parameters().size(); ++i)
    if (needed.needs_parameter(function, i)) kept.parameters.push_back(i);
  kept.all = kept.parameters.size() == type.parameters().size();
  if (!type.result().is_tuple()) return kept;
  for (std::size_t i = 0; i < type.result().elements().size(); ++i)
    if (needed.needs_result(function, i)) kept.results.push_back(i);
  kept.all = kept.all && kept.results.size() == type.result().elements().size();
  return kept;
}

Type type_of(const Type& type, const KeptParts& kept) {
  std::vector<Type> parameters, results;
  for (const std::size_t i : kept.parameters) parameters.push_back(type.parameters()[i]);
  if (!type.result().is_tuple()) return Type::function(std::move(parameters), type.result());
  for (const std::size_t i : kept.results) results.push_back(type.result().elements()[i]);
  return Type::function(std::move(parameters), Type::tuple(std::move(results)));
}

/// Calls with the arguments that stay. The elements of the result have new positions; what takes the tuple as
/// a whole is dead, or needs all elements.
void rewrite_call(Instruction& call, const KeptParts& kept) {
  Builder builder(*call.block(), &call);
  builder.set_locations(call.locations());
  std::vector<Value*> arguments;
  for (const std::size_t i : kept.parameters) arguments.push_back(call.operand(i));
  Value* made = builder.apply(Apply(call).callee(), std::move(arguments));
  made->set_name(call.name());
  if (made->type() == call.type()) return replace_all_uses(call, *made);
  const std::vector<Instruction*> users = call.users();
  for (Instruction* user : users) {
    const auto extract = as<Extract>(*user);
    const auto place = extract ? std::ranges::find(kept.results, extract.position()) : kept.results.end();
    if (place == kept.results.end()) continue;
    user->set_attribute(0, Integers{place - kept.results.begin()});
    user->set_operand(0, made);
  }
}

/// The uses that are left are dead.
void remove_call(Instruction& call) {
  Function& function = call.block()->function();
  if (!call.users().empty()) replace_all_uses(call, *default_value(function, call.type()));
  call.block()->erase(&call);
}

void remove_parameters(Function& function, const KeptParts& kept) {
  BasicBlock& entry = function.entry();
  for (std::size_t i = entry.arguments().size(); i-- > 0;) {
    if (std::ranges::find(kept.parameters, i) != kept.parameters.end()) continue;
    Argument& argument = *entry.arguments()[i];
    if (!argument.users().empty()) replace_all_uses(argument, *default_value(function, argument.type()));
    entry.remove_argument(i);
  }
}

void rewrite_returns(Function& function, const KeptParts& kept) {
  for (const auto& block : function.blocks()) {
    Instruction* end = block->terminator();
    if (end->opcode() != Opcode::return_ || end->operands().empty()) continue;
    Value* whole = end->operand(0);
    const Instruction* made = match(whole, Opcode::literal);
    Builder builder(*block, end);
    builder.set_locations(end->locations());
    std::vector<Value*> elements;
    for (const std::size_t i : kept.results)
      elements.push_back(made != nullptr ? made->operand(i)
                                         : builder.extract(whole, static_cast<std::int64_t>(i)));
    Value* shorter = builder.tuple(std::move(elements));
    shorter->set_name(whole->name());
    end->set_operand(0, shorter);
  }
}

}  // namespace

bool dead_argument_elimination(Module& module) {
  if (!has_internal_functions(module)) return false;  // mostly all calls are inlined
  const bool changed = dead_code_elimination(module);
  const NeededParts needed(module);
  std::vector<std::pair<Function*, KeptParts>> shrinking;
  for (const auto& function : module.functions()) {
    if (!needed.is_only_called(*function)) continue;
    KeptParts kept = kept_parts(*function, needed);
    if (!kept.all) shrinking.emplace_back(function.get(), std::move(kept));
  }
  if (shrinking.empty()) return changed;
  for (auto& [function, kept] : shrinking) {
    const Type type = type_of(function->type(), kept);
    if (!(type.result() == function->type().result())) rewrite_returns(*function, kept);
    function->set_type(type);
  }
  std::vector<Instruction*> replaced;
  for (const auto& [function, kept] : shrinking)
    for (Instruction* call : needed.calls(*function)) {
      rewrite_call(*call, kept);
      replaced.push_back(call);
    }
  for (Instruction* call : replaced) call->drop_operands();  // they may use each other
  for (Instruction* call : replaced) remove_call(*call);
  for (const auto& [function, kept] : shrinking) remove_parameters(*function, kept);
  dead_code_elimination(module);
  return true;
}

}  // namespace dlvm
