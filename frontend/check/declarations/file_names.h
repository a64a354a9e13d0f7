// Names of tensors in files of weights: `from "fc1.weight"^T`.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns the name that the source gives to what is stored, with the path of a net's instance in it; empty
/// where files have the name of the declaration.
std::string file_name(const Declaration& stored);
/// Reports names that no file can have, of declarations that no file has, and those that two tensors have.
void check_file_names(const Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
