// `optimize with adam(rate: 0.001) scaling dynamic`: the factor of the loss that is differentiated.
#pragma once

#include <optional>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns whether the factor follows the derivatives, `dynamic` or `dynamic(growth: 4)`; otherwise its value
/// is written.
bool is_dynamic_scaling(const Scope& scope, const ast::Expression& written);

/// Returns the settings of dynamic scaling. Nothing after an error.
std::optional<DynamicScaling> find_dynamic_scaling(const ast::Expression& written,
                                                   dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
