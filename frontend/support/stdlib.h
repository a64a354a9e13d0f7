#pragma once

#include <optional>
#include <string_view>

namespace frontend {

/// Returns the source text of a module of the standard library (stdlib/NAME.tel, which is embedded when telc
/// is built). `nn` is imported into every module.
std::optional<std::string_view> standard_library(std::string_view module_name);

}  // namespace frontend
