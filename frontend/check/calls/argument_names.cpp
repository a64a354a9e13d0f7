#include "frontend/check/calls/argument_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/suggest.h"
#include "frontend/support/other_languages.h"

namespace frontend::check {

void suggest_argument(dlvm::Diagnostic& report, std::string_view name,
                      std::span<const std::string_view> parameters) {
  std::string_view meant = dlvm::closest(name, parameters);
  const auto here = parameter_elsewhere(name);
  if (std::ranges::find(parameters, here) != parameters.end()) meant = here;
  if (!meant.empty()) report.fix(fmt::format("did you mean '{}'?", meant));
}

}  // namespace frontend::check
