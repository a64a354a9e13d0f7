#include "frontend/check/declarations/outer_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/check/types/spelling.h"

namespace frontend::check {

using Kind = OuterPart::Kind;

bool is_numbered(const DeclaredType& type) {
  return !type.is_structure() && !type.members.empty() &&
         std::ranges::all_of(type.members, [](const auto& each) { return each.types.empty(); });
}

bool holds_itself(const DeclaredType& type) {
  if (type.is_structure()) return false;
  std::set<const DeclaredType*> seen;
  std::vector<const DeclaredType*> open{&type};
  while (!open.empty()) {
    const DeclaredType& each = *open.back();
    open.pop_back();
    for (const DeclaredType::Member& member : each.members)
      for (const Type& part : member.types) {
        if (part.declared == &type) return true;
        if (!part.is_tensor() && seen.insert(part.declared).second) open.push_back(part.declared);
      }
  }
  return false;
}

bool is_outer_tensor(const Type& type, const DeclaredType* tree) {
  return type.is_tensor() || type.declared == tree || is_numbered(*type.declared);
}

Type outer_tensor(const Type& type, const DeclaredType* tree) {
  if (type.is_tensor()) return type;
  return {type.declared == tree ? ElementType::i64 : ElementType::i32, {}};
}

std::vector<OuterPart> outer_parts(const DeclaredType& type) {
  std::vector<OuterPart> parts;
  if (!type.is_structure()) parts.push_back({Kind::number, "kind", {ElementType::i32, {}}});
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    const DeclaredType::Member& member = type.members[i];
    if (type.is_structure()) parts.push_back({Kind::field, member.name, member.types[0], 0, i});
    for (std::size_t k = 0; !type.is_structure() && k < member.types.size(); ++k)
      parts.push_back({Kind::payload, fmt::format("{}_{}", member.name, k), member.types[k], i, k});
  }
  if (holds_itself(type)) parts.push_back({Kind::root, "root", {ElementType::i64, {}}});
  return parts;
}

std::size_t count_outer_tensors(const Type& type, const DeclaredType* tree) {
  if (is_outer_tensor(type, tree)) return 1;
  if (holds_itself(*type.declared)) tree = type.declared;
  std::size_t count = 0;
  for (const OuterPart& part : outer_parts(*type.declared)) count += count_outer_tensors(part.type, tree);
  return count;
}

OuterPlace place_of(const Declaration& tensor) {
  OuterPlace place{{{}, {}, tensor.structure->type_of_tensors}, nullptr, {}, {}};
  std::size_t end = tensor.structure->name.size();  // of the part of the name that has been followed
  for (const std::size_t index : tensor.fields) {
    const DeclaredType& around = *place.type.declared;
    OuterPart part = outer_parts(around)[index];
    place.type = part.type;
    if (holds_itself(around) && &around != place.tree) {
      place.tree = &around;
      place.tree_name = tensor.name.substr(0, end);
      place.part = part;
    }
    end += 1 + part.name.size();
  }
  return place;
}

std::string written_type(const Declaration& tensor) {
  if (tensor.structure == nullptr) return spelling(tensor.type);
  const DeclaredType* type = tensor.structure->type_of_tensors;
  for (const std::size_t index : tensor.fields) {
    const OuterPart part = outer_parts(*type)[index];
    if (part.kind == Kind::number) return fmt::format("the number of a case of '{}'", type->name);
    if (part.kind == Kind::root) return fmt::format("the number of a node of '{}'", type->name);
    type = part.type.declared;
  }
  return type != nullptr ? type->name : spelling(tensor.type);
}

std::vector<std::string> types_around(const Declaration& tensor) {
  std::vector<std::string> names;
  if (tensor.structure == nullptr) return names;
  const DeclaredType* type = tensor.structure->type_of_tensors;
  for (const std::size_t index : tensor.fields) {
    names.push_back(type->name);
    const OuterPart part = outer_parts(*type)[index];
    if (part.kind != Kind::number && part.kind != Kind::root) type = part.type.declared;
  }
  if (type == nullptr) return names;
  names.push_back(type->name);
  for (const auto& each : type->members) names.push_back(each.name);
  return names;
}

}  // namespace frontend::check
