#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/header/structs.h"
#include "codegen/interface/interface.h"
#include "codegen/interface/names.h"

/// The members of the classes that own parameters and constants. A tensor `tower.0.W` is `W` in the first
/// element of the array `tower`.
namespace codegen::header {

/// A member: a tensor, a struct of members, or an array of structs.
struct Field {
  std::string part;                   ///< between the dots of the tensor's name: `tower`, `0`, `W`
  std::string name;                   ///< the name in C++; empty for an element of an array
  std::optional<std::size_t> tensor;  ///< the number in the store, where it is a tensor
  std::vector<Field> members;         ///< of a struct; the elements of an array
  bool array = false;
  std::string cpp_enum = {};  ///< the enum in C++, where the tensor is the number of a case
};

/// Returns the members for the tensors of a store, in the order of declaration. `scope` has the names that
/// cannot be used. A name whose parts are no names, or numbers of structs that differ, is not taken apart.
std::vector<Field> fields_of(const interface::Store& store, const Structs& structs, interface::Names scope);

/// Prints the members with their initial values.
std::string print_fields(const std::vector<Field>& fields, const interface::Store& store);
/// Returns a list of the tensors with their shapes and documentation, a line each.
std::string list_fields(const std::vector<Field>& fields, const interface::Store& store);

}  // namespace codegen::header
