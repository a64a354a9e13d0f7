#pragma once

#include <string>

#include "codegen/interface/interface.h"

namespace codegen {

/// The header of a module: valid C11 and C++20, the network first and what all networks share behind it.
/// Needs nothing but the standard library; several headers can be included in one file.
std::string print_header(const Interface& interface);

/// The same for other languages, as JSON: entry points with their symbols and argument structs, stores with
/// their tensors.
std::string print_manifest(const Interface& interface);

}  // namespace codegen
