#pragma once

#include <span>
#include <string_view>

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

/// Adds the parameter that was probably meant by `name`: a near one, or what other languages call `axis`.
void suggest_argument(dlvm::Diagnostic& report, std::string_view name,
                      std::span<const std::string_view> parameters);

}  // namespace frontend::check
