// telc check-gradients.
#include <fmt/format.h>

#include <limits>
#include <memory>

#include "dlvm/gradcheck/gradient_check.h"
#include "telc/call_inputs.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"
#include "telc/progress.h"
#include "telc/streams.h"

namespace telc {
namespace {

/// The effort (see `dlvm::Effort`) of about a minute; where interpreting is fast it takes half of that.
constexpr double minute = 8e9;

void sample(const CheckGradientsOptions& options, dlvm::GradientCheckOptions& check) {
  if (options.all)
    check.elements = std::numeric_limits<std::size_t>::max();
  else if (options.elements)
    check.elements = *options.elements;
  else
    check.effort_limit = minute;
}

std::string line_of(const dlvm::GradientProgress& progress) {
  if (progress.derivative.empty()) return fmt::format("{}: looking for a point", progress.entry);
  return fmt::format("{}: derivative by {}, element {} of {}", progress.entry, progress.derivative,
                     progress.checked + 1, progress.elements);
}

std::string advice_on(const dlvm::GradientProgress& progress) {
  return progress.derivative.empty() ? "-D makes dimensions smaller" : "--elements checks fewer";
}

}  // namespace

int check_gradients(const CheckGradientsOptions& options) {
  Session session(options.source);
  auto given = read_inputs(options.inputs, options.weights, options.seed, session);
  const auto declared = given ? session.module() : nullptr;
  const auto expanded = declared ? session.expanded() : nullptr;
  if (expanded == nullptr || !fit_weights(*expanded, options.weights, *given, session))
    return session.finish();
  dlvm::GradientCheckOptions check_options;
  check_options.given = *given;
  sample(options, check_options);
  auto progress = std::make_unique<Progress>();
  if (progress->is_shown() && !options.source.json)
    check_options.progress = [&](const auto& now) { progress->tell(line_of(now), advice_on(now)); };
  const auto result = dlvm::check_gradients(*expanded, *declared, check_options);
  progress.reset();
  print(dlvm::render(result, options.seed));
  if (result.rows.empty() && result.errors.empty())
    print(
        "nothing to compare: the module has no derivatives, since it has no param and declares no "
        "gradient\n");
  for (const auto& [entry, why] : result.errors) session.diagnostics().report(bad_call, {}, entry, why);
  if (!result.agrees()) session.diagnostics().report(gradients_wrong, {});
  return session.finish();
}

}  // namespace telc
