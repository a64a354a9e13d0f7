#pragma once

namespace llvm {
class Module;
}

namespace codegen::target::cpu {

/// Lets functions make the masked loads and stores of the module, one for each type and alignment. On a
/// processor that has no instructions for them each is a branch for each lane, which would be most of the
/// code of a product with edges.
void share_masked_accesses(llvm::Module& module);

}  // namespace codegen::target::cpu
