#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen::object {

/// Makes the optimised code announce every access to memory to ThreadSanitizer, those of vectors and under
/// masks included. The module then needs the sanitizer's runtime, which `-fsanitize=thread` links.
void instrument_threads(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace codegen::object
