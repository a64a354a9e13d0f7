#include "dlvm/transform/leaf_values.h"

#include "dlvm/analysis/expanded_type.h"

namespace dlvm {

bool holds_enum(const Type& type) {
  if (type.is_enumeration()) return is_compound(type);
  if (!type.is_aggregate()) return false;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (holds_enum(type.component(i))) return true;
  return false;
}

Literal* default_value(Function& function, const Type& type) {
  return function.literal(type, has_zero(type) ? Literal::Form::zero : Literal::Form::undefined);
}

void extract_leaves(Builder& builder, Value* value, std::vector<Value*>& into) {
  if (!is_compound(value->type())) return into.push_back(value);
  for (std::size_t i = 0; i < value->type().component_count(); ++i)
    extract_leaves(builder, builder.extract(value, static_cast<std::int64_t>(i)), into);
}

Value* assemble(Builder& builder, const Type& type, std::span<Value* const> leaves) {
  if (!is_compound(type)) return leaves[0];
  std::vector<Value*> components;
  for (std::size_t i = 0; i < type.component_count(); ++i) {
    const Type& component = type.component(i);
    components.push_back(
        assemble(builder, component, leaves.subspan(expanded_offset(type, i), expanded_count(component))));
  }
  return builder.aggregate(type, std::move(components));
}

}  // namespace dlvm
