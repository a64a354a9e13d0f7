#pragma once

#include "codegen/target/emulator/sites.h"

namespace codegen::target::emulator {

/// Inserts a call before each instruction of the function that accesses memory, which announces the access.
/// Accesses that no other thread can see are left out: those to variables of the function and to constant
/// tables, if they are known to be in bounds.
void instrument(llvm::Function& function, Sites& sites);

}  // namespace codegen::target::emulator
