#pragma once

namespace llvm {
class Module;
}

namespace codegen::target::nvptx {

/// Adds the kernels that the runtime launches besides those of the table: `tel_words`, which fills argument
/// buffers, `tel_update`, and `tel_combine_…` of runtime/abi.h. The device operations of `module` must not
/// have been lowered yet. The new functions are marked as kernels.
void add_utilities(llvm::Module& module);

}  // namespace codegen::target::nvptx
