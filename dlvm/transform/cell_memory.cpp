#include "dlvm/transform/cell_memory.h"

#include <set>

#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/transform/counted_loop.h"

namespace dlvm {
namespace {

constexpr ElementType number = ElementType::i64;

/// The numbers of the cells of a tensor.
Value* cells_from(Builder& b, const Type& type, Value* at) {
  return b.add(b.iota({unit_count(type.shape())}, 0, number), at);
}

}  // namespace

Value* cell_pointer(Builder& b, Value* memory, Value* at) {
  return b.create(Opcode::elementPointer, {memory, at}, {Integers{position_of_value}});
}

Value* cell_behind(Builder& b, Value* at, const Extent& by) {
  return by.is(0) ? at : b.add(at, number_of(b, by));
}

CellMemory::CellMemory(Module& module, Builder& b, const std::vector<Type>& types, const Extent& cells)
    : module_(module), cells_(cells) {
  for (const Type& type : types)
    for (const Type& tensor : leaves(type)) {
      const auto [place, fresh] = memory_.try_emplace(tensor.element(), nullptr);
      if (fresh)
        place->second =
            b.create(Opcode::allocateStack, {}, {Type::tensor(tensor.element(), {cells}), Shape{1}});
    }
}

Extent CellMemory::size(const Type& type) {
  if (type.is_tensor()) return unit_count(type.shape());
  if (type.kind() == Type::Kind::array)
    return type.component_count() == 0
               ? Extent(0)
               : size(type.component(0)) * Extent(static_cast<std::int64_t>(type.component_count()));
  Extent all = 0;
  for (std::size_t i = 0; i < type.component_count(); ++i) all = all + size(type.component(i));
  return all;
}

Extent CellMemory::step(const Type& type) {
  const bool may_be_empty =
      any_part_of(type, [](const Type& part) { return size(part).lower_bound().value_or(0) < 1; });
  return may_be_empty ? size(type) + Extent(1) : size(type);
}

Value* CellMemory::whole(Builder& b, ElementType element) const {
  return b.create(Opcode::load, {memory_.at(element)});
}

Value* CellMemory::load(Builder& b, const Type& type, Value* at) const {
  if (type.is_tensor()) return load_tensor(b, type, at);
  std::vector<Value*> components;
  Extent by = 0;
  for (std::size_t i = 0; i < type.component_count(); ++i) {
    components.push_back(load(b, type.component(i), cell_behind(b, at, by)));
    by = by + size(type.component(i));
  }
  return b.aggregate(type, std::move(components));
}

Value* CellMemory::load_tensor(Builder& b, const Type& type, Value* at) const {
  if (type.is_scalar()) return b.create(Opcode::load, {cell_pointer(b, memory_.at(type.element()), at)});
  Value* elements = b.gather(whole(b, type.element()), {cells_from(b, type, at)}, {0});
  return b.shape_cast(elements, type.shape());
}

void CellMemory::store(Builder& b, Value* value, Value* at) const {
  const Type& type = value->type();
  if (type.is_tensor()) return store_tensor(b, value, at);
  Extent by = 0;
  for (std::size_t i = 0; i < type.component_count(); ++i) {
    store(b, b.extract(value, static_cast<std::int64_t>(i)), cell_behind(b, at, by));
    by = by + size(type.component(i));
  }
}

void CellMemory::store_tensor(Builder& b, Value* value, Value* at) const {
  const Type& type = value->type();
  Value* memory = memory_.at(type.element());
  if (type.is_scalar()) {
    b.create(Opcode::store, {value, cell_pointer(b, memory, at)});
    return;
  }
  const Combinator replaces{Opcode::add, replacement(module_, type.element())};
  Value* elements = b.shape_cast(value, {unit_count(type.shape())});
  Value* changed = b.scatter(elements, whole(b, type.element()), {cells_from(b, type, at)}, replaces, {0});
  b.create(Opcode::store, {changed, memory});
}

void CellMemory::copy(Builder& b, const Type& type, Value* from, Value* to, Value* count) const {
  Value* distance = b.subtract(b.iota({cells_}, 0, number), to);
  Value* before_end = b.subtract(b.multiply(count, number_of(b, step(type))),
                                 number_of(b, step(type) - size(type)));  // what is behind a part stays
  Value* is_copied =
      b.binary(Opcode::and_, b.binary(Opcode::greaterThanOrEqual, distance, b.constant(number, 0)),
               b.binary(Opcode::lessThan, distance, before_end));
  Value* source = b.select(b.add(distance, from), b.constant(number, 0), is_copied);
  std::set<ElementType> elements;
  for (const Type& tensor : leaves(type)) elements.insert(tensor.element());
  for (const ElementType element : elements) {
    Value* before = whole(b, element);
    Value* copied = b.gather(before, {source}, {0});
    b.create(Opcode::store, {b.select(copied, before, is_copied), memory_.at(element)});
  }
}

}  // namespace dlvm
