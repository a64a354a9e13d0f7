#include "codegen/kernel/build/structure.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "codegen/kernel/build/handover.h"
#include "codegen/kernel/build/outline.h"
#include "codegen/kernel/build/program_parts.h"
#include "codegen/kernel/build/program_values.h"
#include "codegen/kernel/build/refusal.h"
#include "dlvm/analysis/dominators.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::BasicBlock;
using dlvm::BlockEdge;
using dlvm::Instruction;
using dlvm::Opcode;

class Structurer {
 public:
  Structurer(const dlvm::Function& function, const std::vector<std::string>& dimensions,
             const BuildBlock& build, dlvm::Diagnostics& diagnostics)
      : function_(function),
        build_(build),
        diagnostics_(diagnostics),
        flow_(function),
        dominators_(flow_),
        parts_(function, dimensions),
        handover_(flow_, parts_) {}

  std::optional<Program> run() {
    if (!check()) return std::nullopt;
    add_outputs();
    name_scopes();
    Scope all{Scope::Kind::block, unique_name("return", scopes_), {}};
    return_ = all.name;
    tree(&function_.entry(), all.body);
    if (failed_) return std::nullopt;
    return parts_.finish({Statement{std::move(all)}});
  }

 private:
  // These functions report what cannot be built.

  bool refuse(std::string_view what, const Instruction* at) {
    return kernel::refuse(what, function_, at, diagnostics_);
  }

  bool check() {
    for (const BasicBlock* block : flow_.order()) {
      if (!flow_.is_reachable(block)) continue;
      const Instruction* end = block->terminator();
      for (const auto& argument : block->arguments())
        if (!argument->type().is_tensor())
          return refuse("a block's argument of type " + argument->type().text(), end);
      for (const auto& instruction : block->instructions()) {
        if (!check_computed(*instruction, diagnostics_)) return false;
        if (!instruction->type().is_tensor() && is_used_outside(*instruction))
          return refuse("a tuple that several blocks use", instruction.get());
      }
      for (const BlockEdge& edge : flow_.predecessors(block))
        if (flow_.is_reachable(edge.from()) && goes_back(edge) && !dominators_.dominates(block, edge.from()))
          return refuse("a loop with several entries", edge.terminator);
    }
    return true;
  }

  static bool is_used_outside(const Instruction& instruction) {
    const auto is_outside = [&](const Instruction* user) {
      return user->block() != instruction.block() ||
             (user->is(dlvm::Trait::terminator) && user->opcode() != Opcode::return_);
    };
    return std::ranges::any_of(instruction.users(), is_outside);
  }

  // These functions find the scopes that the graph of blocks needs.

  bool goes_back(const BlockEdge& edge) const {
    return flow_.position(edge.to()) <= flow_.position(edge.from());
  }
  bool is_loop(const BasicBlock* block) const {
    return std::ranges::any_of(flow_.predecessors(block), [&](const BlockEdge& edge) {
      return flow_.is_reachable(edge.from()) && goes_back(edge);
    });
  }
  /// Whether several branches go forward to the block, so that its statements follow a scope that they leave.
  bool is_merge(const BasicBlock* block) const {
    return std::ranges::count_if(flow_.predecessors(block), [&](const BlockEdge& edge) {
             return flow_.is_reachable(edge.from()) && !goes_back(edge);
           }) > 1;
  }

  void name_scopes() {
    for (const BasicBlock* block : flow_.order()) scope_of_[block] = unique_name(block->name(), scopes_);
  }
  std::string loop_name(const BasicBlock* block) const { return scope_of_.at(block) + ".again"; }

  /// Appends the statements of the block and of all that it dominates.
  void tree(const BasicBlock* block, Sequence& into) {
    std::vector<const BasicBlock*> merges;
    for (const BasicBlock* child : dominators_.children(block))
      if (is_merge(child)) merges.push_back(child);
    std::ranges::sort(merges, {}, [&](const BasicBlock* merge) { return flow_.position(merge); });
    if (!is_loop(block)) return within(block, merges, into);
    Scope loop{Scope::Kind::loop, loop_name(block), {}};
    within(block, merges, loop.body);
    into.push_back({std::move(loop)});
  }

