#pragma once

#include <string>

#include "codegen/header/model.h"

/// Prints the members of an entry point's structs in C++.
namespace codegen::header {

/// Returns whether the tensor has rank 0; such a tensor is passed by value.
inline bool is_scalar(const Tensor& tensor) { return tensor.extents.empty(); }

/// Returns the inputs of a role as view members. Dimensions are among the members of role `input`.
std::string input_members(const EntryNames& names, Input::Role role);

/// Returns the outputs as members of class `tensor_class` (`View` or `Tensor`): those of the entry point
/// itself, or those in its `gradient` if `in_gradient`. Each member is initialized with `initial`.
std::string output_members(const EntryNames& names, const char* tensor_class, bool in_gradient,
                           const char* initial, int indent);

/// Returns a list of the inputs with their documentation, for the comment of a function.
std::string input_list(const EntryNames& names);

}  // namespace codegen::header
