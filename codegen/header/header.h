#pragma once

#include <string>

#include "codegen/interface/interface.h"

namespace codegen::header {

/// Prints the header of a module. It takes the module's interface and nothing else, and gives text that is
/// valid C11 and C++20: first the network, then what all networks share. The header needs only the standard
/// library, and several headers can be included in one file.
std::string print_header(const interface::Interface& interface);

/// Returns the interface as JSON for other languages: the entry points with their symbols and argument
/// structs, and the stores with their tensors.
std::string print_manifest(const interface::Interface& interface);

}  // namespace codegen::header
