#include "dlvm/analysis/expanded_type.h"

#include <algorithm>

namespace dlvm {

bool is_recursive(const TypeDeclaration& declaration) {
  return std::ranges::any_of(declaration.members, [&](const auto& member) {
    return std::ranges::any_of(member.types, [&](const Type& type) { return holds(type, declaration); });
  });
}

bool is_compound(const Type& type) {
  return type.is_aggregate() || (type.is_enumeration() && !is_recursive(type.declaration()));
}

namespace {

void collect(const Type& type, std::vector<Type>& out) {
  if (!is_compound(type)) return out.push_back(type);
  if (type.is_aggregate()) {
    for (std::size_t i = 0; i < type.component_count(); ++i) collect(type.component(i), out);
    return;
  }
  out.push_back(Type::scalar(ElementType::i32));
  for (const auto& member : type.declaration().members)
    for (const Type& payload : member.types) collect(payload, out);
}

}  // namespace

std::vector<Type> expanded_types(const Type& type) {
  std::vector<Type> out;
  collect(type, out);
  return out;
}

std::size_t expanded_count(const Type& type) { return expanded_types(type).size(); }

std::size_t expanded_offset(const Type& aggregate, std::size_t component) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < component; ++i) count += expanded_count(aggregate.component(i));
  return count;
}

std::size_t expanded_offset(const Type& enumeration, std::size_t enum_case, std::size_t value) {
  const auto& members = enumeration.declaration().members;
  std::size_t count = 1;
  for (std::size_t i = 0; i < enum_case; ++i)
    for (const Type& payload : members[i].types) count += expanded_count(payload);
  for (std::size_t i = 0; i < value; ++i) count += expanded_count(members[enum_case].types[i]);
  return count;
}

}  // namespace dlvm
