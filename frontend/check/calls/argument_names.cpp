#include "frontend/check/calls/argument_names.h"

#include <fmt/format.h>

#include "dlvm/support/suggest.h"
#include "frontend/check/types/spelling.h"
#include "frontend/support/other_languages.h"

namespace frontend::check {

void suggest_argument(dlvm::Diagnostic& report, std::string_view name,
                      std::span<const std::string_view> parameters) {
  std::string_view meant = parameter_elsewhere(name, parameters);
  if (meant.empty()) meant = dlvm::closest(name, parameters);
  if (!meant.empty()) report.fix(fmt::format("did you mean '{}'?", meant));
}

std::string with_argument(const dlvm::Location& call, std::string_view function, std::string_view parameter) {
  std::string text = quoted(call, fmt::format("{}(...)", function));
  if (text.ends_with(')'))
    text = text.substr(0, text.size() - 1) + (text.ends_with("()") ? "" : ", ");
  else
    text += '(';
  return fmt::format("{}{}: ...)", text, parameter);
}

}  // namespace frontend::check
