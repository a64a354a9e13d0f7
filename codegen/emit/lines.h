#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::emit {

/// From here on the instructions that the emitter adds to `function` name the lines of the source of their
/// stages; `body` is the schedule that it emits. All functions of a module share one compile unit, of the
/// first one's `kind`.
void add_lines(llvm::Function& function, const schedule::Body& body,
               llvm::DICompileUnit::DebugEmissionKind kind);

/// The place in the function's lines, which are there.
llvm::DILocation* line_of(llvm::DISubprogram& subprogram, const dlvm::Location& location);

}  // namespace codegen::emit
