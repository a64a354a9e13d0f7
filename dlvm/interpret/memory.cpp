// Memory, and the rules of the instructions that work on it.
#include "dlvm/interpret/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {

/// The values may point to each other, so that nothing else would free them.
Memory::~Memory() {
  for (const auto& object : objects_) object->values.clear();
}

std::shared_ptr<MemoryObject> Memory::allocate(MemoryObject::Kind kind, const RuntimeValue& initial,
                                               std::int64_t count, InterpretError& error) {
  constexpr std::int64_t most_values = 1 << 24;
  const auto fail = [&](std::string text) {
    error.kind = InterpretError::Kind::memory;
    error.text = std::move(text);
    return nullptr;
  };
  if (count < 0) return fail(fmt::format("an allocation of {} values", count));
  const std::int64_t one = std::max<std::int64_t>(1, initial.byte_count());
  if (count > most_values || one > (byte_limit_ - bytes_) / std::max<std::int64_t>(1, count))
    return fail(fmt::format("an allocation of {} values of {} bytes is over the memory limit", count, one));
  auto object = std::make_shared<MemoryObject>();
  object->kind = kind;
  object->values.assign(static_cast<std::size_t>(count), initial);
  object->bytes = one * count;
  bytes_ += object->bytes;
  objects_.push_back(object);
  if (kind == MemoryObject::Kind::stack) stack_.push_back(object);
  return object;
}

std::shared_ptr<MemoryObject> Memory::global(const Global& variable) const {
  const auto found = globals_.find(&variable);
  return found == globals_.end() ? nullptr : found->second;
}

void Memory::add_global(const Global& variable, std::shared_ptr<MemoryObject> object) {
  globals_[&variable] = std::move(object);
}

void Memory::end(MemoryObject& object) {
  object.ended = true;
  object.values.clear();
  bytes_ -= object.bytes;
}

void Memory::end_stack(std::size_t from) {
  for (; stack_.size() > from; stack_.pop_back()) end(*stack_.back());
}

