#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Reports that the name of a value stands at `location`, where an extent does, and what may be written
/// there.
void report_value_as_extent(const Declaration& value, std::string_view name, Location location,
                            dlvm::Diagnostics& diagnostics);
/// Returns the declaration of a dimension that has the value's expression, `dim n = 2 * d`; empty where that
/// is no whole number, or one below `least`.
std::string as_dimension(const Declaration& value, std::string_view name, std::int64_t least);

}  // namespace frontend::check
