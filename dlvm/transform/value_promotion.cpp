// The value in memory at each place, as in the construction of SSA form (Cytron et al., 1991), by iteration:
//
//  1. A block is live if a load in it, or behind it without a store between them, wants the value at its
//  start.
//  2. What defines the value at the start of a block is what defines it at the ends of its predecessors.
//  Where
//     they differ, a live block defines it itself, by an argument. This goes down at most once for each
//     block.
//  3. The blocks are rewritten, each behind those that dominate it: a load is the value at hand, a store is
//  the
//     next one. Then the arguments are passed.
#include "dlvm/transform/value_promotion.h"

#include <algorithm>
#include <unordered_map>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/memory_splitting.h"

namespace dlvm {
namespace {

using Path = std::vector<PathStep>;

bool is_promotable(const Instruction& allocation, const PointerUses& uses) {
  return std::get<Shape>(allocation.attributes()[1])[0] == 1 && uses.escape == nullptr && !uses.chooses &&
         uses.copies.empty() && uses.ends.empty();
}

/// The way from the allocation to the component that the pointer points to.
Path path_of(const Value* pointer, const Instruction& allocation) {
  Path path;
  for (; pointer != &allocation; pointer = as_instruction(pointer)->operand(0)) {
    const Path part = path_steps(*as_instruction(pointer));
    path.insert(path.begin(), part.begin(), part.end());
  }
  return path;
}

/// The position in a tensor to which a path leads.
std::vector<Value*> indices_of(Builder& b, std::span<const PathStep> path) {
  std::vector<Value*> indices;
  for (const PathStep& step : path)
    indices.push_back(step.value != nullptr ? step.value
                                            : b.constant(ElementType::i64, static_cast<double>(step.at)));
  return indices;
}

Integers first_axes(std::size_t count) {
  Integers axes;
  for (std::size_t i = 0; i < count; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

/// The elements of the tensor at a position along its first axes.
Value* row(Builder& b, Value* tensor, std::span<const PathStep> path) {
  const auto is_known = [](const PathStep& step) { return step.value == nullptr && step.count.constant(); };
  if (!std::ranges::all_of(path, is_known))
    return b.gather(tensor, indices_of(b, path), first_axes(path.size()));
  const Shape& shape = tensor->type().shape();
  Shape from(shape.size(), 0), upto = shape;
  for (std::size_t axis = 0; axis < path.size(); ++axis) {
    from[axis] = path[axis].at;
    upto[axis] = path[axis].at + 1;
  }
  const auto inner = shape.begin() + static_cast<std::ptrdiff_t>(path.size());
  return b.shape_cast(b.slice(tensor, std::move(from), std::move(upto)), Shape(inner, shape.end()));
}

class Promotion {
 public:
  Promotion(Module& module, Instruction& allocation, PointerUses uses, const ControlFlow& flow)
      : module_(module),
        allocation_(allocation),
        uses_(std::move(uses)),
        flow_(flow),
        type_(allocation.type().pointee()) {
    for (Instruction* load : uses_.loads) accesses_[load] = path_of(load->operand(0), allocation);
    for (Instruction* store : uses_.stores) accesses_[store] = path_of(store->operand(1), allocation);
  }

  void run() {
    find_live_blocks();
    find_definitions();
    for (BasicBlock* block : flow_.order()) rewrite(*block);
    pass_arguments();
    remove();
  }

 private:
  struct Block {
    bool wants = false;                   ///< the value at its start
    bool defines = false;                 ///< the value at its end: it stores or allocates
    const BasicBlock* defined = nullptr;  ///< the block that defines the value at its start
    Argument* argument = nullptr;
    Value* at_end = nullptr;
  };

  bool is_access(const Instruction& instruction) const {
    return &instruction == &allocation_ || accesses_.contains(&instruction);
  }

  /// A store of a component needs the rest of the value, as a load does.
  bool needs_value(const Instruction& access) const {
    const bool whole = access.opcode() == Opcode::store && accesses_.at(&access).empty();
    return &access != &allocation_ && !whole;
  }

  void find_live_blocks() {
    for (BasicBlock* block : flow_.order()) {
      Block& state = blocks_[block];
      for (const auto& instruction : block->instructions()) {
        if (!is_access(*instruction)) continue;
        state.wants = state.wants || (!state.defines && needs_value(*instruction));
        state.defines = state.defines || instruction->opcode() != Opcode::load;
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = flow_.order().rbegin(); at != flow_.order().rend(); ++at) {
        Block& state = blocks_[*at];
        if (state.wants || state.defines || (*at)->terminator() == nullptr) continue;
        state.wants = std::ranges::any_of((*at)->terminator()->successors(), [&](const Successor& next) {
          return blocks_.at(next.block).wants;
        });
        changed = changed || state.wants;
      }
    }
  }

  /// Begins anew with each block that turns out to define the value, because what was known behind it was not
  /// so.
  void find_definitions() {
    while (!follow_definitions())
      for (auto& [block, state] : blocks_)
        if (state.defined != block) state.defined = nullptr;
  }

  /// Returns false, and lets that block define the value, where different ones meet.
  bool follow_definitions() {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : flow_.order()) {
        Block& state = blocks_[block];
        if (!state.wants || state.defined == block) continue;
        const BasicBlock* defined = meet(*block);
        changed = changed || defined != state.defined;
        state.defined = defined;
        if (defined == block) return false;
      }
    }
    return true;
  }

  /// The definition of the value at the start of the block; null as long as no path to it is known to define
  /// it.
  const BasicBlock* meet(const BasicBlock& block) const {
    const BasicBlock* only = nullptr;
    for (const BlockEdge& edge : flow_.predecessors(&block)) {
      const Block& from = blocks_.at(edge.from());
      const BasicBlock* defined = from.defines ? edge.from() : from.defined;
      if (defined == nullptr || defined == only) continue;
      if (only != nullptr) return &block;
      only = defined;
    }
    return only;
  }

  void rewrite(BasicBlock& block) {
    Block& state = blocks_.at(&block);
    Value* value = nullptr;
    if (state.defined == &block)
      value = state.argument = block.add_argument(type_, allocation_.name());
    else if (state.defined != nullptr)
      value = blocks_.at(state.defined).at_end;
    std::vector<Instruction*> all;
    for (const auto& instruction : block.instructions())
      if (is_access(*instruction)) all.push_back(instruction.get());
    for (Instruction* access : all) value = rewrite(*access, value);
    state.at_end = value;
  }

  /// Returns the value behind the access. There is none where no way leads, and then there is an undefined
  /// one.
  Value* rewrite(Instruction& access, Value* value) {
    Function& function = access.block()->function();
    if (&access == &allocation_) return default_value(function, type_);
    if (value == nullptr) value = function.literal(type_, Literal::Form::undefined);
    Builder builder(*access.block(), &access);
    builder.set_locations(access.locations());
    const Path& path = accesses_.at(&access);
    if (access.opcode() == Opcode::store) return inserted(builder, value, path, access.operand(0));
    Value* part = value;
    std::size_t step = 0;
    for (; step < path.size() && !part->type().is_tensor(); ++step)
      part = builder.extract(part, path[step].at);
    if (step < path.size()) part = row(builder, part, std::span(path).subspan(step));
    if (!access.users().empty()) replace_all_uses(access, *part);
    return value;
  }

  Value* inserted(Builder& builder, Value* whole, std::span<const PathStep> path, Value* part) {
    if (path.empty()) return part;
    if (whole->type().is_tensor()) {
      const Combinator replaces{Opcode::add, replacement(module_, whole->type().element())};
      Value* made =
          builder.scatter(part, whole, indices_of(builder, path), replaces, first_axes(path.size()));
      made->set_name(allocation_.name());
      return made;
    }
    const std::int64_t at = path[0].at;
    if (path.size() > 1) part = inserted(builder, builder.extract(whole, at), path.subspan(1), part);
    return builder.create(Opcode::insert, {part, whole}, {Integers{at}});
  }

  void pass_arguments() {
    for (BasicBlock* block : flow_.order()) {
      if (blocks_.at(block).argument == nullptr) continue;
      for (const BlockEdge& edge : flow_.predecessors(block)) {
        Value* value = blocks_.at(edge.from()).at_end;
        if (value == nullptr) value = block->function().literal(type_, Literal::Form::undefined);
        edge.terminator->add_passed(edge.successor, value);
      }
    }
  }

  void remove() {
    for (Instruction* pointer : uses_.derived) check_positions(*pointer);
    for (Instruction* access : uses_.loads) access->block()->erase(access);
    for (Instruction* access : uses_.stores) access->block()->erase(access);
    for (auto at = uses_.derived.rbegin(); at != uses_.derived.rend(); ++at) (*at)->block()->erase(*at);
    allocation_.block()->erase(&allocation_);
  }

  Module& module_;
  Instruction& allocation_;
  PointerUses uses_;
  const ControlFlow& flow_;
  const Type type_;
  std::unordered_map<const Instruction*, Path> accesses_;
  std::unordered_map<const BasicBlock*, Block> blocks_;
};

Instruction* find_promotable(Function& function, PointerUses& uses) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (instruction->opcode() != Opcode::allocateStack) continue;
      uses = pointer_uses(*instruction);
      if (is_promotable(*instruction, uses)) return instruction.get();
    }
  return nullptr;
}

bool has_memory(const Function& function) {
  return std::ranges::any_of(function.blocks(), [](const auto& block) {
    return std::ranges::any_of(block->instructions(),
                               [](const auto& each) { return each->opcode() == Opcode::allocateStack; });
  });
}

bool promote(Module& module, Function& function) {
  PointerUses uses;
  if (!has_memory(function)) return false;
  bool changed = remove_unreachable_blocks(function);
  changed = split_memory(function) || changed;
  const ControlFlow flow(function);
  while (Instruction* allocation = find_promotable(function, uses)) {
    Promotion(module, *allocation, std::move(uses), flow).run();
    changed = true;
  }
  return changed;
}

}  // namespace

bool value_promotion(Module& module) {
  std::vector<Function*> functions;  // without those that replace elements
  for (const auto& function : module.functions())
    if (function->has_body()) functions.push_back(function.get());
  bool changed = false;
  for (Function* function : functions) changed = promote(module, *function) || changed;
  return changed;
}

}  // namespace dlvm
