// Structs and enums.
#include <algorithm>
#include <utility>

#include "frontend/parse/build.h"

namespace frontend::syntax {

void Builder::add_structure(Grammar::StructureContext& tree) {
  ast::TypeDeclaration structure;
  structure.kind = ast::TypeDeclaration::Kind::structure;
  structure.doc = doc_;
  structure.name = name(tree.NAME());
  for (auto* field : tree.field()) structure.members.push_back({name(field->NAME()), {type(*field->type())}});
  if (!failed_) module_.types.push_back(std::move(structure));
}

void Builder::add_enumeration(Grammar::EnumerationContext& tree) {
  ast::TypeDeclaration enumeration;
  enumeration.kind = ast::TypeDeclaration::Kind::enumeration;
  enumeration.doc = doc_;
  enumeration.name = name(tree.NAME());
  for (auto* written : tree.enumCase()) {
    ast::TypeDeclaration::Member member{name(written->NAME()), {}};
    for (auto* each : written->type()) member.types.push_back(type(*each));
    enumeration.members.push_back(std::move(member));
  }
  if (!failed_) module_.types.push_back(std::move(enumeration));
}

bool Builder::declares_type(std::string_view name) const {
  return std::ranges::any_of(resolved_.chunks, [&](const Chunk& chunk) {
    const std::size_t kind = resolved_.code[chunk.first].kind;
    return (kind == Grammar::STRUCT || kind == Grammar::ENUM) && chunk.first + 1 < chunk.last &&
           resolved_.code[chunk.first + 1].text == name;
  });
}

bool Builder::declares_net(std::string_view name) const {
  if (in_net() && std::ranges::any_of(net_.parameters,
                                      [&](const ast::Dimension& each) { return each.name.text == name; }))
    return true;  // of a parameter that may be a net
  return std::ranges::any_of(resolved_.chunks, [&](const Chunk& chunk) {
    return resolved_.code[chunk.first].kind == Grammar::NET && chunk.first + 1 < chunk.last &&
           resolved_.code[chunk.first + 1].text == name;
  });
}

}  // namespace frontend::syntax
