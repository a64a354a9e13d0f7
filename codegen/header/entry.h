#pragma once

#include <string>

#include "codegen/header/model.h"

namespace codegen::header {

/// The C++ types and functions of one entry point.
std::string print_entry(const EntryNames& names);

}  // namespace codegen::header
