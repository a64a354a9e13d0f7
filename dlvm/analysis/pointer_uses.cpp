#include "dlvm/analysis/pointer_uses.h"

#include <algorithm>

namespace dlvm {
namespace {

/// Whether the path is known and leads through aggregates alone.
bool is_fixed(const Instruction& pointer) {
  Type type = pointer.operand(0)->type().pointee();
  for (const std::int64_t at : std::get<Integers>(pointer.attributes()[0])) {
    if (at == position_of_value || type.is_tensor()) return false;
    type = *component_type(type, at);
  }
  return true;
}

void follow(Instruction& pointer, PointerUses& uses) {
  std::vector<Instruction*> users = pointer.users();
  std::ranges::sort(users);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  for (Instruction* user : users) {
    switch (user->opcode()) {
      case Opcode::load:
        uses.loads.push_back(user);
        break;
      case Opcode::store:
        uses.escapes = uses.escapes || user->operand(0) == &pointer;
        uses.stores.push_back(user);
        break;
      case Opcode::elementPointer:
        uses.has_positions = uses.has_positions || !is_fixed(*user);
        [[fallthrough]];
      case Opcode::projectBox:
        uses.derived.push_back(user);
        follow(*user, uses);
        break;
      case Opcode::copy:
        uses.copies.push_back(user);
        break;
      case Opcode::deallocate:
      case Opcode::release:
        uses.ends.push_back(user);
        break;
      case Opcode::retain:
        uses.retains.push_back(user);
        break;
      default:
        uses.escapes = true;
    }
  }
}

}  // namespace

PointerUses pointer_uses(Instruction& allocation) {
  PointerUses uses;
  follow(allocation, uses);
  return uses;
}

}  // namespace dlvm
