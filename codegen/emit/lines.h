#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include "codegen/schedule/schedule.h"

namespace codegen::emit {

/// What the emitter adds to `function` from here on names the lines of the source that its stages come from;
/// `body` is what it emits. All functions of a module have one compile unit, of the first one's `kind`.
void add_lines(llvm::Function& function, const schedule::Body& body,
               llvm::DICompileUnit::DebugEmissionKind kind);

/// The place in the function's lines, which are there.
llvm::DILocation* line_of(llvm::DISubprogram& subprogram, const dlvm::Location& location);

}  // namespace codegen::emit