namespace evaluation {
namespace {

std::nullopt_t fail_memory(Evaluation& e, std::string text) {
  return e.fail(InterpretError::Kind::memory, std::move(text));
}

/// Returns where operand `i` points, and reports null and memory that has ended.
const MemoryPointer* target(Evaluation& e, std::size_t i) {
  const MemoryPointer* pointer = e.operands[i].pointer();
  if (pointer == nullptr) fail_memory(e, "the pointer is null");
  if (pointer != nullptr && pointer->object->ended) {
    constexpr std::string_view ends[]{"the function that allocated it has returned", "it was deallocated",
                                      "its last reference was released", ""};
    fail_memory(
        e, fmt::format("the memory is used after {}", ends[static_cast<std::size_t>(pointer->object->kind)]));
    return nullptr;
  }
  return pointer;
}

/// The value that the pointer points to, or into; an allocation of no values has none.
RuntimeValue* value_at(Evaluation& e, const MemoryPointer& pointer) {
  if (!pointer.object->values.empty())
    return &pointer.object->values[static_cast<std::size_t>(pointer.first)];
  fail_memory(e, "the allocation has no values");
  return nullptr;
}

/// A row of a tensor: the elements at the position along its first axis.
Tensor row(const Tensor& tensor, std::int64_t at) {
  Tensor part(tensor.element(), {tensor.extents().begin() + 1, tensor.extents().end()});
  std::memcpy(part.data(), tensor.data() + static_cast<std::size_t>(at) * part.byte_count(),
              part.byte_count());
  return part;
}

RuntimeValue component(const RuntimeValue& value, std::int64_t at) {
  if (value.is_tensor()) return row(value.tensor(), at);
  return value.elements()[static_cast<std::size_t>(at)];
}

/// The value with the component at the path replaced.
RuntimeValue replaced(const RuntimeValue& value, std::span<const std::int64_t> path, const RuntimeValue& by) {
  if (path.empty()) return by;
  const RuntimeValue part = replaced(component(value, path[0]), path.subspan(1), by);
  if (value.is_tensor()) {
    Tensor whole = value.tensor();
    const std::size_t bytes = part.tensor().byte_count();
    std::memcpy(whole.data() + static_cast<std::size_t>(path[0]) * bytes, part.tensor().data(), bytes);
    return whole;
  }
  std::vector<RuntimeValue> elements(value.elements().begin(), value.elements().end());
  elements[static_cast<std::size_t>(path[0])] = part;
  return elements;
}

Outcome allocated(Evaluation& e, MemoryObject::Kind kind, std::int64_t count) {
  auto initial = zero_of(std::get<Type>(e.instruction.attributes()[0]), e);
  if (!initial) return std::nullopt;
  auto object = e.memory->allocate(kind, *initial, count, e.error);
  if (object == nullptr) return std::nullopt;
  return RuntimeValue::pointer(std::make_shared<const MemoryPointer>(MemoryPointer{std::move(object), {}}));
}

/// The number of values that the operand points to; a component of a value counts as one.
std::int64_t length(const MemoryPointer& pointer) {
  const auto values = static_cast<std::int64_t>(pointer.object->values.size()) - pointer.first;
  return pointer.path.empty() ? values : std::min<std::int64_t>(1, values);
}

}  // namespace

Outcome zero_of(const Type& type, Evaluation& e) {
  if (type.is_tensor()) {
    const ElementType element = e.interpreted(type.element());
    auto extents = concrete_shape(type.shape(), element, e.dimensions, e.byte_limit, e.error);
    if (!extents) return std::nullopt;
    return RuntimeValue(Tensor(element, std::move(*extents)));
  }
  if (!type.is_aggregate()) return RuntimeValue();
  std::vector<RuntimeValue> components;
  for (std::size_t i = 0; i < type.component_count(); ++i) {
    auto zero = zero_of(type.component(i), e);
    if (!zero) return std::nullopt;
    components.push_back(std::move(*zero));
  }
  return RuntimeValue(std::move(components));
}

namespace rules {

RULE(allocateStack) {
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();  // `allocated` has one
  const auto count = concrete_shape(std::get<Shape>(e.instruction.attributes()[1]), ElementType::i8,
                                    e.dimensions, no_limit, e.error);
  return count ? allocated(e, MemoryObject::Kind::stack, (*count)[0]) : std::nullopt;
}

RULE(allocateHeap) { return allocated(e, MemoryObject::Kind::heap, e.operand(0).integer(0)); }

RULE(allocateBox) { return allocated(e, MemoryObject::Kind::box, 1); }

RULE(projectBox) {
  if (target(e, 0) == nullptr) return std::nullopt;
  return e.operands[0];
}

RULE(retain) {
  const MemoryPointer* box = target(e, 0);
  if (box == nullptr) return std::nullopt;
  ++box->object->references;
  return RuntimeValue();
}

RULE(release) {
  const MemoryPointer* box = target(e, 0);
  if (box == nullptr) return std::nullopt;
  if (--box->object->references == 0) e.memory->end(*box->object);
  return RuntimeValue();
}

RULE(deallocate) {
  const MemoryPointer* pointer = target(e, 0);
  if (pointer == nullptr) return std::nullopt;
  if (pointer->object->kind != MemoryObject::Kind::heap || !pointer->path.empty() || pointer->first != 0)
    return fail_memory(e, "the pointer is not one that allocateHeap gave");
  e.memory->end(*pointer->object);
  return RuntimeValue();
}

RULE(load) {
  const MemoryPointer* pointer = target(e, 0);
  const RuntimeValue* first = pointer == nullptr ? nullptr : value_at(e, *pointer);
  if (first == nullptr) return std::nullopt;
  RuntimeValue value = *first;
  for (const std::int64_t at : pointer->path) value = component(value, at);
  return value;
}

RULE(store) {
  const MemoryPointer* pointer = target(e, 1);
  RuntimeValue* first = pointer == nullptr ? nullptr : value_at(e, *pointer);
  if (first == nullptr) return std::nullopt;
  *first = replaced(*first, pointer->path, e.operands[0]);
  return RuntimeValue();
}

RULE(elementPointer) {
  const MemoryPointer* pointer = target(e, 0);
  if (pointer == nullptr) return std::nullopt;
  MemoryPointer made = *pointer;
  Type type = e.instruction.operand(0)->type().pointee();
  std::size_t next = 1;
  for (std::int64_t at : std::get<Integers>(e.instruction.attributes()[0])) {
    if (at == position_of_value) at = e.operand(next++).integer(0);
    const auto count = type.is_tensor() ? e.extent(type.shape()[0])
                                        : std::optional(static_cast<std::int64_t>(type.component_count()));
    if (!count) return std::nullopt;
    if (at < 0 || at >= *count)
      return e.fail(InterpretError::Kind::index,
                    fmt::format("the position {} is outside of {}, which has {}", at, type.text(), *count));
    made.path.push_back(at);
    type = *component_type(type, at);
  }
  if (next < e.operands.size()) {
    const std::int64_t by = e.operand(next).integer(0), count = length(*pointer);
    if (by < -pointer->first || by >= count || (by != 0 && !pointer->path.empty()))
      return e.fail(
          InterpretError::Kind::index,
          fmt::format("the value {} behind one of an allocation that has {} from there on", by, count));
    made.first += by;
  }
  return RuntimeValue::pointer(std::make_shared<const MemoryPointer>(std::move(made)));
}

RULE(copy) {
  const MemoryPointer* from = target(e, 0);
  const MemoryPointer* to = from == nullptr ? nullptr : target(e, 1);
  if (to == nullptr) return std::nullopt;
  const std::int64_t count = e.operand(2).integer(0);
  const std::int64_t most = std::min(length(*from), length(*to));
  if (count < 0 || count > most)
    return e.fail(InterpretError::Kind::index,
                  fmt::format("a copy of {} values, where there are {}", count, most));
  std::vector<RuntimeValue> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(from->object->values[static_cast<std::size_t>(from->first + i)]);
    for (const std::int64_t at : from->path) values.back() = component(values.back(), at);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    RuntimeValue& value = to->object->values[static_cast<std::size_t>(to->first) + i];
    value = replaced(value, to->path, values[i]);
  }
  return RuntimeValue();
}

}  // namespace rules
}  // namespace evaluation
}  // namespace dlvm
