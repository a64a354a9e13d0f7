#pragma once

#include <string>

#include "codegen/header/model.h"

/// The members of the structs of an entry point in C++.
namespace codegen::header {

inline bool is_scalar(const Tensor& tensor) { return tensor.extents.empty(); }

/// Inputs of a role, as views; dimensions go with the inputs.
std::string input_members(const EntryNames& names, Input::Role role);

/// Outputs as `View` or `Tensor`: those of the entry itself or those in its `gradient`.
std::string output_members(const EntryNames& names, const char* tensor_class, bool in_gradient,
                           const char* initial, int indent);

/// A list of the inputs with their documentation, for the comment of a function.
std::string input_list(const EntryNames& names);

}  // namespace codegen::header
