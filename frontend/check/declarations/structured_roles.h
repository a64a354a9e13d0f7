// The roles that structs and enums may have: which of them callers may give and get, and what is wrong with
// the others.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns whether each field of the struct is a tensor, or a struct of tensors, and there are not too many.
bool has_only_tensors(const DeclaredType& type);
/// Adds a note about the first enum in a struct, the one that keeps it from being tensors alone, if there is
/// one. `name` is that of the value.
void note_enum(dlvm::Diagnostic& report, const DeclaredType& type, const std::string& name);
/// Returns the first field that is a tensor, or null.
const DeclaredType::Member* first_tensor(const DeclaredType& type);

}  // namespace frontend::check
