#include "codegen/kernel/build/structure.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "codegen/kernel/build/outline.h"
#include "codegen/kernel/build/program_parts.h"
#include "codegen/kernel/build/program_values.h"
#include "codegen/kernel/build/scalar_emitter.h"
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
  Structurer(const dlvm::Function& function, const BuildBlock& build, dlvm::Diagnostics& diagnostics)
      : function_(function),
        build_(build),
        diagnostics_(diagnostics),
        flow_(function),
        dominators_(flow_),
        parts_(function) {}

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
    const bool is_located = at != nullptr && !at->locations().empty();
    diagnostics_.report(not_straight_line, is_located ? at->locations()[0] : function_.location,
                        function_.name(), what);
    return false;
  }

  bool check() {
    for (const BasicBlock* block : flow_.order()) {
      if (!flow_.is_reachable(block)) continue;
      const Instruction* end = block->terminator();
      if (end->opcode() == Opcode::trap) return refuse("trap", end);
      for (const auto& argument : block->arguments())
        if (!argument->type().is_tensor())
          return refuse("a block's argument of type " + argument->type().text(), end);
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() == Opcode::apply || instruction->is(dlvm::Trait::effect))
          return refuse(instruction->definition().name, instruction.get());
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
    std::vector<const Instruction*> instructions;
    std::vector<const dlvm::Value*> results;
    std::vector<ValueId> outputs;
    const Instruction& end = *block->terminator();
    for (const auto& instruction : block->instructions()) {
      if (instruction->is(dlvm::Trait::terminator)) break;
      instructions.push_back(instruction.get());
      if (!is_used_outside(*instruction)) continue;
      results.push_back(instruction.get());
      outputs.push_back(parts_.memory(instruction.get()));
    }
    if (end.opcode() == Opcode::return_ && !returned(end, results)) return;
    if (end.opcode() == Opcode::return_) outputs.insert(outputs.end(), outputs_.begin(), outputs_.end());
    append(outline(block->name(), instructions, results), outputs, into);
    if (end.opcode() == Opcode::return_) {
      into.push_back({Jump{return_}});
    } else if (end.opcode() == Opcode::branch) {
      follow(end, 0, into);
    } else {
      Branch branch{condition(end, into), {}, {}};
      follow(end, 0, branch.then);
      follow(end, 1, branch.otherwise);
      into.push_back({std::move(branch)});
    }
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

  ValueId condition(const Instruction& end, Sequence& into) {
    const dlvm::Value* value = end.operand(0);
    if (dlvm::as_literal(value) == nullptr) return parts_.memory(value);
    const ValueId id = parts_.add(Value::Place::arena, 0, "condition", value->type());
    append(outline("condition", {}, std::vector{value}), {id}, into);
    return id;
  }

  void append(const Outlined& outlined, const std::vector<ValueId>& outputs, Sequence& into) {
    if (outputs.empty() && !can_fail(*outlined.function)) return;
    auto part = build_(*outlined.function);
    if (!part) {
      failed_ = true;
      return;
    }
    std::vector<ValueId> inputs;
    for (const dlvm::Value* value : outlined.parameters) inputs.push_back(parts_.memory(value));
    parts_.append(std::move(*part), inputs, outputs, into);
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
    std::vector<const dlvm::Value*> copied;
    std::vector<ValueId> copies;
    std::vector<Statement> swaps;
    const bool is_permuted = passes_arguments(edge);
    for (std::size_t a = 0; a < edge.passed().size(); ++a) {
      const dlvm::Value* value = edge.passed()[a];
      const ValueId argument = parts_.memory(to->arguments()[a].get());
      if (is_handed_over(value, edge)) {
        swaps.push_back({Swap{argument, parts_.memory(value)}});
        continue;
      }
      copied.push_back(value);
      copies.push_back(argument);
      if (!is_permuted) continue;
      copies.back() = parts_.add(Value::Place::arena, 0, to->arguments()[a]->name() + "_next", value->type());
      swaps.push_back({Swap{argument, copies.back()}});
    }
    if (!copied.empty()) append(outline("pass", {}, copied), copies, into);
    into.insert(into.end(), swaps.begin(), swaps.end());
    if (goes_back(edge))
      into.push_back({Jump{loop_name(to)}});
    else if (is_merge(to))
      into.push_back({Jump{scope_of_.at(to)}});
    else
      tree(to, into);
  }

  /// Whether the value is computed in the edge's block, and nothing uses it after the edge but the argument
  /// to which it is passed.
  static bool is_handed_over(const dlvm::Value* value, const BlockEdge& edge) {
    const Instruction* instruction = dlvm::as_instruction(value);
    if (instruction == nullptr || instruction->block() != edge.from()) return false;
    return std::ranges::count(edge.passed(), value) == 1 &&
           std::ranges::all_of(instruction->users(),
                               [&](const Instruction* user) { return user->block() == edge.from(); });
  }

  /// Whether an argument of the edge's target is passed to another one, so that the arguments cannot be
  /// written one after the other.
  static bool passes_arguments(const BlockEdge& edge) {
    return std::ranges::any_of(edge.passed(), [&](const dlvm::Value* value) {
      const auto* argument = dlvm::as_argument(value);
      return argument != nullptr && dlvm::defining_block(argument) == edge.to();
    });
  }

  const dlvm::Function& function_;
  const BuildBlock& build_;
  dlvm::Diagnostics& diagnostics_;
  const dlvm::ControlFlow flow_;
  const dlvm::DominatorTree dominators_;
  ProgramParts parts_;
  std::vector<ValueId> outputs_;
  std::set<std::string> scopes_;  ///< names
  std::unordered_map<const BasicBlock*, std::string> scope_of_;
  std::string return_;
  bool failed_ = false;
};

}  // namespace

std::optional<Program> build_structure(const dlvm::Function& function, const BuildBlock& build,
                                       dlvm::Diagnostics& diagnostics) {
  return Structurer(function, build, diagnostics).run();
}

}  // namespace codegen::kernel
