#include "dlvm/transform/mixed_stacks.h"

#include <algorithm>

#include "dlvm/ir/builder.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {
namespace {

/// The instructions that push values to a stack, peek at it or pop, in the order of the function, and the
/// types of the values.
struct MixedStack {
  Instruction* stack = nullptr;
  std::vector<Instruction*> accesses;
  std::vector<Type> types;
};

const Type& type_of_access(const Instruction& access) {
  return access.opcode() == Opcode::push ? access.operand(0)->type() : access.type();
}

bool is_access(const Instruction& instruction, const Value& stack) {
  switch (instruction.opcode()) {
    case Opcode::push:
      return instruction.operand(1) == &stack && !instruction.operand(0)->type().is_stack();
    case Opcode::peek:
    case Opcode::pop:
      return !instruction.type().is_stack();
    default:
      return false;
  }
}

bool has_several_types(const Instruction& stack) {
  const Type* type = nullptr;
  return std::ranges::any_of(stack.users(), [&](const Instruction* user) {
    if (!is_access(*user, stack)) return false;
    const Type& accessed = type_of_access(*user);
    if (type == nullptr) type = &accessed;
    return !(*type == accessed);
  });
}

/// Returns nothing where something else uses the stack.
std::optional<MixedStack> accesses_of(Instruction& stack) {
  MixedStack found{&stack, {}, {}};
  for (const auto& block : stack.block()->function().blocks())
    for (const auto& instruction : block->instructions()) {
      if (std::ranges::find(instruction->operands(), &stack) == instruction->operands().end()) continue;
      if (instruction->opcode() == Opcode::destroyStack) continue;
      if (!is_access(*instruction, stack)) return std::nullopt;
      found.accesses.push_back(instruction.get());
      const Type& type = type_of_access(*instruction);
      if (std::ranges::find(found.types, type) == found.types.end()) found.types.push_back(type);
    }
  return found;
}

/// Returns the default value; that of a tuple is made of its components, of which each leaf is a value then.
Value* composed_default(Builder& builder, Function& function, const Type& type) {
  if (!type.is_tuple()) return default_value(function, type);
  std::vector<Value*> components;
  for (const Type& component : type.components())
    components.push_back(composed_default(builder, function, component));
  return builder.tuple(std::move(components));
}

/// Replaces the accesses. The positions of types begin with 1, because the zeros below a stack are of any
/// type.
class Unification {
 public:
  explicit Unification(const MixedStack& mixed)
      : mixed_(mixed), zeros_below_(std::holds_alternative<Integers>(mixed.stack->attributes()[1])) {
    std::vector<Type> components{Type::scalar(ElementType::i32)};
    components.insert(components.end(), mixed.types.begin(), mixed.types.end());
    record_ = Type::tuple(std::move(components));
  }

  void run() const {
    for (Instruction* access : mixed_.accesses) {
      Builder builder(*access->block(), access);
      builder.set_locations(access->locations());
      const auto found = std::ranges::find(mixed_.types, type_of_access(*access));
      const std::int64_t at = 1 + (found - mixed_.types.begin());
      if (access->opcode() == Opcode::push)
        push(builder, *access, at);
      else
        take(builder, *access, at);
      access->block()->erase(access);
    }
  }

 private:
  void push(Builder& builder, const Instruction& access, std::int64_t at) const {
    Function& function = access.block()->function();
    std::vector<Value*> components{builder.constant(ElementType::i32, static_cast<double>(at))};
    for (const Type& type : mixed_.types) {
      const bool is_pushed = components.size() == static_cast<std::size_t>(at);
      components.push_back(is_pushed ? access.operand(0) : composed_default(builder, function, type));
    }
    builder.push(builder.tuple(std::move(components)), mixed_.stack);
  }

  void take(Builder& builder, Instruction& access, std::int64_t at) const {
    Value* record = builder.create(access.opcode(), {mixed_.stack}, {record_});
    Value* kind = builder.extract(record, 0);
    if (zeros_below_) {
      Value* none = builder.binary(Opcode::equal, kind, builder.constant(ElementType::i32, 0));
      kind = builder.select(builder.constant(ElementType::i32, static_cast<double>(at)), kind, none);
    }
    builder.check_index(kind, at, at + 1);
    Value* value = builder.extract(record, at);
    value->set_name(access.name());
    if (!access.users().empty()) replace_all_uses(access, *value);
  }

  const MixedStack& mixed_;
  const bool zeros_below_;
  Type record_;
};

}  // namespace

bool unify_mixed_stacks(Function& function) {
  std::vector<MixedStack> mixed;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (instruction->opcode() != Opcode::createStack || !has_several_types(*instruction)) continue;
      if (auto found = accesses_of(*instruction)) mixed.push_back(std::move(*found));
    }
  for (const MixedStack& each : mixed) Unification(each).run();
  return !mixed.empty();
}

}  // namespace dlvm
