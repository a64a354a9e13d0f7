#include "frontend/lower/types.h"

#include <utility>

namespace frontend::lower {

dlvm::Type Types::of(const check::Type& type) {
  return type.is_tensor() ? type.dlvm() : dlvm::Type::declared(declare(*type.declared));
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
