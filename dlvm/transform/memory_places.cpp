#include "dlvm/transform/memory_places.h"

#include <algorithm>
#include <functional>

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

std::size_t tensor_count(const Type& type) {
  std::vector<Type> tensors;
  append_tensors(type, {}, tensors);
  return tensors.size();
}

Value* index(Builder& b, const PathStep& step) {
  if (step.value == nullptr) return b.constant(counted, static_cast<double>(step.at));
  return step.value->type().element() == counted ? step.value : b.cast(step.value, counted);
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

}  // namespace

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

Builder builder_before(const Instruction& instruction) {
  Builder builder(*instruction.block(), &instruction);
  builder.set_locations(instruction.locations());
  return builder;
}

Place place_of(const SplitMemory& memory) {
  return {&memory, memory.allocation->type().pointee(), 0, {}, memory.count != 1};
}

Place place_of(const Instruction& element_pointer, Place place) {
  if (Value* from = first_value(element_pointer)) move(place, from, builder_before(element_pointer));
  const std::vector<PathStep> steps = path_steps(element_pointer);
  if (!steps.empty()) enter(place);
  for (const PathStep& step : steps) place = component(std::move(place), step);
  return place;
}

void enter(Place& place) {
  if (place.is_list && place.first.value == nullptr && place.memory->count == 0)  // the position is outside
    place.first.value = builder_before(*place.memory->allocation).constant(counted, 0);
  if (place.is_list) place.path.push_back(place.first);
  place.is_list = false;
  place.first = {};
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

namespace {

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

/// So that there is a row 0 where none is copied.
Value* with_one_more_row(Builder& b, Value* tensor) {
  ExtentPairs amounts(tensor->type().rank(), {0, 0});
  amounts[0].second = 1;
  return b.pad(tensor, std::move(amounts), b.constant(tensor->type().element(), 0));
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
  if (!source.memory->count.constant()) from = with_one_more_row(b, from);
  Value* rows = b.gather(from, {at}, {0});
  return b.select(rows, to, b.shape_cast(is_copied, column(type)));
}

bool is_whole(const Place& place, const Value* count) {
  const Literal* literal = as_literal(count);
  return literal != nullptr && place.memory->count == literal->data().integer(0) &&
         place.first.value == nullptr && place.first.at == 0;
}

void copy_list(Builder& b, const Place& source, const Place& target, Value* count) {
  const bool whole = is_whole(source, count) && is_whole(target, count);
  if (!whole) {
    check_count(b, count, source);
    check_count(b, count, target);
  }
  if (source.memory->count == 0) return;  // no row could be gathered
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

}  // namespace

void copy(Builder& b, const Place& source, const Place& target, Value* count) {
  if (source.is_list && target.is_list)
    copy_list(b, source, target, count);
  else
    copy_value(b, source, target, count);
}

}  // namespace dlvm
