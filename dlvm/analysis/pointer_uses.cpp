#include "dlvm/analysis/pointer_uses.h"

#include <unordered_set>

namespace dlvm {
namespace {

/// Whether an operand chooses among the values of an allocation or the components of an array. The rows of a
/// tensor are parts of one value.
bool chooses(const Instruction& pointer) {
  if (first_value(pointer) != nullptr) return true;
  Type type = pointer.operand(0)->type().pointee();
  for (const PathStep& step : path_steps(pointer)) {
    if (type.is_tensor()) return false;
    if (step.value != nullptr) return true;
    type = *component_type(type, step.at);
  }
  return false;
}

/// A call or a return gives more away than what keeps the pointer in the function.
void add_escape(PointerUses& uses, Instruction& escape) {
  const bool leaves = escape.opcode() == Opcode::apply || escape.opcode() == Opcode::return_;
  if (uses.escape == nullptr || leaves) uses.escape = &escape;
}

void follow(Value& pointer, PointerUses& uses) {
  std::unordered_set<const Instruction*> known;
  for (Instruction* user : pointer.users()) {
    if (!known.insert(user).second) continue;  // it uses the pointer twice
    switch (user->opcode()) {
      case Opcode::load:
        uses.loads.push_back(user);
        break;
      case Opcode::store:
        if (user->operand(0) == &pointer) add_escape(uses, *user);
        uses.stores.push_back(user);
        break;
      case Opcode::elementPointer:
        uses.chooses = uses.chooses || chooses(*user);
        [[fallthrough]];
      case Opcode::projectBox:
        uses.derived.push_back(user);
        follow(*user, uses);
        break;
      case Opcode::copy:
        uses.copies.push_back(user);
        break;
      case Opcode::deallocate:
        if (match(&pointer, Opcode::elementPointer) != nullptr) add_escape(uses, *user);  // an error
        [[fallthrough]];
      case Opcode::release:
        uses.ends.push_back(user);
        break;
      case Opcode::retain:
        uses.retains.push_back(user);
        break;
      default:
        add_escape(uses, *user);
    }
  }
}

}  // namespace

PointerUses pointer_uses(Value& pointer) {
  PointerUses uses;
  follow(pointer, uses);
  return uses;
}

PathStep step_of(Value* value, const Extent& count) {
  const Literal* literal = as_literal(value);
  const auto most = count.constant();
  if (literal != nullptr && literal->type().is_scalar() && most) {
    const std::int64_t at = literal->data().integer(0);
    if (at >= 0 && at < *most) return {at, nullptr, count};
  }
  return {0, value, count};
}

std::vector<PathStep> path_steps(const Instruction& element_pointer) {
  return path_steps(element_pointer, element_pointer.operand(0)->type().pointee());
}

std::vector<PathStep> path_steps(const Instruction& element_pointer, Type type) {
  std::vector<PathStep> steps;
  std::size_t next = 1;
  for (const std::int64_t at : std::get<Integers>(element_pointer.attributes()[0])) {
    const Extent count =
        type.is_tensor() ? type.shape()[0] : Extent(static_cast<std::int64_t>(type.component_count()));
    steps.push_back(at == position_of_value ? step_of(element_pointer.operand(next++), count)
                                            : PathStep{at, nullptr, count});
    type = *component_type(type, at);
  }
  return steps;
}

Value* first_value(const Instruction& element_pointer) {
  const auto& path = std::get<Integers>(element_pointer.attributes()[0]);
  const auto given = 1 + static_cast<std::size_t>(std::ranges::count(path, position_of_value));
  return given < element_pointer.operands().size() ? element_pointer.operand(given) : nullptr;
}

}  // namespace dlvm
