// The body of each function of a component is built again out of the bodies of all:
//  1. The blocks of all are copied (component_body.h). A block ends behind a call, so that what follows it is
//     a block of its own, which takes the result.
//  2. Tuples, structs and arrays are split, so that all values that live across a call are tensors or stacks.
//  3. Parameters that all calls pass on unchanged become what the function was called with from outside, and
//     the values that live across each call are found (recursive_calls.h).
//  4. A call becomes pushes and a branch to the callee's first block; a return becomes a branch to a block
//  for
//     all returns of its function, which takes the number of a call off and goes to the block behind it.
//  5. The block behind a call takes the values off; uses behind it get these (recursive_calls.h).
#include "dlvm/transform/recursion_elimination.h"

#include <algorithm>
#include <optional>

#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/transform/aggregate_expansion.h"
#include "dlvm/transform/recursive_calls.h"
#include "dlvm/transform/ssa_updater.h"
#include "dlvm/transform/tuple_expansion.h"
#include "dlvm/transform/tuple_leaves.h"

namespace dlvm {
namespace {

constexpr ElementType number = ElementType::i32;

Extent depth_of(const Function& function) { return Extent::dimension(name_after(function, "depth")); }

/// The loop that a recursive function becomes.
class CallLoop {
 public:
  CallLoop(const Component& component, const Function& root, bool is_bounded)
      : component_(component),
        root_(root),
        is_bounded_(is_bounded),
        made_(std::make_unique<Function>(root.name(), root.type())) {}

  /// Returns nothing if the function has to stay as it is.
  std::unique_ptr<Function> run() {
    BasicBlock* entry = made_->add_entry(names_of(root_));
    ComponentBody body(component_, *made_);
    if (!body.copy(root_)) return nullptr;
    enter(*entry, body);
    expand_aggregates(*made_);
    tuple_expansion(*made_);
    calls_ = find_recursive_calls(*made_, body);
    if (take_components(calls_)) return nullptr;
    share_unchanged_parameters(*body.entry(&root_), calls_);
    if (!find_live_values(*made_, calls_)) return nullptr;
    create_stacks(*entry);
    for (RecursiveCall& call : calls_) replace(call);
    for (const Function* function : body.functions()) add_returns(*function, body);
    rename_live_values(*made_, calls_);
    remove_unreachable_blocks(*made_);
    restore_dominance(*made_);
    remove_copied_arguments(*made_);
    return std::move(made_);
  }

 private:
  static std::vector<std::string> names_of(const Function& function) {
    std::vector<std::string> names;
    for (const auto& argument : function.entry().arguments()) names.push_back(argument->name());
    return names;
  }

  void enter(BasicBlock& entry, const ComponentBody& body) {
    std::vector<Value*> arguments;
    for (const auto& argument : entry.arguments()) arguments.push_back(argument.get());
    Builder(entry).branch(*body.entry(&root_), arguments);
  }

  void create_stacks(BasicBlock& entry) {
    Builder b(entry, entry.terminator());
    b.set_locations(locations());
    numbers_ = b.create_stack(capacity(1));
    numbers_->set_name(name_after(root_, "calls"));
    for (RecursiveCall& call : calls_) {
      if (call.live.empty()) continue;
      call.stack = b.create_stack(capacity(0));
      call.stack->set_name(name_after(root_, "frames"));
    }
    b.push(b.constant(number, 0), numbers_);
  }
  std::optional<Extent> capacity(std::int64_t more) const {
    return is_bounded_ ? std::optional(depth_of(root_) + Extent(more)) : std::nullopt;
  }
  std::vector<Location> locations() const {
    return root_.location.valid() ? std::vector{root_.location} : std::vector<Location>();
  }

  /// Pushes and goes to the callee. The block behind the call takes off what was pushed.
  void replace(RecursiveCall& call) {
    BasicBlock& block = *call.apply->block();
    const double place = static_cast<double>(&call - calls_.data()) + 1;
    Instruction* end = block.terminator();
    Builder b(block, end);
    b.set_locations(call.apply->locations());
    if (call.stack != nullptr) b.push(b.tuple(call.live), call.stack);
    b.push(b.constant(number, place), numbers_);
    std::vector<Value*> passed;
    for (Value* argument : call.apply->operands())
      for (Value* leaf : leaves_of(argument, b)) passed.push_back(leaf);
    b.branch(*call.callee_entry, passed);
    erase_result(call, end);
    if (call.stack == nullptr) return;
    Builder behind(*call.behind, call.behind->instructions().front().get());
    behind.set_locations(block.terminator()->locations());
    std::vector<Type> types;
    for (const Value* value : call.live) types.push_back(value->type());
    call.popped = leaves_of(behind.pop(Type::tuple(types), call.stack), behind);
    for (std::size_t i = 0; i < call.live.size(); ++i) call.popped[i]->set_name(call.live[i]->name());
  }

