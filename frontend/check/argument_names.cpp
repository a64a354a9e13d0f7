#include "frontend/check/argument_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/suggest.h"

namespace frontend::check {
namespace {

constexpr std::pair<std::string_view, std::string_view> other_names[]{
    {"axis", "along"}, {"axes", "along"}, {"dim", "along"}, {"keepdims", "keep"}, {"keepdim", "keep"}};

}  // namespace

void suggest_argument(dlvm::Diagnostic& report, std::string_view name,
                      std::span<const std::string_view> parameters) {
  std::string_view meant = closest(name, parameters);
  for (const auto& [other, here] : other_names)
    if (other == name && std::find(parameters.begin(), parameters.end(), here) != parameters.end())
      meant = here;
  if (!meant.empty()) report.fix(fmt::format("did you mean '{}'?", meant));
}

}  // namespace frontend::check