  /// Appends the block's statements in scopes that end before each of `merges`, and these behind them.
  void within(const BasicBlock* block, std::span<const BasicBlock* const> merges, Sequence& into) {
    if (merges.empty()) return statements(block, into);
    const BasicBlock* last = merges.back();
    Scope scope{Scope::Kind::block, scope_of_.at(last), {}};
    within(block, merges.first(merges.size() - 1), scope.body);
    into.push_back({std::move(scope)});
    tree(last, into);
  }

  // These functions append statements.

  void add_outputs() {
    const dlvm::Type& result = function_.type().result();
    const auto types = result.is_tuple() ? result.elements() : std::vector{result};
    for (std::uint32_t i = 0; i < types.size(); ++i)
      outputs_.push_back(parts_.add(Value::Place::output, i, "result", types[i]));
  }

  void statements(const BasicBlock* block, Sequence& into) {
    std::vector<const dlvm::Value*> results;
    const Instruction& end = *block->terminator();
    const std::vector<const Instruction*> instructions = in_order_of_updates(*block);
    for (const auto& instruction : block->instructions())
      if (!instruction->is(dlvm::Trait::terminator) && is_used_outside(*instruction))
        results.push_back(instruction.get());
    if (end.opcode() == Opcode::return_) {
      if (!returned(end, results)) return;
      append(outline(block->name(), instructions, results), outputs_, into);
      into.push_back({Jump{return_}});
      return;
    }
    append(outline(block->name(), instructions, results), block, results, into);
    if (end.opcode() == Opcode::trap) {
      parts_.append_trap(end.locations(), into);
      into.push_back({Jump{return_}});
    } else if (end.opcode() == Opcode::branch) {
      follow(end, 0, into);
    } else {
      Branch branch{condition(end, into), {}, {}, location_of(end)};
      follow(end, 0, branch.then);
      follow(end, 1, branch.otherwise);
      into.push_back({std::move(branch)});
    }
  }

  /// Returns the block's instructions, the scatters into values of other blocks and what depends on them
  /// last: then what reads such a value runs before it is updated.
  static std::vector<const Instruction*> in_order_of_updates(const BasicBlock& block) {
    std::vector<const Instruction*> first, last;
    std::unordered_set<const dlvm::Value*> late;
    for (const auto& instruction : block.instructions()) {
      if (instruction->is(dlvm::Trait::terminator)) break;
      const auto scatter = dlvm::as<dlvm::Scatter>(*instruction);
      const bool is_late = (scatter && dlvm::defining_block(scatter.input()) != &block) ||
                           (scatter && dlvm::as_argument(scatter.input()) != nullptr) ||
                           std::ranges::any_of(instruction->operands(), [&](const dlvm::Value* operand) {
                             return late.contains(operand);
                           });
      if (is_late) late.insert(instruction.get());
      (is_late ? last : first).push_back(instruction.get());
    }
    first.insert(first.end(), last.begin(), last.end());
    return first;
  }

  /// Appends the tensors that the function returns.
  bool returned(const Instruction& end, std::vector<const dlvm::Value*>& results) {
    if (end.operands().empty()) return true;
    const dlvm::Value* value = end.operand(0);
    if (value->type().is_tensor()) {
      results.push_back(value);
      return true;
    }
    const Instruction* tuple = dlvm::as_instruction(value);
    const bool is_flat = tuple != nullptr && tuple->opcode() == Opcode::literal &&
                         std::ranges::all_of(tuple->operands(), [](const dlvm::Value* element) {
                           return element->type().is_tensor();
                         });
    if (!is_flat) return !(failed_ = !refuse("the return of a tuple that its block does not make", &end));
    results.insert(results.end(), tuple->operands().begin(), tuple->operands().end());
    return true;
  }

