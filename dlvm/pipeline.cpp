#include "dlvm/pipeline.h"

#include <chrono>

#include "dlvm/diagnostics/internal_error.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"

namespace dlvm {
namespace {

constexpr Pass all_passes[]{
    {"Verification", "VER", "the module is legal; nothing changes",
     [](Module& module, Diagnostics& diagnostics) {
       verify(module, diagnostics);
       return false;
     }},
    {"Differentiation", "AD", "gradient declarations are ordinary functions; the module is canonical",
     [](Module& module, Diagnostics& diagnostics) {
       const bool changes = module.stage == Module::Stage::raw;
       differentiate(module, diagnostics);
       return changes;
     }},
};

void verify_after(const Pass& pass, const Module& module) {
  Diagnostics diagnostics;
  if (verify(module, diagnostics)) return;
  internal_error(std::string(pass.name) + " left a module that does not verify:\n" + render(diagnostics) +
                 "\n" + print(module));
}

}  // namespace

std::span<const Pass> passes() { return all_passes; }

const Pass* pass_named(std::string_view name) {
  for (const Pass& pass : all_passes)
    if (pass.name == name || pass.short_name == name) return &pass;
  return nullptr;
}

bool run_passes(Module& module, std::span<const Pass* const> passes, Diagnostics& diagnostics,
                const PipelineOptions& options) {
  const std::size_t errors = diagnostics.error_count();
  for (const Pass* pass : passes) {
    const auto start = std::chrono::steady_clock::now();
    const bool changed = pass->run(module, diagnostics);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (options.after) options.after(*pass, changed, seconds.count(), module);
    if (diagnostics.error_count() > errors) return false;
    if (options.verify_each) verify_after(*pass, module);
  }
  return true;
}

bool optimize(Module& module, Diagnostics& diagnostics, const PipelineOptions&) {
  return verify(module, diagnostics);
}

}  // namespace dlvm
