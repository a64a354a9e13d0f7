#pragma once

namespace llvm {
class Module;
}

namespace codegen::target::nvptx {

/// Kernels call functions like tanh that are functions of the module. Afterwards those are inlined that add
/// little to a kernel; where a kernel has many calls of a long one, its unrolled loops would be mostly copies
/// of it, which take long to assemble and gain nothing, so these stay calls.
void inline_short_calls(llvm::Module& module);

}  // namespace codegen::target::nvptx
