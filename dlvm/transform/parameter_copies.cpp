#include "dlvm/transform/parameter_copies.h"

#include <unordered_set>

#include "dlvm/analysis/parameter_memory.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"

namespace dlvm {
namespace {

void copy(Function& function, Argument& parameter) {
  const PointerUses uses = pointer_uses(parameter);
  const bool changes = uses.escape != nullptr || !uses.stores.empty();
  BasicBlock& entry = function.entry();
  const std::vector<Instruction*> users = parameter.users();
  Builder b(entry, entry.instructions().front().get());
  Value* own = b.create(Opcode::allocateStack, {}, {parameter.type().pointee(), Shape{1}});
  own->set_name(parameter.name());
  b.create(Opcode::store, {b.create(Opcode::load, {&parameter}), own});
  for (Instruction* user : users)
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == &parameter) user->set_operand(i, own);
  for (const auto& block : function.blocks()) {
    Instruction* end = block->terminator();
    if (!changes || end == nullptr || end->opcode() != Opcode::return_) continue;
    Builder at_end(*block, end);
    at_end.create(Opcode::store, {at_end.create(Opcode::load, {own}), &parameter});
  }
}

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
        copy(*function, *parameter);
        changed = true;
      }
  }
  return changed;
}

}  // namespace dlvm
