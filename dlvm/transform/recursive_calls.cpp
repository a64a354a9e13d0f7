#include "dlvm/transform/recursive_calls.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "dlvm/analysis/liveness.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/ssa_updater.h"
#include "dlvm/transform/tuple_leaves.h"

namespace dlvm {

std::vector<RecursiveCall> find_recursive_calls(const Function& function, const ComponentBody& body) {
  std::vector<RecursiveCall> calls;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (body.is_recursive_call(*instruction)) {
        const Function* callee = Apply(*instruction).callee();
        BasicBlock* behind = block->terminator()->successors()[0].block;
        calls.push_back({instruction.get(), callee, body.entry(callee), behind, {}, nullptr, {}});
      }
  return calls;
}

bool take_components(const std::vector<RecursiveCall>& calls) {
  const auto takes = [](const BasicBlock& block) {
    return std::ranges::any_of(block.arguments(),
                               [](const auto& argument) { return has_components(argument->type()); });
  };
  return std::ranges::any_of(
      calls, [&](const RecursiveCall& call) { return takes(*call.callee_entry) || takes(*call.behind); });
}

namespace {

/// A parameter, and a value that is passed to it; null where that is a part of a tuple.
using Passed = std::pair<Argument*, Value*>;

std::vector<Passed> passed_values(const BasicBlock& root, const std::vector<RecursiveCall>& calls) {
  std::vector<Passed> all;
  const auto passed = root.function().entry().terminator()->passed(0);
  for (std::size_t i = 0; i < passed.size(); ++i) all.emplace_back(root.arguments()[i].get(), passed[i]);
  for (const RecursiveCall& call : calls) {
    const auto& parameters = call.callee_entry->arguments();
    const auto& operands = call.apply->operands();
    const bool whole =
        std::ranges::all_of(operands, [](const Value* each) { return !has_components(each->type()); });
    for (std::size_t i = 0; i < parameters.size(); ++i)
      all.emplace_back(parameters[i].get(), whole ? operands[i] : nullptr);
  }
  return all;
}

/// A value and its definitions, by block.
struct LiveValue {
  Value* value;
  std::map<const BasicBlock*, Value*> definitions;
};

std::vector<LiveValue> live_values(const std::vector<RecursiveCall>& calls) {
  std::vector<LiveValue> all;
  std::unordered_map<const Value*, std::size_t> known;
  for (const RecursiveCall& call : calls)
    for (std::size_t i = 0; i < call.popped.size(); ++i) {
      Value* value = call.live[i];
      const auto [place, fresh] = known.try_emplace(value, all.size());
      if (fresh) all.push_back({value, {{defining_block(value), value}}});
      all[place->second].definitions[call.behind] = call.popped[i];
    }
  return all;
}

}  // namespace

void share_unchanged_parameters(const BasicBlock& root, const std::vector<RecursiveCall>& calls) {
  const std::vector<Passed> all = passed_values(root, calls);
  std::unordered_map<const Value*, Value*> known;  // null: nothing was passed yet; itself: it changes
  for (const auto& [parameter, value] : all) known[parameter] = nullptr;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [parameter, passed] : all) {
      const auto found = known.find(passed);
      const bool once = passed != nullptr && defining_block(passed) == &root.function().entry();
      Value* value = found != known.end() ? found->second : once ? passed : parameter;
      Value*& now = known[parameter];
      if (value == nullptr || value == now || now == parameter) continue;
      now = now == nullptr ? value : parameter;
      changed = true;
    }
  }
  for (const auto& [parameter, passed] : all)
    if (Value* value = known[parameter]; value != parameter && !parameter->users().empty())
      replace_all_uses(*parameter, *value);
}

bool find_live_values(const Function& function, std::vector<RecursiveCall>& calls) {
  const ControlFlow flow(function);
  const bool makes_stacks = std::ranges::any_of(function.blocks(), [](const auto& block) {
    return std::ranges::any_of(block->instructions(),
                               [](const auto& each) { return each->opcode() == Opcode::createStack; });
  });
  const Liveness live(flow);
  for (RecursiveCall& call : calls) {
    // In the order of the function, so that the frame does not depend on addresses.
    const auto& values = live.live_in(call.behind);
    for (BasicBlock* block : flow.order()) {
      if (block == &function.entry()) continue;
      for (const auto& argument : block->arguments())
        if (values.contains(argument.get())) call.live.push_back(argument.get());
      for (const auto& instruction : block->instructions())
        if (values.contains(instruction.get())) call.live.push_back(instruction.get());
    }
    const auto can_be_kept = [&](const Value* value) {
      const Type& type = value->type();
      return type.is_tensor() || is_address(type) || (type.is_stack() && !makes_stacks);
    };
    if (!std::ranges::all_of(call.live, can_be_kept)) return false;
  }
  return true;
}

void rename_live_values(const Function& function, const std::vector<RecursiveCall>& calls) {
  const std::vector<LiveValue> values = live_values(calls);
  const ControlFlow flow(function);
  const DominanceFrontiers frontiers(flow);
  for (const auto& [value, definitions] : values) {
    SsaUpdater variable(frontiers, value->type(), value->name());
    for (const auto& [block, definition] : definitions) variable.define(block, definition);
    const std::vector<Instruction*> users = value->users();
    for (Instruction* user : users) {
      const auto defined = definitions.find(user->block());
      Value* here = defined != definitions.end() ? defined->second : variable.at_begin(user->block());
      for (std::size_t i = 0; here != value && i < user->operands().size(); ++i)
        if (user->operand(i) == value) user->set_operand(i, here);
    }
  }
}

}  // namespace dlvm
