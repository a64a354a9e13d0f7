// Loads and stores of a place (memory_places.h) become loads and stores of the elements of its tensors.
#include "dlvm/transform/memory_splitting.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/type_parts.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

class MemorySplitting {
 public:
  explicit MemorySplitting(Function& function) : function_(function) {}

  bool run() {
    find();
    for (SplitMemory& memory : all_) {
      make_tensors(memory);
      follow(*memory.allocation, place_of(memory));
    }
    for (const SplitMemory& memory : all_)
      for (Instruction* each : memory.uses.derived) check_positions(*each);
    for (const SplitMemory& memory : all_) rewrite(memory);
    for (SplitMemory& memory : all_) remove(memory);
    return !all_.empty();
  }

 private:
  void find() {
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() != Opcode::allocateStack) continue;
        SplitMemory memory{instruction.get(),
                           std::get<Shape>(instruction->attributes()[1])[0],
                           pointer_uses(*instruction),
                           {}};
        if (can_be_split(memory)) all_.push_back(std::move(memory));
      }
    const auto is_known = [&](const Value* pointer) {
      while (as_instruction(pointer) != nullptr &&
             as_instruction(pointer)->opcode() == Opcode::elementPointer)
        pointer = as_instruction(pointer)->operand(0);
      return std::ranges::any_of(all_,
                                 [&](const SplitMemory& memory) { return memory.allocation == pointer; });
    };
    while (std::erase_if(all_, [&](const SplitMemory& memory) {
             return std::ranges::any_of(memory.uses.copies, [&](const Instruction* copy) {
               return !is_known(copy->operand(0)) || !is_known(copy->operand(1));
             });
           }) > 0) {
    }
  }

  static bool can_be_split(const SplitMemory& memory) {
    const PointerUses& uses = memory.uses;
    const bool wanted = uses.chooses || memory.count != 1 || !uses.copies.empty();
    return wanted && uses.escape == nullptr && uses.ends.empty() && uses.retains.empty() &&
           is_made_of_tensors(memory.allocation->type().pointee());
  }

  static void make_tensors(SplitMemory& memory) {
    std::vector<Type> types;
    append_tensors(memory.allocation->type().pointee(), memory.count == 1 ? Shape{} : Shape{memory.count},
                   types);
    Builder b = builder_before(*memory.allocation);
    for (const Type& type : types) {
      memory.tensors.push_back(b.create(Opcode::allocateStack, {}, {type, Shape{1}}));
      memory.tensors.back()->set_name(memory.allocation->name());
    }
  }

  void follow(const Value& pointer, const Place& place) {
    places_[&pointer] = place;
    for (const Instruction* user : pointer.users())
      if (user->opcode() == Opcode::elementPointer && !places_.contains(user))
        follow(*user, place_of(*user, place));
  }

  Place value_at(const Value* pointer) const {
    Place place = places_.at(pointer);
    enter(place);
    return place;
  }

  void rewrite(const SplitMemory& memory) {
    for (Instruction* each : memory.uses.loads) {
      Builder b = builder_before(*each);
      Value* value = load(b, value_at(each->operand(0)));
      if (value->name().empty()) value->set_name(each->name());
      if (!each->users().empty()) replace_all_uses(*each, *value);
      each->block()->erase(each);
    }
    for (Instruction* each : memory.uses.stores) {
      Builder b = builder_before(*each);
      store(b, each->operand(0), value_at(each->operand(1)));
      each->block()->erase(each);
    }
    for (Instruction* each : memory.uses.copies)
      if (copied_.insert(each).second) copy(*each);
  }

  void copy(Instruction& copy) {
    Builder b = builder_before(copy);
    const Place &source = places_.at(copy.operand(0)), &target = places_.at(copy.operand(1));
    dlvm::copy(b, source, target, copy.operand(2));
    copy.block()->erase(&copy);
  }

  static void remove(SplitMemory& memory) {
    for (auto at = memory.uses.derived.rbegin(); at != memory.uses.derived.rend(); ++at)
      (*at)->block()->erase(*at);
    memory.allocation->block()->erase(memory.allocation);
  }

  Function& function_;
  std::vector<SplitMemory> all_;
  std::unordered_map<const Value*, Place> places_;
  std::unordered_set<const Instruction*> copied_;
};

bool is_accessed(const Instruction& pointer) {
  return std::ranges::any_of(pointer.users(), [&](const Instruction* user) {
    if (user->block() != pointer.block()) return false;
    return user->opcode() != Opcode::elementPointer || is_accessed(*user);
  });
}

}  // namespace

void check_positions(Instruction& element_pointer) {
  if (is_accessed(element_pointer)) return;
  Builder b = builder_before(element_pointer);
  for (const PathStep& step : path_steps(element_pointer))
    if (step.value != nullptr) b.check_index(step.value, 0, step.count);
}

bool split_memory(Function& function) { return MemorySplitting(function).run(); }

}  // namespace dlvm
