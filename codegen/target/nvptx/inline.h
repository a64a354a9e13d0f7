#pragma once

namespace llvm {
class Module;
}

namespace codegen::target::nvptx {

/// Inlines calls of functions of the module, such as tanh, that add little to a kernel. If a kernel has many
/// calls of a long function, they stay calls: its unrolled loops would otherwise be mostly copies of the
/// function, which take long to assemble and gain nothing.
void inline_short_calls(llvm::Module& module);

}  // namespace codegen::target::nvptx
