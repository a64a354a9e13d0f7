// A place is what a pointer points to: some of the tensors, at a position in each. Loads and stores of a
// place are loads and stores of the elements of its tensors.
#include "dlvm/transform/memory_splitting.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

bool is_made_of_tensors(const Type& type) {
  if (type.is_tensor()) return true;
  if (type.kind() == Type::Kind::array && type.component_count() > 0)
    return is_made_of_tensors(type.component(0));
  return type.is_aggregate() && std::ranges::all_of(type.components(), is_made_of_tensors);
}

/// Appends the tensors of a type; `axes` are those of the values and the arrays around it.
void append_tensors(const Type& type, Shape axes, std::vector<Type>& tensors) {
  if (type.is_tensor()) {
    axes.insert(axes.end(), type.shape().begin(), type.shape().end());
    return tensors.push_back(Type::tensor(type.element(), std::move(axes)));
  }
  const bool array = type.kind() == Type::Kind::array;
  if (array) axes.emplace_back(static_cast<std::int64_t>(type.component_count()));
  const std::size_t different =
      array ? std::min<std::size_t>(1, type.component_count()) : type.component_count();
  for (std::size_t i = 0; i < different; ++i) append_tensors(type.component(i), axes, tensors);
}

std::size_t tensor_count(const Type& type) {
  std::vector<Type> tensors;
  append_tensors(type, {}, tensors);
  return tensors.size();
}

struct Memory {
  Instruction* allocation = nullptr;
  std::int64_t count = 1;
  PointerUses uses;
  std::vector<Value*> tensors;
};

struct Place {
  const Memory* memory = nullptr;
  Type type;
  std::size_t tensor = 0;      ///< the first of its tensors
  std::vector<PathStep> path;  ///< into each of them
  bool is_list = false;        ///< the value is one of several, which are behind it
  PathStep first = {};         ///< the value's number in that list
};

Value* index(Builder& b, const PathStep& step) {
  if (step.value == nullptr) return b.constant(counted, static_cast<double>(step.at));
  return step.value->type().element() == counted ? step.value : b.cast(step.value, counted);
}

Builder builder_before(const Instruction& instruction) {
  Builder builder(*instruction.block(), &instruction);
  builder.set_locations(instruction.locations());
  return builder;
}

// ------------------------------------------------------------------------------------------ places

Place place_of(const Memory& memory) {
  return {&memory, memory.allocation->type().pointee(), 0, {}, memory.count != 1};
}

void move(Place& place, Value* by, Builder b) {
  const Extent count = place.is_list ? place.memory->count : 1;
  const PathStep step = step_of(by, count);
  const bool at_start = place.first.value == nullptr && place.first.at == 0;
  if (at_start)
    place.first = step;
  else
    place.first = step_of(b.add(index(b, place.first), index(b, {0, by, count})), count);
  if (place.first.value != nullptr) place.first.value = b.check_index(place.first.value, 0, count);
}

/// Goes from the list to the value in it. The only value of an allocation is no list.
void enter(Place& place) {
  if (place.is_list) place.path.push_back(place.first);
  place.is_list = false;
  place.first = {};
}

Place component(Place place, const PathStep& step) {
  const bool inside = place.type.is_tensor() || place.type.kind() == Type::Kind::array;
  if (inside)
    place.path.push_back(step);
  else
    for (std::int64_t i = 0; i < step.at; ++i)
      place.tensor += tensor_count(place.type.component(static_cast<std::size_t>(i)));
  place.type = *component_type(place.type, step.at);
  return place;
}

Place place_of(const Instruction& element_pointer, Place place) {
  if (Value* from = first_value(element_pointer)) move(place, from, builder_before(element_pointer));
  const std::vector<PathStep> steps = path_steps(element_pointer);
  if (!steps.empty()) enter(place);
  for (const PathStep& step : steps) place = component(std::move(place), step);
  return place;
}

// --------------------------------------------------------------------------------- loads and stores

Value* pointer(Builder& b, const Place& place) {
  Value* tensor = place.memory->tensors[place.tensor];
  if (place.path.empty()) return tensor;
  std::vector<Value*> operands{tensor};
  Integers path;
  for (const PathStep& step : place.path) {
    path.push_back(step.value == nullptr ? step.at : position_of_value);
    if (step.value != nullptr) operands.push_back(step.value);
  }
  return b.create(Opcode::elementPointer, std::move(operands), {std::move(path)});
}

Value* load(Builder& b, const Place& place) {
  if (place.type.is_tensor()) return b.create(Opcode::load, {pointer(b, place)});
  std::vector<Value*> components;
  for (std::size_t i = 0; i < place.type.component_count(); ++i)
    components.push_back(load(b, component(place, {static_cast<std::int64_t>(i)})));
  return b.aggregate(place.type, std::move(components));
}

