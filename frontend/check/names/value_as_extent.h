#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Reports that the name of a value stands at `location`, where an extent does, and what may be written
/// there.
void report_value_as_extent(const Declaration& value, std::string_view name, Location location,
                            dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
