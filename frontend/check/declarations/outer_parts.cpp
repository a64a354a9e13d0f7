#include "frontend/check/declarations/outer_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/types/spelling.h"

namespace frontend::check {

using Kind = OuterPart::Kind;

bool is_numbered(const DeclaredType& type) {
  return !type.is_structure() && !type.members.empty() &&
         std::ranges::all_of(type.members, [](const auto& each) { return each.types.empty(); });
}

bool is_outer_tensor(const Type& type) { return type.is_tensor() || is_numbered(*type.declared); }

std::vector<OuterPart> outer_parts(const DeclaredType& type) {
  std::vector<OuterPart> parts;
  if (!type.is_structure()) parts.push_back({Kind::number, "kind", {ElementType::i32, {}}});
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    const DeclaredType::Member& member = type.members[i];
    if (type.is_structure()) parts.push_back({Kind::field, member.name, member.types[0], 0, i});
    for (std::size_t k = 0; !type.is_structure() && k < member.types.size(); ++k)
      parts.push_back({Kind::payload, fmt::format("{}_{}", member.name, k), member.types[k], i, k});
  }
  return parts;
}

std::size_t count_outer_tensors(const Type& type) {
  if (is_outer_tensor(type)) return 1;
  std::size_t count = 0;
  for (const OuterPart& part : outer_parts(*type.declared)) count += count_outer_tensors(part.type);
  return count;
}

std::string written_type(const Declaration& tensor) {
  if (tensor.structure == nullptr) return spelling(tensor.type);
  const DeclaredType* type = tensor.structure->type_of_tensors;
  for (const std::size_t index : tensor.fields) {
    const OuterPart part = outer_parts(*type)[index];
    if (part.kind == Kind::number) return fmt::format("the number of a case of '{}'", type->name);
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
    if (part.kind != Kind::number) type = part.type.declared;
  }
  if (type == nullptr) return names;
  names.push_back(type->name);
  for (const auto& each : type->members) names.push_back(each.name);
  return names;
}

}  // namespace frontend::check
