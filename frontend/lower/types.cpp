#include "frontend/lower/types.h"

#include <algorithm>
#include <utility>

namespace frontend::lower {
namespace {

/// Whether all fields of the struct have constant extents: several results with one name are a struct
/// without dimensions of its own, whose fields have those of the module.
bool has_constant_extents(const check::DeclaredType& type) {
  if (!type.is_structure()) return true;
  return std::ranges::all_of(type.members, [](const check::DeclaredType::Member& field) {
    const check::Type& each = field.types[0];
    return each.is_tensor()
               ? std::ranges::all_of(each.shape,
                                     [](const auto& extent) { return extent.constant().has_value(); })
               : has_constant_extents(*each.declared);
  });
}

}  // namespace

// A module declares structs of constant extents; others are tuples of their fields.
dlvm::Type Types::of(const check::Type& type) {
  if (type.is_tensor()) return type.dlvm();
  if (type.declared->dimensions.empty() && has_constant_extents(*type.declared))
    return dlvm::Type::declared(declare(*type.declared));
  std::vector<dlvm::Type> fields;
  for (const check::DeclaredType::Member& field : type.declared->members)
    fields.push_back(of(field.types[0]));
  return dlvm::Type::tuple(std::move(fields));
}

// The declaration is entered before its members, which may be of its type.
const dlvm::TypeDeclaration& Types::declare(const check::DeclaredType& type) {
  if (const auto found = declared_.find(&type); found != declared_.end()) return *found->second;
  using Kind = dlvm::TypeDeclaration::Kind;
  dlvm::TypeDeclaration declaration;
  declaration.kind = type.is_structure() ? Kind::structure : Kind::enumeration;
  declaration.name = type.name;
  declaration.location = type.syntax->name.location;
  dlvm::TypeDeclaration* added = declared_[&type] = module_.add_type(std::move(declaration));
  std::vector<dlvm::TypeDeclaration::Member> members;
  for (const check::DeclaredType::Member& member : type.members) {
    members.push_back({member.name, {}});
    for (const check::Type& each : member.types) members.back().types.push_back(of(each));
  }
  added->members = std::move(members);
  return *added;
}

}  // namespace frontend::lower
