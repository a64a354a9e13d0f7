#include "dlvm/transform/parameter_copies.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/parameter_memory.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/transform/counted_loop.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

/// Whether the argument of the block is always that value: all edges pass it, or the argument itself.
bool is_always(const Argument& argument, const Value& value, const ControlFlow& flow) {
  return std::ranges::all_of(flow.predecessors(argument.block()), [&](const BlockEdge& edge) {
    const Value* passed = edge.passed()[argument.index()];
    return passed == &value || passed == &argument;
  });
}

/// The instructions that load, store or give away what a pointer leads to, or part of it. A block that always
/// gets the pointer gives nothing away; a branch to another one does.
class Accesses {
 public:
  Accesses(const ControlFlow& flow, const Value& pointer) : flow_(flow) { follow(pointer); }
  const std::vector<Instruction*>& all() const { return all_; }

 private:
  void follow(const Value& pointer) {
    if (!known_.insert(&pointer).second) return;
    for (Instruction* user : pointer.users()) {
      if (user->opcode() == Opcode::elementPointer)
        follow(*user);
      else if (!follow_passed(*user, pointer))
        all_.push_back(user);
    }
  }

  /// Returns whether the instruction passes the pointer only to blocks that always get it.
  bool follow_passed(const Instruction& end, const Value& pointer) {
    bool passes = false;
    for (std::size_t i = 0; i < end.successors().size(); ++i)
      for (std::size_t k = 0; k < end.passed(i).size(); ++k) {
        if (end.passed(i)[k] != &pointer) continue;
        const Argument& argument = *end.successors()[i].block->arguments()[k];
        if (&argument != &pointer && !is_always(argument, pointer, flow_)) return false;
        passes = true;
        follow(argument);
      }
    return passes;
  }

  const ControlFlow& flow_;
  std::unordered_set<const Value*> known_;
  std::vector<Instruction*> all_;
};

/// Erases the pointers that are made from one that nothing accesses.
void erase_derived(Value& pointer) {
  while (!pointer.users().empty()) {
    Instruction* user = pointer.users().back();
    erase_derived(*user);
    user->block()->erase(user);
  }
}

/// Returns the first access in each block that has some, but for blocks behind others that have.
std::vector<Instruction*> first_accesses(const Function& function,
                                         const std::vector<Instruction*>& accesses) {
  const std::unordered_set<const Instruction*> all(accesses.begin(), accesses.end());
  std::vector<Instruction*> first;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (all.contains(instruction.get())) {
        first.push_back(instruction.get());
        break;
      }
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  std::vector<Instruction*> needed;
  for (Instruction* access : first)
    if (std::ranges::none_of(first, [&](const Instruction* other) {
          return other != access && dominators.dominates(other->block(), access->block());
        }))
      needed.push_back(access);
  return needed;
}

/// The copy of what a parameter leads to. It is loaded before the first access, where the function gets to
/// one: the pointer may be null where it does not.
class Copy {
 public:
  Copy(Function& function, Argument& parameter) : function_(function), parameter_(parameter) {}

  void make() {
    const ControlFlow flow(function_);
    const std::vector<Instruction*> accesses = Accesses(flow, parameter_).all();
    const PointerUses uses = pointer_uses(parameter_);
    if (accesses.empty() && uses.escape == nullptr) return erase_derived(parameter_);
    const bool changes = uses.escape != nullptr || !uses.stores.empty();
    std::vector<Instruction*> first = first_accesses(function_, accesses);
    BasicBlock& entry = function_.entry();
    const bool is_certain =
        std::ranges::any_of(first, [&](const Instruction* access) { return access->block() == &entry; });
    const std::vector<Instruction*> users = parameter_.users();
    Builder b(entry, entry.instructions().front().get());
    own_ = b.create(Opcode::allocateStack, {}, {parameter_.type().pointee(), Shape{1}});
    own_->set_name(parameter_.name());
    for (Instruction* user : users)
      for (std::size_t i = 0; i < user->operands().size(); ++i)
        if (user->operand(i) == &parameter_) user->set_operand(i, own_);
    if (is_certain) {
      b.create(Opcode::store, {b.create(Opcode::load, {&parameter_}), own_});
    } else {
      is_loaded_ = b.create(Opcode::allocateStack, {}, {Type::scalar(ElementType::boolean), Shape{1}});
      for (Instruction* access : first) load_before(*access);
    }
    if (changes) store_at_returns();
  }

 private:
  /// Makes a block that is run at the builder where the value was loaded, or where it was not, and moves the
  /// builder there. Returns the block that follows.
  BasicBlock* block_where(Builder& b, bool loaded) {
    Value* is_loaded = b.create(Opcode::load, {is_loaded_});
    BasicBlock* before = defining_block(is_loaded);
    BasicBlock* rest = split_behind(*as_instruction(is_loaded));
    BasicBlock* made = function_.add_block(before->name(), before);
    move_to(b, *before);
    b.conditional(is_loaded, loaded ? *made : *rest, {}, loaded ? *rest : *made, {});
    move_to(b, *made);
    return rest;
  }

  void load_before(Instruction& access) {
    Builder b = builder_before(access);
    BasicBlock* rest = block_where(b, false);
    b.create(Opcode::store, {b.create(Opcode::load, {&parameter_}), own_});
    b.create(Opcode::store, {b.constant(ElementType::boolean, 1), is_loaded_});
    b.branch(*rest, {});
  }

  void store_at_returns() {
    std::vector<Instruction*> returns;
    for (const auto& block : function_.blocks())
      if (Instruction* end = block->terminator(); end != nullptr && end->opcode() == Opcode::return_)
        returns.push_back(end);
    for (Instruction* end : returns) {
      Builder b = builder_before(*end);
      BasicBlock* rest = nullptr;
      if (is_loaded_ != nullptr) rest = block_where(b, true);
      b.create(Opcode::store, {b.create(Opcode::load, {own_}), &parameter_});
      if (rest != nullptr) b.branch(*rest, {});
    }
  }

  Function& function_;
  Argument& parameter_;
  Value *own_ = nullptr, *is_loaded_ = nullptr;
};

}  // namespace

bool copy_parameters(Module& module) {
  bool changed = false;
  std::unordered_set<const Function*> differentiated;
  for (const auto& function : module.functions())
    if (function->gradient) differentiated.insert(function->gradient->of);
  for (const auto& function : module.functions()) {
    if (!differentiated.contains(function.get()) || !function->has_body()) continue;
    for (const auto& parameter : function->entry().arguments())
      if (parameter->type().is_pointer() && !leads_to_constants(*parameter) &&
          why_not_copied(*function, *parameter).empty()) {
        Copy(*function, *parameter).make();
        changed = true;
      }
  }
  return changed;
}

}  // namespace dlvm
