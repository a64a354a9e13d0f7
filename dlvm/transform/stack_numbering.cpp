#include "dlvm/transform/stack_numbering.h"

#include <algorithm>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/numbered_stacks.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/counted_loop.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/mapped_types.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

constexpr ElementType number = NumberedStacks::number;
constexpr ElementType kind = ElementType::i32;

Value* allocate(Builder& b, const Type& type, const Extent& count) {
  return b.create(Opcode::allocateStack, {}, {type, Shape{count}});
}
Value* value_at(Builder& b, Value* memory, Value* at) {
  return b.create(Opcode::elementPointer, {memory, at}, {Integers{}});
}
Value* load_at(Builder& b, Value* memory, Value* at) {
  return b.create(Opcode::load, {value_at(b, memory, at)});
}
void store_at(Builder& b, Value* value, Value* memory, Value* at) {
  b.create(Opcode::store, {value, value_at(b, memory, at)});
}

/// The memory of the stacks that may meet. Those of one capacity follow one another; else two tables have the
/// place of the first value of each, and its capacity. The number of a stack that may be undefined is 0 where
/// it is, and its use fails.
class Pool {
 public:
  Pool(Function& function, const StackPool& pool, bool may_lack)
      : function_(function),
        pool_(pool),
        name_(name_of(pool) + "_depth"),
        first_(may_lack ? 1 : 0),
        count_(first_) {
    for (const auto& stack : pool.stacks) {
      count_ += stack.runs;
      total_ = total_ + stack.capacity * Extent(stack.runs);
      is_even_ = is_even_ && stack.capacity == pool.stacks[0].capacity;
    }
    if (is_even_) total_ = total_ + pool.stacks[0].capacity * Extent(first_);
    if (pool.types.size() > 1) {
      std::vector<Type> components{Type::scalar(kind)};
      components.insert(components.end(), pool.types.begin(), pool.types.end());
      record_ = Type::tuple(std::move(components));
    } else if (!pool.types.empty()) {
      record_ = pool.types[0];
    }
  }

  void run() {
    Builder b(function_.entry(), function_.entry().instructions().front().get());
    values_ = allocate(b, record_, total_);
    depths_ = allocate(b, Type::scalar(number), count_);
    if (!is_even_) {
      starts_ = allocate(b, Type::scalar(number), count_);
      capacities_ = allocate(b, Type::scalar(number), count_);
    }
    std::vector<Value*> runs;  // how often those in loops have been made
    for (const auto& stack : pool_.stacks)
      runs.push_back(stack.repeats ? allocate(b, Type::scalar(number), 1) : nullptr);
    std::int64_t first = first_;
    Extent start = 0;
    for (std::size_t i = 0; i < pool_.stacks.size(); ++i) {
      const StackPool::Stack& stack = pool_.stacks[i];
      create(stack, runs[i], first, start);
      first += stack.runs;
      start = start + stack.capacity * Extent(stack.runs);
    }
    for (Instruction* access : pool_.accesses)
      if (access->opcode() == Opcode::push)
        push(*access);
      else
        take(*access);
  }

 private:
  static std::string name_of(const StackPool& pool) {
    const std::string& name = pool.stacks[0].instruction->name();
    return name.empty() ? "stack" : name;
  }
  Value* integer(Builder& b, std::int64_t value) const {
    return b.constant(number, static_cast<double>(value));
  }

  /// The first number and place are those of the first time that the stack is made.
  void create(const StackPool::Stack& stack, Value* runs, std::int64_t first, const Extent& start) {
    Builder b = builder_before(*stack.instruction);
    Value *at = integer(b, first), *place = number_of(b, start);
    if (runs != nullptr) {
      Value* run = b.check_index(b.create(Opcode::load, {runs}), 0, stack.runs);
      b.create(Opcode::store, {b.add(run, integer(b, 1)), runs});
      at = b.add(at, run);
      place = b.add(place, b.multiply(run, number_of(b, stack.capacity)));
    }
    store_at(b, integer(b, 0), depths_, at);
    if (!is_even_) {
      store_at(b, place, starts_, at);
      store_at(b, number_of(b, stack.capacity), capacities_, at);
    }
    replace(*stack.instruction, at);
  }

  /// Returns the place of the value of that depth on a stack. The depth is below 0 for a stack that is empty,
  /// and the capacity for one that is full.
  Value* place_of(Builder& b, Value* stack, Value* depth) const {
    if (is_even_) {
      const Extent& capacity = pool_.stacks[0].capacity;
      return b.add(b.multiply(stack, number_of(b, capacity)), b.check_index(depth, 0, capacity));
    }
    Value* fits = b.binary(Opcode::lessThan, depth, load_at(b, capacities_, stack));
    Value* checked = b.select(depth, integer(b, -1), fits);
    checked->set_name(depth->name());
    return b.add(load_at(b, starts_, stack), b.check_index(checked, 0, total_));
  }

  Value* stack_of(Builder& b, const Instruction& access) const {
    Value* stack = access.operands().back();
    return first_ == 0 ? stack : b.check_index(stack, first_, count_);
  }

  Value* depth_of(Builder& b, Value* stack) const {
    Value* depth = load_at(b, depths_, stack);
    depth->set_name(name_);
    return depth;
  }

