#include "codegen/diagnostic_kinds.h"

#include "codegen/kernel/build/scalar_emitter.h"
#include "codegen/object/diagnostics.h"
#include "codegen/targets.h"

namespace codegen {

std::vector<const dlvm::DiagnosticKind*> diagnostic_kinds() {
  std::vector<const dlvm::DiagnosticKind*> kinds{&object::unknown_target, &object::unknown_processor,
                                                 &object::no_initializer, &object::broken_object};
  for (const Target& target : targets())
    if (target.device != nullptr)
      kinds.insert(kinds.end(), target.device->messages.begin(), target.device->messages.end());
  kinds.insert(kinds.end(),
               {&kernel::combinator_not_scalar, &kernel::not_straight_line, &kernel::stack_without_capacity});
  return kinds;
}

}  // namespace codegen
