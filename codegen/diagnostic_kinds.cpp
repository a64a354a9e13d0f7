#include "codegen/diagnostic_kinds.h"

#include "codegen/gpu/diagnostics.h"
#include "codegen/kernel/emitter.h"
#include "codegen/object/diagnostics.h"

namespace codegen {

std::vector<const dlvm::DiagnosticKind*> diagnostic_kinds() {
  return {
      &unknown_target,           &unknown_processor, &broken_object,         &gpu::unknown_architecture,
      &gpu::assembler_failed,    &gpu::no_assembler, &gpu::assembler_needed, &kernel::combinator_not_scalar,
      &kernel::not_straight_line};
}

}  // namespace codegen
