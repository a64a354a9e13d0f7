#include "dlvm/transform/enum_types.h"

#include <algorithm>

#include "dlvm/analysis/expanded_type.h"

namespace dlvm {

EnumTypes::EnumTypes(Module& module) : module_(module) {
  find_enums();
  for (bool again = true; again;) {
    again = false;
    for (const TypeDeclaration* each : list_)
      if (!bad_.contains(each) && is_bad(*each)) again = bad_.insert(each).second;
  }
  for (const TypeDeclaration* each : list_) {
    if (bad_.contains(each)) continue;
    for (std::size_t at = 0; at < each->members.size(); ++at) {
      NodePool pool{each, at, {}};
      for (const Type& payload : each->members[at].types) append_leaves(payload, pool.leaves);
      if (pool.leaves.empty()) continue;
      positions_[{each, at}] = pools_.size();
      pools_.push_back(std::move(pool));
    }
  }
}

void EnumTypes::find_enums() {
  std::vector<const TypeDeclaration*> all;
  for (const auto& declaration : module_.types())
    if (declaration->kind == TypeDeclaration::Kind::enumeration) all.push_back(declaration.get());
  for (const TypeDeclaration* each : all)
    if (is_recursive(*each)) enums_.insert(each);
  const auto belongs = [&](const TypeDeclaration& each) {
    return std::ranges::any_of(enums_, [&](const TypeDeclaration* known) {
      return holds(Type::declared(each), *known) || holds(Type::declared(*known), each);
    });
  };
  for (bool again = true; again;) {
    again = false;
    for (const TypeDeclaration* each : all)
      if (!enums_.contains(each) && belongs(*each)) again = enums_.insert(each).second;
  }
  for (const TypeDeclaration* each : all)
    if (enums_.contains(each)) list_.push_back(each);
}

/// Whether a payload cannot be rows of tensors.
bool EnumTypes::is_bad(const TypeDeclaration& declaration) const {
  std::vector<Type> leaves;
  const auto is_made_of_tensors = [&](const Type& payload) { return append_leaves(payload, leaves); };
  return std::ranges::any_of(declaration.members, [&](const auto& member) {
    return !std::ranges::all_of(member.types, is_made_of_tensors);
  });
}

/// Appends the types of the tensors of a payload, with numbers for nodes; false where it holds anything else.
bool EnumTypes::append_leaves(const Type& payload, std::vector<Type>& leaves) const {
  if (is_node(payload)) {
    leaves.push_back(Type::scalar(number));
    return !bad_.contains(&payload.declaration());
  }
  if (payload.is_tensor()) leaves.push_back(payload);
  if (!payload.is_aggregate()) return payload.is_tensor();
  for (std::size_t i = 0; i < payload.component_count(); ++i)
    if (!append_leaves(payload.component(i), leaves)) return false;
  return true;
}

bool EnumTypes::holds_nodes(const Type& type) const {
  if (type.is_tensor()) return false;
  return std::ranges::any_of(list_, [&](const TypeDeclaration* each) { return holds(type, *each); });
}

bool EnumTypes::can_be_numbered(const Type& type) const {
  return can_be_numbers(type.is_pointer() || type.is_box() ? type.pointee() : type);
}

/// Whether all nodes in the type can be numbers; none is behind a pointer.
bool EnumTypes::can_be_numbers(const Type& type) const {
  if (!holds_nodes(type)) return true;
  if (is_node(type)) return !bad_.contains(&type.declaration());
  if (!type.is_aggregate()) return false;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (!can_be_numbers(type.component(i))) return false;
  return true;
}

Type EnumTypes::numbered(const Type& type) {
  if (!holds_nodes(type)) return type;
  if (is_node(type)) return Type::scalar(number);
  if (type.is_structure()) return Type::declared(numbered(type.declaration()));
  if (type.is_pointer()) return Type::pointer(numbered(type.pointee()));
  if (type.is_box()) return Type::box(numbered(type.pointee()));
  std::vector<Type> parts;
  for (const Type& part : type.parts()) parts.push_back(numbered(part));
  if (type.is_tuple()) return Type::tuple(std::move(parts));
  return Type::array(static_cast<std::int64_t>(type.component_count()), std::move(parts[0]));
}

const TypeDeclaration& EnumTypes::numbered(const TypeDeclaration& structure) {
  const TypeDeclaration*& known = structures_[&structure];
  if (known != nullptr) return *known;
  TypeDeclaration made{structure.kind, structure.name + ".numbered", {}, {}, structure.location};
  for (const auto& member : structure.members)
    made.members.push_back({member.name, {numbered(member.types[0])}});
  const auto is_taken = [&](const auto& each) { return each->name == made.name; };
  while (std::ranges::any_of(module_.types(), is_taken)) made.name += "_";
  return *(known = module_.add_type(std::move(made)));
}

std::optional<std::size_t> EnumTypes::pool(const TypeDeclaration& declaration, std::size_t enum_case) const {
  const auto found = positions_.find({&declaration, enum_case});
  return found == positions_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dlvm