  /// Erases the branch that passes the call's result, what takes leaves out of it, and the call.
  static void erase_result(const RecursiveCall& call, Instruction* branch) {
    BasicBlock& block = *branch->block();
    block.erase(branch);
    std::vector<Instruction*> taken;
    bool behind = false;
    for (const auto& instruction : block.instructions()) {
      if (behind && instruction->opcode() == Opcode::extract) taken.push_back(instruction.get());
      behind = behind || instruction.get() == call.apply;
    }
    for (auto at = taken.rbegin(); at != taken.rend(); ++at)
      if ((*at)->users().empty()) block.erase(*at);
    block.erase(call.apply);
  }

  /// Adds the block that all returns of a function go to.
  void add_returns(const Function& function, const ComponentBody& body) {
    std::vector<Instruction*> returns;
    for (const auto& block : made_->blocks())
      if (Instruction* end = block->terminator();
          body.owner(block.get()) == &function && end->opcode() == Opcode::return_)
        returns.push_back(end);
    if (returns.empty()) return;
    BasicBlock* all = made_->add_block("returns");
    for (Instruction* end : returns) {
      Builder b(*end->block(), end);
      b.set_locations(end->locations());
      std::vector<Value*> leaves;
      if (!end->operands().empty()) leaves = leaves_of(end->operand(0), b);
      if (all->arguments().empty())
        for (const Value* leaf : leaves) all->add_argument(leaf->type(), leaf->name());
      b.branch(*all, leaves);
      end->block()->erase(end);
    }
    continue_behind(function, *all);
  }

  /// Goes on behind the call whose number is on top.
  void continue_behind(const Function& function, BasicBlock& all) {
    std::vector<Value*> leaves;
    for (const auto& argument : all.arguments()) leaves.push_back(argument.get());
    std::vector<std::pair<std::size_t, BasicBlock*>> places;
    for (std::size_t i = 0; i < calls_.size(); ++i)
      if (calls_[i].callee == &function) places.emplace_back(i + 1, calls_[i].behind);
    if (&function == &root_) places.emplace_back(0, add_exit(all, leaves.size()));
    BasicBlock* block = &all;
    Value* top = Builder(all).pop(Type::scalar(number), numbers_);
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      const auto& [place, behind] = places[i];
      const bool is_last = i + 2 == places.size();
      Builder b(*block);
      Value* is_this = b.binary(Opcode::equal, top, b.constant(number, static_cast<double>(place)));
      BasicBlock* rest = is_last ? places.back().second : made_->add_block("returns", block);
      b.conditional(is_this, *behind, leaves, *rest, is_last ? leaves : std::vector<Value*>());
      block = rest;
    }
    if (places.size() == 1) Builder(all).branch(*places[0].second, leaves);
  }

  BasicBlock* add_exit(const BasicBlock& all, std::size_t leaves) {
    BasicBlock* exit = made_->add_block("exit");
    std::vector<Value*> values;
    for (std::size_t i = 0; i < leaves; ++i)
      values.push_back(exit->add_argument(all.arguments()[i]->type(), all.arguments()[i]->name()));
    Builder b(*exit);
    b.create(Opcode::destroyStack, {numbers_});
    for (const RecursiveCall& call : calls_)
      if (call.stack != nullptr) b.create(Opcode::destroyStack, {call.stack});
    const Type& result = root_.type().result();
    const bool gives = !result.is_tuple() || !result.elements().empty();
    b.return_(gives ? from_leaves(result, values, b) : nullptr);
    return exit;
  }

  const Component& component_;
  const Function& root_;
  const bool is_bounded_;
  std::unique_ptr<Function> made_;
  std::vector<RecursiveCall> calls_;
  Value* numbers_ = nullptr;  ///< the stack of numbers of calls; 0 is the call from outside
};

}  // namespace

bool recursion_elimination(Module& module) {
  return recursion_elimination(module, [](const Component&) { return true; });
}

bool takes_address(const Component& component) {
  return std::ranges::any_of(component.functions, [](const Function* function) {
    return any_part_of(function->type(), is_address);
  });
}

bool recursion_elimination(Module& module, const std::function<bool(const Component&)>& concerns) {
  bool changed = false;
  for (const Component& component : call_components(module)) {
    if (!component.recursive || !concerns(component)) continue;
    std::vector<std::unique_ptr<Function>> made;
    for (Function* function : component.functions)
      made.push_back(function->has_body() ? CallLoop(component, *function, true).run() : nullptr);
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i] == nullptr) continue;
      component.functions[i]->take_body(*made[i]);
      changed = true;
    }
  }
  return changed;
}

std::unique_ptr<Function> without_recursion(std::span<const Component> components, const Function& function) {
  for (const Component& component : components)
    if (component.recursive && std::ranges::find(component.functions, &function) != component.functions.end())
      return CallLoop(component, function, false).run();
  return nullptr;
}

}  // namespace dlvm
