#include "dlvm/interpret/expand.h"

#include "dlvm/pipeline.h"
#include "dlvm/verify/verify.h"

namespace dlvm {

bool expand_gradients(Module& module, Diagnostics& diagnostics) {
  // The stable rewrites see through library functions only where these are inlined.
  const Pass* const steps[]{pass_named("INL"), pass_named("STA"), pass_named("AD")};
  return verify(module, diagnostics) && run_passes(module, steps, diagnostics);
}

}  // namespace dlvm
