#pragma once

#include "codegen/target/emulator/sites.h"

namespace codegen::target::emulator {

/// Announces what the function's instructions touch, by calls before them. Left out is what no other thread
/// can see: variables of the function and constant tables, where the place in them is known to be inside.
void instrument(llvm::Function& function, Sites& sites);

}  // namespace codegen::target::emulator
