#include "codegen/object/target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <mutex>

#include "codegen/object/diagnostics.h"

namespace codegen::object {
namespace {

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
}

std::string native_features() {
  std::string features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    if (!features.empty()) features += ',';
    features += (feature.second ? '+' : '-') + feature.first().str();
  }
  return features;
}

llvm::CodeGenOptLevel level(int optimization) {
  switch (optimization) {
    case 0:
      return llvm::CodeGenOptLevel::None;
    case 1:
      return llvm::CodeGenOptLevel::Less;
    case 2:
      return llvm::CodeGenOptLevel::Default;
    default:
      return llvm::CodeGenOptLevel::Aggressive;
  }
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_target_machine(const TargetOptions& options,
                                                         dlvm::Diagnostics& diagnostics) {
  initialize_llvm();
  const std::string name = options.triple.empty() ? llvm::sys::getDefaultTargetTriple() : options.triple;
  const llvm::Triple triple(llvm::Triple::normalize(name));
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target || triple.getArch() != llvm::Triple::x86_64 || !triple.isOSLinux()) {
    diagnostics.report(unknown_target, {}, name, "objects are made for x86-64 Linux");
    return nullptr;
  }
  const bool native = options.cpu == "native";
  const std::string cpu = native ? llvm::sys::getHostCPUName().str() : options.cpu;
  const std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "x86-64", ""));
  if (!known->isCPUStringValid(cpu)) {
    diagnostics.report(unknown_processor, {}, options.cpu);
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, cpu, native ? native_features() : "", llvm::TargetOptions{},
                                  llvm::Reloc::PIC_, std::nullopt, level(options.optimization)));
}

std::int32_t feature_level(std::string_view cpu) {
  constexpr std::string_view names[]{"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  const auto* found = std::ranges::find(names, cpu);
  return found == std::end(names) ? 0 : static_cast<std::int32_t>(found - names) + 1;
}

}  // namespace codegen::object