  static dlvm::Location location_of(const Instruction& end) {
    if (end.place().valid()) return end.place();
    const Instruction* condition = dlvm::as_instruction(end.operand(0));
    return condition == nullptr ? dlvm::Location{} : condition->place();
  }

  ValueId condition(const Instruction& end, Sequence& into) {
    const dlvm::Value* value = end.operand(0);
    if (dlvm::as_literal(value) == nullptr) return handover_.memory(value);
    const ValueId id = parts_.add(Value::Place::arena, 0, "condition", value->type());
    append(outline("condition", {}, std::vector{value}), {id}, into);
    return id;
  }

  /// Appends a part that stores its results to `outputs`.
  void append(const Outlined& outlined, const std::vector<ValueId>& outputs, Sequence& into) {
    if (outputs.empty() && !can_fail(*outlined.function)) return;
    if (auto part = build(outlined, {}))
      parts_.append(std::move(part->program), inputs(outlined), outputs, into);
  }

  /// Appends a block whose results other blocks use.
  void append(const Outlined& outlined, const BasicBlock* block,
              const std::vector<const dlvm::Value*>& results, Sequence& into) {
    if (results.empty() && !can_fail(*outlined.function)) return;
    const std::vector<ValueId> read = inputs(outlined);
    std::vector<bool> overwritable;
    for (const dlvm::Value* parameter : outlined.parameters)
      overwritable.push_back(handover_.may_overwrite(parameter, block, results));
    auto part = build(outlined, overwritable);
    if (!part) return;
    std::vector<ValueId> outputs;
    for (std::size_t r = 0; r < results.size(); ++r)
      outputs.push_back(part->updated[r] ? handover_.share(results[r], read[*part->updated[r]])
                                         : handover_.choose(dlvm::as_instruction(results[r])));
    parts_.append(std::move(part->program), read, outputs, into);
  }

  std::vector<ValueId> inputs(const Outlined& outlined) {
    std::vector<ValueId> ids;
    for (const dlvm::Value* value : outlined.parameters) ids.push_back(handover_.memory(value));
    return ids;
  }
  std::optional<BuiltBlock> build(const Outlined& outlined, const std::vector<bool>& overwritable) {
    auto part = build_(*outlined.function, overwritable);
    failed_ = failed_ || !part;
    return part;
  }
  static bool can_fail(const dlvm::Function& function) {
    return std::ranges::any_of(function.entry().instructions(), [](const auto& instruction) {
      return instruction->is(dlvm::Trait::may_fail);
    });
  }

  /// Hands the values over to successor `i` and goes there.
  void follow(const Instruction& end, std::size_t i, Sequence& into) {
    const BlockEdge edge{const_cast<Instruction*>(&end), i};
    const BasicBlock* to = edge.to();
    const Handover::Moves moves = handover_.moves(edge);
    if (!moves.copied.empty()) append(outline("pass", {}, moves.copied), moves.copies, into);
    for (const Swap& swap : moves.swaps) into.push_back({swap});
    if (goes_back(edge))
      into.push_back({Jump{loop_name(to)}});
    else if (is_merge(to))
      into.push_back({Jump{scope_of_.at(to)}});
    else
      tree(to, into);
  }

  const dlvm::Function& function_;
  const BuildBlock& build_;
  dlvm::Diagnostics& diagnostics_;
  const dlvm::ControlFlow flow_;
  const dlvm::DominatorTree dominators_;
  ProgramParts parts_;
  Handover handover_;
  std::vector<ValueId> outputs_;
  std::set<std::string> scopes_;  ///< names
  std::unordered_map<const BasicBlock*, std::string> scope_of_;
  std::string return_;
  bool failed_ = false;
};

}  // namespace

std::optional<Program> build_structure(const dlvm::Function& function,
                                       const std::vector<std::string>& dimensions, const BuildBlock& build,
                                       dlvm::Diagnostics& diagnostics) {
  return Structurer(function, dimensions, build, diagnostics).run();
}

}  // namespace codegen::kernel
