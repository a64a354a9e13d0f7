#pragma once

#include <string>

#include "codegen/header/model.h"

namespace codegen::header {

/// Returns the C++ types and functions of one entry point that precede the shared text (header/shared/): its
/// inputs and results, and its overloads without their bodies.
std::string declare_entry(const EntryNames& names);

/// Returns the C++ definitions for `declare_entry`: result types that own their memory, and the bodies of the
/// overloads. `module` is the network's namespace.
std::string define_entry(const EntryNames& names, const std::string& module);

/// Returns the members of `struct Network` for the entry point. `space` is the network's namespace.
std::string network_members(const EntryNames& names, const std::string& space);

}  // namespace codegen::header
