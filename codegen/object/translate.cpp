#include "codegen/object/translate.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

namespace codegen::object {
namespace {

/// Runs the passes of code generation but for the reduction of addresses in loops. Addresses in kernels are
/// what the processor adds anyway: to reduce them takes a tenth of all time and gains nothing that was
/// measured.
class WithoutLoopReduction final : public llvm::legacy::PassManager {
 public:
  void add(llvm::Pass* pass) override {
    const llvm::StringRef name = pass->getPassName();
    if (name == "Loop Strength Reduction" || name == "Canonicalize Freeze Instructions in Loops")
      delete pass;
    else
      PassManager::add(pass);
  }
};

}  // namespace

std::optional<std::string> translate(llvm::Module& module, llvm::TargetMachine& machine,
                                     llvm::CodeGenFileType kind) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  const auto passes = machine.getOptLevel() == llvm::CodeGenOptLevel::Aggressive
                          ? std::make_unique<llvm::legacy::PassManager>()
                          : std::make_unique<WithoutLoopReduction>();
  if (machine.addPassesToEmitFile(*passes, stream, nullptr, kind)) return std::nullopt;
  passes->run(module);
  return std::string(bytes.data(), bytes.size());
}

}  // namespace codegen::object
