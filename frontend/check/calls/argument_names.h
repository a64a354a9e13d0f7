#pragma once

#include <span>
#include <string_view>

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

/// Adds the parameter that was probably meant by `name`: a near one, or what other languages call `axis`.
void suggest_argument(dlvm::Diagnostic& report, std::string_view name,
                      std::span<const std::string_view> parameters);

/// Returns the call as it is written, with a value for one more parameter: `max_pool(x, window: ...)`.
std::string with_argument(const dlvm::Location& call, std::string_view function, std::string_view parameter);

}  // namespace frontend::check
