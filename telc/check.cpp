// telc check, check-gradients, fmt, --explain.
#include <fmt/format.h>

#include "dlvm/interpret/gradient_check.h"
#include "frontend/format/format.h"
#include "telc/call_inputs.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"
#include "telc/explain.h"
#include "telc/streams.h"

namespace telc {

int check(const SourceOptions& options) {
  Session session(options);
  session.check();
  return session.finish();
}

int check_gradients(const CheckGradientsOptions& options) {
  Session session(options.source);
  const auto given = read_inputs(options.inputs, options.weights, options.seed, session);
  const auto declared = given ? session.module() : nullptr;
  const auto expanded = declared ? session.expanded() : nullptr;
  if (expanded == nullptr) return session.finish();
  dlvm::GradientCheckOptions check_options;
  check_options.given = *given;
  check_options.elements = options.elements;
  const auto result = dlvm::check_gradients(*expanded, *declared, check_options);
  print(dlvm::render(result));
  if (!result.passed()) session.diagnostics().report(gradients_wrong, {});
  return session.finish();
}

int format(const FormatOptions& options) {
  Session session(options.source);
  const dlvm::Source* source = session.source();
  if (source == nullptr) return session.finish();
  if (session.is_dlvm()) {
    session.diagnostics().report(needs_source, {}, "telc fmt");
    return session.finish();
  }
  const auto formatted = frontend::format(*source, session.diagnostics());
  if (!formatted) return session.finish();
  if (options.check) {
    if (*formatted != *source->text()) session.diagnostics().report(not_formatted, {}, source->name());
    return session.finish();
  }
  dlvm::FileError error;
  const std::string target = options.write ? options.source.file : "-";
  if (!(options.write && *formatted == *source->text()) && !dlvm::write_file(target, *formatted, error))
    session.report_file(error);
  return session.finish();
}

int explain(const std::string& code) {
  const dlvm::DiagnosticKind* kind = kind_of(code);
  if (kind == nullptr) {
    print_error(fmt::format("telc: there is no message with the code {}\n", code));
    return wrong_command_line;
  }
  print(explanation(*kind));
  return done;
}

}  // namespace telc