  void push(Instruction& access) const {
    Builder b = builder_before(access);
    Value *value = access.operand(0), *stack = stack_of(b, access), *depth = depth_of(b, stack);
    store_at(b, record_of(b, value), values_, place_of(b, stack, depth));
    store_at(b, b.add(depth, integer(b, 1)), depths_, stack);
    access.block()->erase(&access);
  }

  /// `pop`, or `peek`.
  void take(Instruction& access) const {
    Builder b = builder_before(access);
    Value* stack = stack_of(b, access);
    Value* depth = b.subtract(depth_of(b, stack), integer(b, 1));
    depth->set_name(name_);
    Value* record = load_at(b, values_, place_of(b, stack, depth));
    if (access.opcode() == Opcode::pop) store_at(b, depth, depths_, stack);
    replace(access, value_of(b, record, access.type()));
  }

  /// The position of a type in a record, of which the first component says which one has a value.
  std::int64_t position_of(const Type& type) const {
    return 1 + (std::ranges::find(pool_.types, type) - pool_.types.begin());
  }

  Value* record_of(Builder& b, Value* value) const {
    if (pool_.types.size() < 2) return value;
    const std::int64_t at = position_of(value->type());
    std::vector<Value*> components{b.constant(kind, static_cast<double>(at))};
    for (const Type& type : pool_.types) components.push_back(default_value(function_, type));
    components[static_cast<std::size_t>(at)] = value;
    return b.tuple(std::move(components));
  }

  Value* value_of(Builder& b, Value* record, const Type& type) const {
    if (pool_.types.size() < 2) return record;
    const std::int64_t at = position_of(type);
    b.check_index(b.extract(record, 0), at, at + 1);
    return b.extract(record, at);
  }

  static void replace(Instruction& instruction, Value* value) {
    if (value->name().empty() && as_literal(value) == nullptr) value->set_name(instruction.name());
    if (!instruction.users().empty()) replace_all_uses(instruction, *value);
    instruction.block()->erase(&instruction);
  }

  Function& function_;
  const StackPool& pool_;
  const std::string name_;  ///< of depths, in messages
  Type record_;
  Extent total_ = 0;          ///< how many values there may be
  const std::int64_t first_;  ///< the number of the first stack
  std::int64_t count_;        ///< the number behind the last one
  bool is_even_ = true;       ///< all have one capacity
  Value *values_ = nullptr, *depths_ = nullptr, *starts_ = nullptr, *capacities_ = nullptr;
};

void change_type(Value& value, const NumberedStacks& numbered) {
  if (!value.type().is_stack() || numbered.is_numbered(value))
    set_type(value, NumberedStacks::mapped(value.type()));
}

void change_types(Instruction& instruction, const NumberedStacks& numbered) {
  Function& function = instruction.block()->function();
  for (std::size_t i = 0; i < instruction.operands().size(); ++i)
    if (const Literal* literal = as_literal(instruction.operand(i))) {
      const Type type = NumberedStacks::mapped(literal->type());
      if (!(type == literal->type())) instruction.set_operand(i, default_value(function, type));
    }
  change_type(instruction, numbered);
  map_attributes(instruction, NumberedStacks::mapped);
}

void change_types(Function& function, const NumberedStacks& numbered) {
  for (const auto& block : function.blocks()) {
    for (const auto& argument : block->arguments()) change_type(*argument, numbered);
    for (const auto& instruction : block->instructions()) change_types(*instruction, numbered);
  }
}

void erase_ends(Function& function, const NumberedStacks& numbered) {
  std::vector<Instruction*> ends;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::destroyStack && numbered.is_numbered(*instruction->operand(0)))
        ends.push_back(instruction.get());
  for (Instruction* end : ends) end->block()->erase(end);
}

/// Whether a stack may be none that was made: a constant, or what memory holds before a store.
bool may_lack_stack(const Function& function) {
  return std::ranges::any_of(function.blocks(), [](const auto& block) {
    return std::ranges::any_of(block->instructions(), [](const auto& instruction) {
      if (instruction->opcode() == Opcode::load) return NumberedStacks::holds_stack(instruction->type());
      return std::ranges::any_of(instruction->operands(), [](const Value* operand) {
        return as_literal(operand) != nullptr && NumberedStacks::holds_stack(operand->type());
      });
    });
  });
}

bool number_stacks(Function& function) {
  const bool changed = remove_unreachable_blocks(function);
  const NumberedStacks numbered(function);
  if (numbered.empty()) return changed;
  const bool may_lack = may_lack_stack(function);
  erase_ends(function, numbered);
  change_types(function, numbered);
  for (const StackPool& pool : numbered.pools()) Pool(function, pool, may_lack).run();
  return true;
}

}  // namespace

bool stack_numbering(Module& module) {
  bool changed = false;
  for (const auto& function : module.functions())
    if (function->has_body()) changed = number_stacks(*function) || changed;
  return changed;
}

bool takes_stack(const Component& component) {
  return std::ranges::any_of(component.functions, [](const Function* function) {
    return NumberedStacks::holds_stack(function->type());
  });
}

}  // namespace dlvm
