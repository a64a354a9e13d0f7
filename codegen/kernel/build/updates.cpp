#include "codegen/kernel/build/updates.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::as_instruction;
using dlvm::Instruction;
using dlvm::Trait;
using dlvm::Value;

using Values = std::unordered_set<const Value*>;

Values results_of(const dlvm::Function& function) {
  Values results;
  const Instruction* end = function.entry().terminator();
  for (const Value* result : end->operands()) {
    results.insert(result);
    if (const Instruction* tuple = as_instruction(result); tuple != nullptr && !tuple->type().is_tensor())
      results.insert(tuple->operands().begin(), tuple->operands().end());
  }
  return results;
}

class Choice {
 public:
  Choice(const dlvm::Function& function, const std::vector<bool>& overwritable)
      : function_(function), overwritable_(overwritable), results_(results_of(function)) {}

  Updates run() {
    for (find(); !updates_.inputs.empty(); find())
      if (const Instruction* late = first_read_late()) {
        if (helped_.insert(late).second)
          read_before(updates_.inputs.at(late), late);
        else
          copied_.insert(late);
      } else {
        return std::move(updates_);
      }
    return {};
  }

 private:
  /// Whether nothing else keeps the value's memory.
  bool may_be_written(const Value* value) const {
    if (const auto* argument = dlvm::as_argument(value)) return overwritable_[argument->index()];
    return updates_.inputs.contains(value) && !results_.contains(value);
  }

  void find() {
    updates_.inputs.clear();
    Values taken;
    for (const auto& instruction : function_.entry().instructions()) {
      const auto scatter = dlvm::as<dlvm::Scatter>(*instruction);
      if (scatter && !copied_.contains(instruction.get()) && may_be_written(scatter.input()) &&
          taken.insert(scatter.input()).second)
        updates_.inputs[instruction.get()] = scatter.input();
    }
  }

  /// Returns a scatter whose input would be read when it is overwritten; null if there is none.
  const Instruction* first_read_late() const {
    const Graph graph(function_, updates_);
    std::unordered_map<const Value*, const Instruction*> overwritten;  // by the input
    for (const Instruction* node : graph.materialized()) {
      if (graph.is_update(node)) overwritten[updates_.inputs.at(node)] = node;
      for (const Value* value : read(graph, *node))
        if (const auto found = overwritten.find(value); found != overwritten.end()) return found->second;
    }
    return nullptr;
  }

  /// The values in memory from which the node is computed. The input of an update is not among them.
  static std::vector<const Value*> read(const Graph& graph, const Instruction& node) {
    Values seen;
    std::vector<const Value*> open, found;
    for (std::size_t i = 0; i < node.operands().size(); ++i)
      if (!(graph.is_update(&node) && i == 1)) open.push_back(node.operand(i));
    while (!open.empty()) {
      const Value* value = graph.resolve(open.back());
      open.pop_back();
      if (!seen.insert(value).second) continue;
      const Instruction* instruction = as_instruction(value);
      if (instruction == nullptr || graph.is_materialized(value))
        found.push_back(value);
      else
        open.insert(open.end(), instruction->operands().begin(), instruction->operands().end());
    }
    return found;
  }

  /// Materializes what is computed of the value's elements, behind views that show all of them.
  void read_before(const Value* value, const Instruction* update) {
    for (const Instruction* user : value->users()) {
      if (user == update || user->is(Trait::terminator) || !user->type().is_tensor()) continue;
      if (user->is(Trait::bijective))
        read_before(user, update);
      else
        updates_.read_before.insert(user);
    }
  }

  const dlvm::Function& function_;
  const std::vector<bool>& overwritable_;
  const Values results_;
  Updates updates_;
  Values helped_, copied_;
};

}  // namespace

Updates choose_updates(const dlvm::Function& function, const std::vector<bool>& overwritable) {
  if (std::ranges::find(overwritable, true) == overwritable.end()) return {};
  return Choice(function, overwritable).run();
}

std::optional<std::size_t> updated_parameter(const Updates& updates, const Value* value) {
  auto update = updates.inputs.find(value);
  if (update == updates.inputs.end()) return std::nullopt;
  while (update != updates.inputs.end()) {
    value = update->second;
    update = updates.inputs.find(value);
  }
  return dlvm::as_argument(value)->index();
}

}  // namespace codegen::kernel
