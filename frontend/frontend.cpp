#include "frontend/frontend.h"

#include "dlvm/diagnostics/internal_error.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "frontend/check/check.h"
#include "frontend/check/entry_diagnostics.h"
#include "frontend/large_stack.h"
#include "frontend/lower/lower.h"

namespace frontend {

namespace {

std::unique_ptr<check::Program> checked(const dlvm::Source& source, dlvm::Sources& sources,
                                        const Options& options, dlvm::Diagnostics& diagnostics) {
  const dlvm::Step step(options.times, "check");
  return check::check_program(source, sources, options, diagnostics);
}

std::unique_ptr<dlvm::Module> lowered(const check::Program& program, dlvm::Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  auto module = lower::lower(program, diagnostics);
  dlvm::Diagnostics found;
  if (!dlvm::verify(*module, found))
    dlvm::internal_error("the lowered module is not legal:\n" + dlvm::render(found) + dlvm::print(*module));
  return diagnostics.error_count() == errors ? std::move(module) : nullptr;
}

}  // namespace

std::unique_ptr<dlvm::Module> compile(const dlvm::Source& source, dlvm::Sources& sources,
                                      const Options& options, dlvm::Diagnostics& diagnostics) {
  std::unique_ptr<dlvm::Module> module;
  on_large_stack([&] {
    const auto program = checked(source, sources, options, diagnostics);
    if (!program) return;
    if (program->entries.empty()) {
      const auto& name = program->main().syntax->name;
      diagnostics.report(check::nothing_to_compile, name ? name->location : dlvm::Location{&source, 0, 0, 1});
      return;
    }
    const dlvm::Step step(options.times, "lower");
    module = lowered(*program, diagnostics);
  });
  return module;
}

bool check_only(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
                dlvm::Diagnostics& diagnostics) {
  bool fine = false;
  on_large_stack([&] {
    const auto program = check::check_program(source, sources, options, diagnostics);
    fine = program != nullptr && (program->entries.empty() || lowered(*program, diagnostics) != nullptr);
  });
  return fine;
}

}  // namespace frontend
