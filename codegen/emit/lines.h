#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::emit {

/// Makes the instructions that the emitter adds to `function` from here on name the source lines of their
/// stages. `body` is the schedule that it emits. All functions of a module share one compile unit, whose kind
/// is that of the first call.
void add_lines(llvm::Function& function, const schedule::Body& body,
               llvm::DICompileUnit::DebugEmissionKind kind);

/// Makes these instructions of a function whose stages have no lines name `line`, which is one of another
/// function of the module.
void continue_lines(llvm::Function& function, const llvm::DILocation& line);

/// Returns the debug location of `location` in a function whose lines were added.
llvm::DILocation* line_of(llvm::DISubprogram& subprogram, const dlvm::Location& location);

}  // namespace codegen::emit
