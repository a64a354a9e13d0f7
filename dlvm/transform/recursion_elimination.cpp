// The body of each function of a component is built again out of the bodies of all:
//  1. The blocks of all are copied. A block ends behind a call, so that what follows it is a block of its
//  own,
//     which takes the result.
//  2. Tuples, structs and arrays are split, so that all values that live across a call are tensors or stacks.
//  3. A call becomes pushes and a branch to the callee's first block; a return becomes a branch to a block
//  for
//     all returns of its function, which takes the number of a call off and goes to the block behind it.
//     Parameters that all calls pass on unchanged are what the function was called with from outside.
//  4. The block behind a call takes the values off; uses behind it get these (ssa_updater.h).
#include "dlvm/transform/recursion_elimination.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/liveness.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/aggregate_expansion.h"
#include "dlvm/transform/component_body.h"
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
    find_calls(body);
    if (calls_take_components()) return nullptr;
    share_unchanged(body);
    if (!find_live()) return nullptr;
    create_stacks(*entry);
    std::vector<std::vector<Value*>> popped;
    for (Call& call : calls_) popped.push_back(replace(call));
    for (const Function* function : body.functions()) add_returns(*function, body);
    rename(popped);
    remove_unreachable_blocks(*made_);
    restore_dominance(*made_);
    remove_copied_arguments(*made_);
    return std::move(made_);
  }

 private:
  struct Call {
    Instruction* apply;
    const Function* callee;
    BasicBlock *callee_entry, *behind;
    std::vector<Value*> live;
    Value* stack = nullptr;
  };

  /// Whether a block takes what calls or returns pass as leaves.
  bool calls_take_components() const {
    const auto takes = [](const BasicBlock& block) {
      return std::ranges::any_of(block.arguments(),
                                 [](const auto& argument) { return has_components(argument->type()); });
    };
    return std::ranges::any_of(
        calls_, [&](const Call& call) { return takes(*call.callee_entry) || takes(*call.behind); });
  }

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

  void find_calls(const ComponentBody& body) {
    for (const auto& block : made_->blocks())
      for (const auto& instruction : block->instructions())
        if (body.is_recursive_call(*instruction)) {
          const Function* callee = Apply(*instruction).callee();
          calls_.push_back({instruction.get(),
                            callee,
                            body.entry(callee),
                            block->terminator()->successors()[0].block,
                            {}});
        }
  }

  /// The values that calls pass to the parameters of functions; null where one is a part of a tuple.
  std::vector<std::pair<Argument*, Value*>> passed_values(const ComponentBody& body) {
    std::vector<std::pair<Argument*, Value*>> all;
    const auto passed = made_->entry().terminator()->passed(0);
    for (std::size_t i = 0; i < passed.size(); ++i)
      all.emplace_back(body.entry(&root_)->arguments()[i].get(), passed[i]);
    for (const Call& call : calls_) {
      const auto& parameters = call.callee_entry->arguments();
      const auto& operands = call.apply->operands();
      const bool whole =
          std::ranges::all_of(operands, [](const Value* each) { return !has_components(each->type()); });
      for (std::size_t i = 0; i < parameters.size(); ++i)
        all.emplace_back(parameters[i].get(), whole ? operands[i] : nullptr);
    }
    return all;
  }

  /// Uses what the root was called with in the place of parameters that every call passes on unchanged, such
  /// as the weights of a network: they are the same in all calls, and need not be kept across one.
  void share_unchanged(const ComponentBody& body) {
    const auto all = passed_values(body);
    std::unordered_map<const Value*, Value*> known;  // null: nothing was passed yet; itself: it changes
    for (const auto& [parameter, value] : all) known[parameter] = nullptr;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [parameter, passed] : all) {
        const auto found = known.find(passed);
        const bool once = passed != nullptr && defining_block(passed) == &made_->entry();
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

  /// Stacks that the caller has made can be kept across calls, since the loop makes no more of them.
  bool find_live() {
    const ControlFlow flow(*made_);
    const bool makes_stacks = std::ranges::any_of(made_->blocks(), [](const auto& block) {
      return std::ranges::any_of(block->instructions(),
                                 [](const auto& each) { return each->opcode() == Opcode::createStack; });
    });
    const Liveness live(flow);
    for (Call& call : calls_) {
      // In the order of the function, so that the frame does not depend on addresses.
      const auto& values = live.live_in(call.behind);
      for (BasicBlock* block : flow.order()) {
        if (block == &made_->entry()) continue;  // is run once
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

  void create_stacks(BasicBlock& entry) {
    Builder b(entry, entry.terminator());
    b.set_locations(locations());
    numbers_ = b.create_stack(capacity(1));
    numbers_->set_name(name_after(root_, "calls"));
    for (Call& call : calls_) {
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

  /// Pushes and goes to the callee; returns the values that the block behind the call takes off.
  std::vector<Value*> replace(Call& call) {
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
    if (call.stack == nullptr) return {};
    Builder behind(*call.behind, call.behind->instructions().front().get());
    behind.set_locations(block.terminator()->locations());
    std::vector<Type> types;
    for (const Value* value : call.live) types.push_back(value->type());
    return leaves_of_frame(behind.pop(Type::tuple(types), call.stack), call.live, behind);
  }

  static std::vector<Value*> leaves_of_frame(Value* frame, const std::vector<Value*>& live, Builder& b) {
    std::vector<Value*> leaves = leaves_of(frame, b);
    for (std::size_t i = 0; i < live.size(); ++i) leaves[i]->set_name(live[i]->name());
    return leaves;
  }

  /// Erases the branch that passes the call's result, what takes leaves out of it, and the call.
  static void erase_result(const Call& call, Instruction* branch) {
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
    for (const Call& call : calls_)
      if (call.stack != nullptr) b.create(Opcode::destroyStack, {call.stack});
    const Type& result = root_.type().result();
    const bool gives = !result.is_tuple() || !result.elements().empty();
    b.return_(gives ? from_leaves(result, values, b) : nullptr);
    return exit;
  }

  /// Gives each use of a value that lives across calls what the block behind the last one takes off.
  void rename(const std::vector<std::vector<Value*>>& popped) {
    std::vector<std::pair<Value*, std::map<const BasicBlock*, Value*>>> variables;
    std::unordered_map<const Value*, std::size_t> known;
    for (std::size_t c = 0; c < calls_.size(); ++c)
      for (std::size_t i = 0; i < popped[c].size(); ++i) {
        Value* value = calls_[c].live[i];
        const auto [place, fresh] = known.try_emplace(value, variables.size());
        if (fresh) variables.push_back({value, {{defining_block(value), value}}});
        variables[place->second].second[calls_[c].behind] = popped[c][i];
      }
    const ControlFlow flow(*made_);
    const DominanceFrontiers frontiers(flow);
    for (auto& [value, definitions] : variables) {
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

  const Component& component_;
  const Function& root_;
  const bool is_bounded_;
  std::unique_ptr<Function> made_;
  std::vector<Call> calls_;
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
