// What structs and enums are for callers: structs of tensors. An enum without payloads is one tensor, the
// number of its case. Any other has that number, `kind`, and the payloads of all cases: `circle_0` is the
// first value behind the case `circle`. An enum that holds itself is tables of nodes: `kind` has an element
// for each node, a payload a row for each node of its case, where a node is its number; `root` is the number
// of the node that is the value.
#pragma once

#include <string>
#include <vector>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// A part of a struct or an enum as callers see it: a field, the number of the case, a value of a payload, or
/// the number of the node that is the value.
struct OuterPart {
  enum class Kind : std::uint8_t { field, number, payload, root };
  Kind kind = Kind::field;
  std::string name;
  Type type;
  std::size_t of_case = 0;   ///< of a payload
  std::size_t position = 0;  ///< of a field among the fields, of a value in its payload
};

/// Returns whether each value of the type is told by the number of its case: it is an enum with cases of
/// which none has a payload.
bool is_numbered(const DeclaredType& type);
/// Returns whether the type is an enum of which a value may hold others of it.
bool holds_itself(const DeclaredType& type);
/// Returns whether a value of the type is one tensor for callers. In the tables of `tree`, an enum that holds
/// itself, a value of `tree` is the number of a node.
bool is_outer_tensor(const Type& type, const DeclaredType* tree);
/// Returns the tensor that a value is for callers of which `is_outer_tensor` holds.
Type outer_tensor(const Type& type, const DeclaredType* tree);
/// Returns the parts of a value that is no tensor for callers.
std::vector<OuterPart> outer_parts(const DeclaredType& type);
/// Returns how many tensors a value of the type is for callers, in the tables of `tree` or, where that is
/// null, outside of any.
std::size_t count_outer_tensors(const Type& type, const DeclaredType* tree);

/// The place of a tensor in what callers give or get.
struct OuterPlace {
  Type type;  ///< the type of the part that the tensor is; a number has that of its enum
  const DeclaredType* tree = nullptr;  ///< the enum in whose tables the tensor is, if it is in any
  OuterPart part;                      ///< the part of `tree` in which it is
  std::string tree_name;               ///< the name of the value of `tree`
};
OuterPlace place_of(const Declaration& tensor);

/// Returns the type of a tensor of what callers give or get, as the module writes it: the name of an enum
/// where the tensor is the number of its case.
std::string written_type(const Declaration& tensor);

/// Returns the names of the structs, and of the enums with payloads, around a tensor of what callers give or
/// get, the outermost first. Of the number of a case or of a node the names of the enum and of its cases
/// follow.
std::vector<std::string> types_around(const Declaration& tensor);

}  // namespace frontend::check
