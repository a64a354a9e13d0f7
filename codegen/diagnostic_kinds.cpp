#include "codegen/diagnostic_kinds.h"

#include "codegen/kernel/build/emitter.h"
#include "codegen/object/diagnostics.h"
#include "codegen/target/nvptx/diagnostics.h"

namespace codegen {

std::vector<const dlvm::DiagnosticKind*> diagnostic_kinds() {
  return {&unknown_target,
          &unknown_processor,
          &broken_object,
          &target::nvptx::unknown_architecture,
          &target::nvptx::assembler_failed,
          &target::nvptx::no_assembler,
          &target::nvptx::assembler_needed,
          &kernel::combinator_not_scalar,
          &kernel::not_straight_line};
}

}  // namespace codegen
