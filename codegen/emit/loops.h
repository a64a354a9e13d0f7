#pragma once

namespace llvm {
class Instruction;
}

namespace codegen::emit {

/// Forbids LLVM to unroll the loop of which `back` is the jump back to its beginning.
void forbid_unrolling(llvm::Instruction& back);

}  // namespace codegen::emit
