#include "dlvm/text/declaration_reader.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "dlvm/text/diagnostics.h"

namespace dlvm::reading {
namespace {

/// Whether values of the type hold a value of the struct itself, not behind a pointer or in an enum.
bool contains(const Type& type, const TypeDeclaration& declaration, std::set<const TypeDeclaration*>& seen) {
  if (type.is_structure() && &type.declaration() == &declaration) return true;
  if (!type.is_aggregate() || (type.is_structure() && !seen.insert(&type.declaration()).second)) return false;
  if (type.kind() == Type::Kind::array)
    return type.component_count() > 0 && contains(type.component(0), declaration, seen);
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (contains(type.component(i), declaration, seen)) return true;
  return false;
}

}  // namespace

/// The kind of type that the item declares: its second token names it.
std::optional<TypeDeclaration::Kind> DeclarationReader::kind_declared(const Item& item) const {
  const Chunk& header = item.header;
  if (header.last < header.first + 2 || cut_.tokens[header.first + 1].kind != Grammar::TYPE)
    return std::nullopt;
  const std::string_view word = cut_.tokens[header.first].text;
  if (word == "struct") return TypeDeclaration::Kind::structure;
  if (word == "enum") return TypeDeclaration::Kind::enumeration;
  if (word != "type") return std::nullopt;
  const bool opaque = header.last == header.first + 4 && cut_.tokens[header.first + 3].text == "opaque";
  return opaque ? TypeDeclaration::Kind::opaque : TypeDeclaration::Kind::alias;
}

void DeclarationReader::declare(ChunkParser& parser) {
  std::vector<const Item*> aliases;
  for (const Item& item : cut_.items) {
    const auto kind = kind_declared(item);
    if (!kind) continue;
    const Token& word = cut_.tokens[item.header.first + 1];
    if (own_.types.contains(name(word))) {
      diagnostics_.report(duplicate, word.location, word.text);
      continue;
    }
    own_.types.emplace(name(word), module_.add_type({*kind, name(word), {}, Type(), word.location}));
    if (*kind == TypeDeclaration::Kind::alias) aliases.push_back(&item);
  }
  define_aliases(aliases, parser);
}

/// Defines an alias after those that it names. What is left then names itself, in the end.
void DeclarationReader::define_aliases(const std::vector<const Item*>& aliases, ChunkParser& parser) {
  std::unordered_map<std::string_view, std::vector<const Item*>> users;  // of an alias, one for each mention
  std::unordered_map<const Item*, std::size_t> missing;  // mentions of aliases that are not defined yet
  for (const Item* item : aliases) users[cut_.tokens[item->header.first + 1].text];
  std::vector<const Item*> ready;
  for (const Item* item : aliases) {
    for (std::size_t i = item->header.first + 2; i < item->header.last; ++i) {
      const Token& token = cut_.tokens[i];
      const auto named = token.kind == Grammar::TYPE ? users.find(token.text) : users.end();
      if (named == users.end()) continue;
      named->second.push_back(item);
      ++missing[item];
    }
    if (!missing.contains(item)) ready.push_back(item);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    define_alias(*ready[next], parser);
    for (const Item* user : users[cut_.tokens[ready[next]->header.first + 1].text])
      if (--missing[user] == 0) ready.push_back(user);
  }
  const auto left = std::ranges::find_if(aliases, [&](const Item* item) { return missing[item] > 0; });
  if (left != aliases.end()) report_cycle(**left);
}

void DeclarationReader::report_cycle(const Item& item) {
  const Token& word = cut_.tokens[item.header.first + 1];
  diagnostics_.report(bad_declaration, word.location, word.text, "the alias stands, in the end, for itself");
}

void DeclarationReader::define_alias(const Item& item, ChunkParser& parser) {
  auto* tree = parser.item(item.header);
  if (tree == nullptr || tree->typeItem() == nullptr) return;
  first_ = item.header.first;
  if (auto aliased = type(*tree->typeItem()->type()))
    own_.types.at(name(token(tree->typeItem()->TYPE())))->aliased = std::move(*aliased);
  erased_.clear();
}

bool DeclarationReader::read(Grammar::ItemContext& tree, const Chunk& header) {
  first_ = header.first;
  if (auto* t = tree.structItem()) return read(*t), true;
  if (auto* t = tree.enumItem()) return read(*t), true;
  if (auto* t = tree.variableItem()) return read(*t), true;
  return tree.typeItem() != nullptr;  // read before all others
}

/// The declaration that begins with the name at this place; null where it is a second one of the name.
TypeDeclaration* DeclarationReader::declaration_at(const Token& word) {
  TypeDeclaration* declaration = own_.types.at(name(word));
  return declaration->location == word.location ? declaration : nullptr;
}

bool DeclarationReader::has_numbers(const Type& type, Location location, const std::string& owner) {
  std::set<std::string> names;
  type.collect_names(names);
  if (!names.empty())
    diagnostics_.report(bad_declaration, location, owner,
                        fmt::format("the extents of {} are no numbers", type.text()));
  return names.empty();
}

bool DeclarationReader::read_member(Grammar::TypeContext& tree, TypeDeclaration& declaration,
                                    TypeDeclaration::Member& member) {
  auto read = type(tree);
  if (!read || !has_numbers(*read, span(tree), "$" + declaration.name)) return false;
  member.types.push_back(std::move(*read));
  return true;
}

bool DeclarationReader::is_new_member(const TypeDeclaration& declaration, const Token& word) {
  if (!declaration.find(name(word))) return true;
  diagnostics_.report(duplicate, word.location, word.text);
  return false;
}

void DeclarationReader::read(Grammar::StructItemContext& tree) {
  TypeDeclaration* declaration = declaration_at(token(tree.TYPE()));
  if (declaration == nullptr) return;
  for (auto* field : tree.field()) {
    TypeDeclaration::Member member{name(token(field->KEY())), {}};
    if (is_new_member(*declaration, token(field->KEY())) && read_member(*field->type(), *declaration, member))
      declaration->members.push_back(std::move(member));
  }
}

void DeclarationReader::read(Grammar::EnumItemContext& tree) {
  TypeDeclaration* declaration = declaration_at(token(tree.TYPE()));
  if (declaration == nullptr) return;
  if (tree.enumCase().empty())
    diagnostics_.report(bad_declaration, token(tree.TYPE()).location, "$" + declaration->name,
                        "an enum has at least one case");
  for (auto* each : tree.enumCase()) {
    TypeDeclaration::Member member{name(token(each->CASE())), {}};
    if (!is_new_member(*declaration, token(each->CASE()))) continue;
    for (auto* payload : each->type()) read_member(*payload, *declaration, member);
    declaration->members.push_back(std::move(member));
  }
}

void DeclarationReader::read(Grammar::VariableItemContext& tree) {
  const Token& word = token(tree.GLOBAL());
  auto written = type(*tree.type());
  if (!written) return;
  if (own_.functions.contains(name(word)) || own_.globals.contains(name(word)))
    return void(diagnostics_.report(duplicate, word.location, word.text));
  if (!has_numbers(*written, span(*tree.type()), std::string(word.text))) return;
  const auto place = tree.location() != nullptr ? location(*tree.location()) : std::nullopt;
  own_.globals.emplace(name(word),
                       module_.add_global({name(word), std::move(*written), place.value_or(Location{})}));
}

void DeclarationReader::check() {
  for (const auto& declaration : module_.types()) {
    if (declaration->kind == TypeDeclaration::Kind::enumeration)
      has_bounded_size(Type::declared(*declaration), declaration->location);
    if (declaration->kind != TypeDeclaration::Kind::structure) continue;
    std::set<const TypeDeclaration*> seen;
    const auto own = std::ranges::find_if(declaration->members, [&](const auto& member) {
      return contains(member.types.front(), *declaration, seen);
    });
    if (own != declaration->members.end())
      diagnostics_.report(
          bad_declaration, declaration->location, "$" + declaration->name,
          fmt::format("the struct holds itself in #{}; hold a pointer, a box or an enum", own->name));
    else
      has_bounded_size(Type::declared(*declaration), declaration->location);
  }
}

}  // namespace dlvm::reading
