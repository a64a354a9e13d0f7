#pragma once

#include "dlvm/text/reader.h"

namespace dlvm::reading {

/// Reads the items that declare types and variables.
class DeclarationReader : TermReader {
 public:
  DeclarationReader(const Cut& cut, Sources& sources, Diagnostics& diagnostics, Declared& declared,
                    Module& module)
      : TermReader(cut, sources, diagnostics, declared), own_(declared), module_(module) {}

  /// Declares the types of all items, and what aliases stand for: types may be used before their items.
  void declare(ChunkParser& parser);
  /// Returns whether `declare` has read the whole item.
  bool is_alias(const Item& item) const { return kind_declared(item) == TypeDeclaration::Kind::alias; }
  /// Reads the item if it declares a type or a variable, and returns whether it does.
  bool read(Grammar::ItemContext& tree, const Chunk& header);
  /// Reports structs that hold themselves. All items have been read.
  void check();

 private:
  std::optional<TypeDeclaration::Kind> kind_declared(const Item& item) const;
  void define_aliases(const std::vector<const Item*>& aliases, ChunkParser& parser);
  void report_cycle(const Item& item);
  void define_alias(const Item& item, ChunkParser& parser);
  TypeDeclaration* declaration_at(const Token& word);
  bool is_new_member(const TypeDeclaration& declaration, const Token& word);
  bool read_member(Grammar::TypeContext& tree, TypeDeclaration& declaration, TypeDeclaration::Member& member);
  void read(Grammar::StructItemContext& tree);
  void read(Grammar::EnumItemContext& tree);
  void read(Grammar::VariableItemContext& tree);
  /// Returns whether the type has extents alone that are numbers; reports it where it has not.
  bool has_numbers(const Type& type, Location location, const std::string& owner);

  Declared& own_;
  Module& module_;
};

}  // namespace dlvm::reading