void store(Builder& b, Value* value, const Place& place) {
  if (place.type.is_tensor()) {
    b.create(Opcode::store, {value, pointer(b, place)});
    return;
  }
  for (std::size_t i = 0; i < place.type.component_count(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    store(b, b.extract(value, at), component(place, {at}));
  }
}

// -------------------------------------------------------------------------------------------- copies

/// Fails unless `count` values can be copied from the place, or to it.
void check_count(Builder& b, Value* count, const Place& place) {
  const Extent all = place.is_list ? place.memory->count : 1;
  Value* last = b.add(index(b, place.first), index(b, {0, count, all}));
  b.check_index(count, 0, all + 1);
  b.check_index(last, 0, all + 1);
}

/// Shape that broadcasts scalars for the rows of a tensor.
Shape column(const Type& tensor) {
  Shape shape(tensor.rank(), 1);
  shape[0] = tensor.shape()[0];
  return shape;
}

/// Each row of the target is the one of the source that replaces it, or stays.
Value* copied_rows(Builder& b, Value* from, const Place& source, Value* to, const Place& target,
                   Value* count) {
  const Type& type = to->type();
  Value* row = b.subtract(b.iota({type.shape()[0]}, 0, counted), index(b, target.first));
  Value* zero = b.constant(counted, 0);
  Value* is_copied = b.binary(Opcode::and_, b.binary(Opcode::greaterThanOrEqual, row, zero),
                              b.binary(Opcode::lessThan, row, count));
  Value* at = b.select(b.add(row, index(b, source.first)), zero, is_copied);
  Value* rows = b.gather(from, {at}, {0});
  return b.select(rows, to, b.shape_cast(is_copied, column(type)));
}

bool is_whole(const Place& place, const Value* count) {
  const Literal* literal = as_literal(count);
  return literal != nullptr && literal->data().integer(0) == place.memory->count &&
         place.first.value == nullptr && place.first.at == 0;
}

void copy_list(Builder& b, const Place& source, const Place& target, Value* count) {
  const bool whole = is_whole(source, count) && is_whole(target, count);
  if (!whole) {
    check_count(b, count, source);
    check_count(b, count, target);
  }
  if (source.memory->count == 0 || target.memory->count == 0) return;
  Value* number = index(b, {0, count, 0});
  for (std::size_t t = 0; t < source.memory->tensors.size(); ++t) {
    Value* from = b.create(Opcode::load, {source.memory->tensors[t]});
    Value* to = target.memory->tensors[t];
    if (!whole) from = copied_rows(b, from, source, b.create(Opcode::load, {to}), target, number);
    b.create(Opcode::store, {from, to});
  }
}

/// Copies one value or none.
void copy_value(Builder& b, Place source, Place target, Value* count) {
  check_count(b, count, source);
  check_count(b, count, target);
  enter(source);
  enter(target);
  Value* some = b.binary(Opcode::greaterThan, index(b, {0, count, 1}), b.constant(counted, 0));
  const std::function<void(const Place&, const Place&)> copy = [&](const Place& from, const Place& to) {
    if (from.type.is_tensor()) return store(b, b.select(load(b, from), load(b, to), some), to);
    for (std::size_t i = 0; i < from.type.component_count(); ++i)
      copy(component(from, {static_cast<std::int64_t>(i)}), component(to, {static_cast<std::int64_t>(i)}));
  };
  copy(source, target);
}

// --------------------------------------------------------------------------------------------- memory

class MemorySplitting {
 public:
  explicit MemorySplitting(Function& function) : function_(function) {}

  bool run() {
    find();
    for (Memory& memory : all_) {
      make_tensors(memory);
      follow(*memory.allocation, place_of(memory));
    }
    for (const Memory& memory : all_)
      for (Instruction* each : memory.uses.derived) check_positions(*each);
    for (const Memory& memory : all_) rewrite(memory);
    for (Memory& memory : all_) remove(memory);
    return !all_.empty();
  }

 private:
  void find() {
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() != Opcode::allocateStack) continue;
        Memory memory{instruction.get(),
                      std::get<Integers>(instruction->attributes()[1])[0],
                      pointer_uses(*instruction),
                      {}};
        if (can_be_split(memory)) all_.push_back(std::move(memory));
      }
    const auto is_known = [&](const Value* pointer) {
      while (as_instruction(pointer) != nullptr &&
             as_instruction(pointer)->opcode() == Opcode::elementPointer)
        pointer = as_instruction(pointer)->operand(0);
      return std::ranges::any_of(all_, [&](const Memory& memory) { return memory.allocation == pointer; });
    };
    while (std::erase_if(all_, [&](const Memory& memory) {
             return std::ranges::any_of(memory.uses.copies, [&](const Instruction* copy) {
               return !is_known(copy->operand(0)) || !is_known(copy->operand(1));
             });
           }) > 0) {
    }
  }

  static bool can_be_split(const Memory& memory) {
    const PointerUses& uses = memory.uses;
    const bool wanted = uses.chooses || memory.count != 1 || !uses.copies.empty();
    return wanted && uses.escape == nullptr && uses.ends.empty() && uses.retains.empty() &&
           is_made_of_tensors(memory.allocation->type().pointee());
  }

  static void make_tensors(Memory& memory) {
    std::vector<Type> types;
    append_tensors(memory.allocation->type().pointee(), memory.count == 1 ? Shape{} : Shape{memory.count},
                   types);
    Builder b = builder_before(*memory.allocation);
    for (const Type& type : types) {
      memory.tensors.push_back(b.create(Opcode::allocateStack, {}, {type, Integers{1}}));
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

  void rewrite(const Memory& memory) {
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
    if (source.is_list && target.is_list)
      copy_list(b, source, target, copy.operand(2));
    else
      copy_value(b, source, target, copy.operand(2));
    copy.block()->erase(&copy);
  }

  static void remove(Memory& memory) {
    for (auto at = memory.uses.derived.rbegin(); at != memory.uses.derived.rend(); ++at)
      (*at)->block()->erase(*at);
    memory.allocation->block()->erase(memory.allocation);
  }

  Function& function_;
  std::vector<Memory> all_;
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
