#include "dlvm/transform/tuple_leaves.h"

#include "dlvm/analysis/leaves.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {

bool has_components(const Type& type) {
  return type.is_tuple() || (type.is_aggregate() && !holds_enum(type));
}

namespace {

std::size_t count_of(const Type& type) {
  if (!has_components(type)) return 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < type.component_count(); ++i) count += count_of(type.component(i));
  return count;
}

}  // namespace

std::vector<Value*> leaves_of(Value* value, Builder& builder) {
  if (!has_components(value->type())) return {value};
  const Instruction* literal = match(value, Opcode::literal);
  std::vector<Value*> all;
  for (std::size_t i = 0; i < value->type().component_count(); ++i) {
    Value* element =
        literal != nullptr ? literal->operand(i) : builder.extract(value, static_cast<std::int64_t>(i));
    const std::vector<Value*> inner = leaves_of(element, builder);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

Value* from_leaves(const Type& type, std::span<Value* const> leaves, Builder& builder) {
  if (!has_components(type)) return leaves.front();
  std::vector<Value*> elements;
  for (const Type& element : type.components()) {
    const std::size_t count = count_of(element);
    elements.push_back(from_leaves(element, leaves.first(count), builder));
    leaves = leaves.subspan(count);
  }
  return builder.aggregate(type, std::move(elements));
}

std::vector<const Value*> written_leaves(const Value* value) {
  if (!value->type().is_aggregate()) return {value};
  const auto tuple = as<Composite>(value);
  if (!tuple) return std::vector<const Value*>(leaf_count(value->type()));
  std::vector<const Value*> all;
  for (const Value* component : tuple.components()) {
    const std::vector<const Value*> inner = written_leaves(component);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

void forward_components(Value* value) {
  Instruction* tuple = match(value, Opcode::literal);
  if (tuple == nullptr) return;
  const auto users = tuple->users();
  for (Instruction* user : users) {
    const auto extract = as<Extract>(user);
    if (!extract) continue;
    Value* component = tuple->operand(extract.position());
    replace_all_uses(*user, *component);
    user->block()->erase(user);
    forward_components(component);
  }
}

}  // namespace dlvm
