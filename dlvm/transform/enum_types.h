#pragma once

#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// The payloads of the nodes of one case: a row of tensors for each node.
struct NodePool {
  const TypeDeclaration* declaration = nullptr;
  std::size_t enum_case = 0;
  std::vector<Type> leaves;  ///< the types of a payload's tensors
};

/// The recursive enums of a module, and the types in which they are numbers of nodes. The other enums that
/// hold such an enum, or that one holds, are numbers as well. The number of a node is the position of its row
/// times the number of cases, plus the position of its case.
class EnumTypes {
 public:
  static constexpr ElementType number = ElementType::i64;

  explicit EnumTypes(Module& module);

  /// Returns whether values of the type are made of nodes, or hold such values.
  bool holds_nodes(const Type& type) const;
  bool is_node(const Type& type) const {
    return type.is_enumeration() && enums_.contains(&type.declaration());
  }
  /// Returns whether numbers can take the place of nodes in values of the type, or in what a pointer to such
  /// values or a box of one holds: their payloads are made of tensors alone.
  bool can_be_numbered(const Type& type) const;
  /// Returns the type with numbers in the place of nodes, where that is possible. A struct that holds nodes
  /// has another declaration then, which the module gets when it is first asked for.
  Type numbered(const Type& type);

  const std::vector<NodePool>& pools() const { return pools_; }
  /// Returns the position of the pool of that case; nothing where its payload has no tensors.
  std::optional<std::size_t> pool(const TypeDeclaration& declaration, std::size_t enum_case) const;

 private:
  void find_enums();
  bool is_bad(const TypeDeclaration& declaration) const;
  bool can_be_numbers(const Type& type) const;
  bool append_leaves(const Type& payload, std::vector<Type>& leaves) const;
  const TypeDeclaration& numbered(const TypeDeclaration& structure);

  Module& module_;
  std::vector<const TypeDeclaration*> list_;  ///< the enums, in the order of the module
  std::unordered_set<const TypeDeclaration*> enums_, bad_;
  std::map<const TypeDeclaration*, const TypeDeclaration*> structures_;  ///< with numbers
  std::vector<NodePool> pools_;
  std::map<std::pair<const TypeDeclaration*, std::size_t>, std::size_t> positions_;
};

}  // namespace dlvm
