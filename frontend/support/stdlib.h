#pragma once

#include <optional>
#include <string_view>

namespace frontend {

/// Returns the source text of a module of the standard library (stdlib/NAME.tel, which is embedded when telc
/// is built). `nn` is imported into every module.
std::optional<std::string_view> standard_library(std::string_view module_name);

/// Returns the module of the standard library that declares `net NAME` or `func NAME`; empty if none does.
std::string_view library_module_with(std::string_view word, std::string_view name);

}  // namespace frontend
