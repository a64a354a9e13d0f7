#pragma once

#include <string>

#include "codegen/header/model.h"

namespace codegen::header {

/// The C++ types and functions of one entry point that stand with the network: what it takes and gives, and
/// its overloads without their bodies.
std::string declare_entry(const EntryNames& names);

/// Defines what the declarations leave open: results that own their memory, and bodies.
std::string define_entry(const EntryNames& names);

/// The members that `struct Network` has for the entry point; `space` is the network's namespace.
std::string network_members(const EntryNames& names, const std::string& space);

}  // namespace codegen::header
