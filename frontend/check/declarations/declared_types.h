// Structs and enums: their names, and the types of their fields and payloads.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/check/checked_module.h"

namespace frontend::check {

class Checker;

/// Enters the names of all structs and enums, and reports names that the file has already.
void declare_types(Program& program, dlvm::Diagnostics& diagnostics);
/// Gives fields and payloads their types. The names and dimensions of all files are known.
void complete_types(Program& program, Checker& checker, dlvm::Diagnostics& diagnostics);

/// Returns the struct or enum of that name: of the file itself, or of one that it imports; null where there
/// is none.
DeclaredType* find_type(const Scope& scope, std::string_view name);
/// Returns the struct or enum that is written. Null, with a report, where there is none, and where two
/// imported files have one of that name.
DeclaredType* find_type(const Scope& scope, const ast::TypeName& written, dlvm::Diagnostics& diagnostics);

/// Returns "a struct" or "an enum".
std::string_view kind_of(const DeclaredType& type);
/// Returns the case as it is made, `Tree.node(..., ...)`, or the struct, `Line(slope: ..., offset: ...)`,
/// where `member` is not needed.
std::string example(const DeclaredType& type, std::size_t member);

}  // namespace frontend::check
