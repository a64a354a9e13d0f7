#include "frontend/check/check.h"

#include <map>

#include "frontend/check/checker.h"
#include "frontend/check/declarations/entries.h"
#include "frontend/check/declarations/file_names.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/functions/custom_recursion.h"
#include "frontend/check/functions/expansion.h"
#include "frontend/check/functions/recursion.h"
#include "frontend/check/names/derivative_names.h"
#include "frontend/check/names/scope_names.h"
#include "frontend/support/append_messages.h"

namespace frontend::check {
namespace {

/// What is missing because it could not be read makes names unknown, and dimensions free. Other mistakes are
/// there whatever the missing declarations say.
bool stands_alone(const dlvm::DiagnosticKind& kind) {
  return kind.code.starts_with("TEL-E03") && kind.code != stored_extent_free.code;
}

/// Makes a scope of each file, in order.
void enter_files(ast::Files files, Program& program) {
  std::map<const ast::File*, Scope*> scopes;
  for (ast::File& file : files) {
    Scope& scope = program.scopes.emplace_back();
    scope.name = std::move(file.name);
    scope.source = file.source;
    scope.syntax = std::move(file.syntax);
    scope.main = program.scopes.size() == 1;
    scope.library = file.library;
    scopes[&file] = &scope;
  }
  for (const ast::File& file : files)
    for (const ast::File* import : file.imports) scopes[&file]->imports.push_back(scopes[import]);
}

}  // namespace

std::unique_ptr<Program> check_program(ast::Files files, const Options& options,
                                       dlvm::Diagnostics& diagnostics) {
  const bool complete = !diagnostics.has_errors();
  auto program = std::make_unique<Program>();
  enter_files(std::move(files), *program);
  dlvm::Diagnostics found;
  declare_names(*program, options, found);
  Checker(*program, found).run();
  check_file_names(*program, found);
  complete_recursion(*program, found);
  if (complete && found.has_errors()) report_unknown_derivatives(*program, found);
  if (!found.has_errors()) check_custom_recursion(*program, found);
  if (!found.has_errors() && complete) find_entries(*program, found);
  if (!found.has_errors() && complete) check_expansion(*program, found);
  if (!found.has_errors() && complete) report_unused(*program, found);
  for (const dlvm::Diagnostic& each : found.all())
    if (complete || stands_alone(*each.kind)) diagnostics.append(each);
  count_dropped(found, diagnostics);
  return diagnostics.has_errors() ? nullptr : std::move(program);
}

}  // namespace frontend::check
