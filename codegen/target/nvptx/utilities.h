#pragma once

namespace llvm {
class Module;
}

namespace codegen::target::nvptx {

/// Adds to a kernel module, whose device operations are not lowered yet, the kernels that the runtime
/// launches besides those of the table: `tel_words` and `tel_combine_…` of runtime/abi.h. They are marked as
/// kernels.
void add_utilities(llvm::Module& module);

}  // namespace codegen::target::nvptx
