#include "frontend/frontend.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/internal_error.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/aggregate_expansion.h"
#include "dlvm/transform/enum_expansion.h"
#include "dlvm/transform/inlining.h"
#include "dlvm/transform/value_promotion.h"
#include "dlvm/verify/verify.h"
#include "frontend/check/check.h"
#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/derivatives/derivatives.h"
#include "frontend/lower/lower.h"
#include "frontend/parse/modules.h"
#include "frontend/support/append_messages.h"
#include "frontend/support/run_with_stack.h"

namespace frontend {
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
  count_dropped(found, diagnostics);
}

/// Null after an error.
std::unique_ptr<check::Program> parsed_and_checked(const dlvm::Source& source, dlvm::Sources& sources,
                                                   const Options& options, dlvm::Diagnostics& diagnostics) {
  dlvm::Diagnostics messages;
  ast::Files files;
  {
    const dlvm::ScopedTimer timer(options.times, "parse");
    files = parse_modules(source, sources, options, messages);
  }
  std::unique_ptr<check::Program> program;
  if (!files.empty()) {
    const dlvm::ScopedTimer timer(options.times, "check");
    program = check::check_program(std::move(files), options, messages);
  }
  append_in_order(messages, source, diagnostics);
  return program;
}

/// The program without enums, as differentiation gets it; null where it declares none.
std::unique_ptr<dlvm::Module> without_enums(const check::Program& program) {
  if (std::ranges::all_of(program.types, &check::DeclaredType::is_structure)) return nullptr;
  dlvm::Diagnostics reported;  // where the module itself is lowered
  auto module = lower::lower_gradients(program, reported);
  dlvm::inlining(*module);
  dlvm::enum_expansion(*module);
  dlvm::aggregate_expansion(*module);
  dlvm::value_promotion(*module);  // the nodes of a tree that callers give are in memory
  return module;
}

void check_derivatives(const check::Program& program, dlvm::Module& module, dlvm::Diagnostics& diagnostics) {
  const auto lower_again = [&] {
    dlvm::Diagnostics reported;  // where the module itself is lowered
    return lower::lower(program, reported);
  };
  derivatives::check_derivatives(program, module, without_enums(program).get(), lower_again, diagnostics);
}

/// Null after an error.
std::unique_ptr<dlvm::Module> lowered(const check::Program& program, const Options& options,
                                      dlvm::Diagnostics& diagnostics) {
  const dlvm::ScopedTimer timer(options.times, "lower");
  const std::size_t errors = diagnostics.error_count();
  auto module = lower::lower(program, diagnostics);
  check_derivatives(program, *module, diagnostics);
  dlvm::Diagnostics found;
  if (!dlvm::verify(*module, found))
    dlvm::internal_error("the lowered module is not legal:\n" + dlvm::render(found) + dlvm::print(*module));
  return diagnostics.error_count() == errors ? std::move(module) : nullptr;
}

/// A file that can be imported: functions, nets, dimensions and constants alone.
bool is_library(const check::Program& program) {
  const ast::Module& module = *program.main().syntax;
  const auto& declarations = module.declarations;
  return (!module.functions.empty() || !module.types.empty() || !module.nets.empty() ||
          !module.dimensions.empty() || !declarations.empty()) &&
         module.instances.empty() &&
         std::all_of(declarations.begin(), declarations.end(),
                     [](const ast::Declaration& each) { return each.role == ast::Role::constant; });
}

void report_nothing(const check::Program& program, const dlvm::Source& source,
                    dlvm::Diagnostics& diagnostics) {
  const ast::Module& module = *program.main().syntax;
  auto& report = diagnostics.report(check::nothing_to_compile,
                                    module.name ? module.name->location : dlvm::Location{&source, 0, 0, 1});
  for (const ast::Declaration& each : module.declarations)
    for (const ast::Name& name : each.names)
      if (const auto role = ast::role(name.text);
          role == ast::Role::out || role == ast::Role::loss || role == ast::Role::metric)
        return void(report.note(name.location, fmt::format("'{}' is a name here, not a role", name.text))
                        .fix(fmt::format("a role stands behind a colon: y: {} = ...", name.text)));
  report.fix("declare what it returns: y: out = ...");
}

}  // namespace

std::unique_ptr<dlvm::Module> compile(const dlvm::Source& source, dlvm::Sources& sources,
                                      const Options& options, dlvm::Diagnostics& diagnostics) {
  std::unique_ptr<dlvm::Module> module;
  run_with_stack([&] {
    const auto program = parsed_and_checked(source, sources, options, diagnostics);
    if (!program) return;
    if (program->entries.empty()) return report_nothing(*program, source, diagnostics);
    module = lowered(*program, options, diagnostics);
  });
  return module;
}

bool check_only(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
                dlvm::Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  bool read = false;
  run_with_stack([&] {
    const auto program = parsed_and_checked(source, sources, options, diagnostics);
    read = program != nullptr;
    if (!read) return;
    if (program->entries.empty() && !is_library(*program)) report_nothing(*program, source, diagnostics);
    check_derivatives(*program, *lower::lower_gradients(*program, diagnostics), diagnostics);
  });
  return read && diagnostics.error_count() == errors;
}

}  // namespace frontend
