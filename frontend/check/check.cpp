#include "frontend/check/check.h"

#include <algorithm>

#include "frontend/check/checker.h"
#include "frontend/check/entries.h"
#include "frontend/check/expansion.h"
#include "frontend/check/modules.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {
namespace {

/// Errors come in the order in which things were checked; a reader wants them from top to bottom, the
/// module's own first.
void append_in_order(const dlvm::Diagnostics& found, const dlvm::Source& own,
                     dlvm::Diagnostics& diagnostics) {
  std::vector<const dlvm::Diagnostic*> all;
  for (const dlvm::Diagnostic& each : found.all()) all.push_back(&each);
  std::stable_sort(all.begin(), all.end(), [&](const dlvm::Diagnostic* a, const dlvm::Diagnostic* b) {
    const auto rank = [&](const dlvm::Diagnostic* d) {
      return std::tuple(d->location.source == &own ? 0
                        : d->location.valid()      ? 1
                                                   : -1,
                        d->location.valid() ? d->location.source->name() : std::string(), d->location.line,
                        d->location.column);
    };
    return rank(a) < rank(b);
  });
  for (const auto* each : all) diagnostics.append(*each);
}

/// What is missing because it could not be read makes names unknown, and dimensions free. Other mistakes are
/// there whatever the missing declarations say.
bool stands_alone(const dlvm::DiagnosticKind& kind) {
  return kind.code.starts_with("TEL-E03") && kind.code != stored_extent_free.code;
}

}  // namespace

std::unique_ptr<Program> check_program(const dlvm::Source& source, dlvm::Sources& sources,
                                       const Options& options, dlvm::Diagnostics& diagnostics) {
  auto program = std::make_unique<Program>();
  dlvm::Diagnostics syntax, found;
  const bool read = load(source, sources, options, syntax, *program);
  const bool complete = !syntax.has_errors();
  if (read) {
    declare_names(*program, options, found);
    Checker(*program, found).run();
    if (!found.has_errors() && complete) find_entries(*program, found);
    if (!found.has_errors() && complete) check_expansion(*program, found);
    if (!found.has_errors() && complete) report_unused(*program, found);
  }
  for (const dlvm::Diagnostic& each : found.all())
    if (complete || stands_alone(*each.kind)) syntax.append(each);
  append_in_order(syntax, source, diagnostics);
  if (!read || syntax.has_errors()) return nullptr;
  return program;
}

}  // namespace frontend::check
