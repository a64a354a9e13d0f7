#include "codegen/gpu/images.h"

#include <fmt/format.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

#include "codegen/gpu/diagnostics.h"
#include "codegen/gpu/instructions.h"
#include "codegen/gpu/ptxas.h"
#include "codegen/gpu/utilities.h"
#include "codegen/object/diagnostics.h"
#include "codegen/object/passes.h"

namespace codegen::gpu {
namespace {

/// A chip and the first version of PTX that names it, 70 for 7.0.
struct KnownChip {
  int number;
  int version;           ///< of `sm_90`, whose PTX later chips run, too
  int specific_version;  ///< of `sm_90a`; 0: there is none
};
constexpr std::array<KnownChip, 11> known_chips{{{75, 63, 0},
                                                 {80, 70, 0},
                                                 {86, 71, 0},
                                                 {87, 74, 0},
                                                 {89, 78, 0},
                                                 {90, 78, 80},
                                                 {100, 86, 86},
                                                 {103, 88, 88},
                                                 {110, 90, 90},
                                                 {120, 87, 87},
                                                 {121, 88, 88}}};

int least_version(const Architecture& architecture) {
  for (const KnownChip& chip : known_chips)
    if (chip.number == architecture.number)
      return architecture.specific ? chip.specific_version : chip.version;
  return 0;
}

std::unique_ptr<llvm::TargetMachine> machine_for(const Architecture& architecture, int version) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // what is fused, the generator fused
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "sm_" + std::to_string(architecture.number), "+ptx" + std::to_string(version), options,
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

void mark_entries(llvm::Module& module, const device::Kernels& kernels) {
  for (const device::Kernel& kernel : kernels.all) {
    llvm::Function* function = module.getFunction(kernel.name);
    if (function == nullptr) continue;
    function->setCallingConv(llvm::CallingConv::PTX_Kernel);
    function->addFnAttr("nvvm.reqntid", std::to_string(kernel.threads));
    // So that ptxas saves no registers, or spills, for blocks beside it.
    if (kernel.spills) function->addFnAttr("nvvm.minctasm", "1");
  }
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  run_passes(module, machine, [](llvm::PassBuilder& builder) {
    // Before casts between address spaces are folded away.
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::InferAddressSpacesPass()));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ScalarizerPass()));
    passes.addPass(builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3));
    return passes;
  });
}

}  // namespace

std::optional<Architecture> parse_architecture(const std::string& text) {
  for (const KnownChip& chip : known_chips)
    for (const bool specific : {false, true}) {
      const Architecture candidate{chip.number, specific};
      if (least_version(candidate) > 0 && candidate.name() == text) return candidate;
    }
  return std::nullopt;
}

std::vector<std::string> architectures() {
  std::vector<std::string> names;
  for (const KnownChip& chip : known_chips)
    for (const Architecture candidate : {Architecture{chip.number, false}, Architecture{chip.number, true}})
      if (least_version(candidate) > 0) names.push_back(candidate.name());
  return names;
}

std::optional<std::string> make_ptx(const llvm::Module& module, const device::Kernels& kernels,
                                    const Architecture& architecture, dlvm::Diagnostics& diagnostics) {
  // Drivers are older than compilers: one that is for CUDA 11.4 takes PTX of up to version 7.4.
  const int version = std::max(least_version(architecture), ptx_version(module));
  const auto machine = machine_for(architecture, version);
  if (machine == nullptr) {
    diagnostics.report(broken_object, {}, "LLVM has no NVPTX target");
    return std::nullopt;
  }
  const auto copy = llvm::CloneModule(module);
  copy->setTargetTriple(machine->getTargetTriple());
  copy->setDataLayout(machine->createDataLayout());
  add_utilities(*copy);
  lower_to_nvptx(*copy);
  mark_entries(*copy, kernels);
  std::string wrong;
  llvm::raw_string_ostream problems(wrong);
  if (llvm::verifyModule(*copy, &problems)) {
    diagnostics.report(broken_object, {}, wrong);
    return std::nullopt;
  }
  optimise(*copy, *machine);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  passes.run(*copy);
  return std::string(text.data(), text.size());
}

namespace {

/// For all architectures at the same time.
std::vector<Assembled> assemble_all(const std::string& ptxas, const std::string& ptx,
                                    const std::vector<Architecture>& architectures) {
  std::vector<Assembled> made(architectures.size());
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < made.size(); ++i)
    workers.emplace_back([&, i] { made[i] = assemble(ptxas, ptx, architectures[i].name()); });
  for (std::thread& worker : workers) worker.join();
  return made;
}

/// Of all kernels, bytes of a thread.
std::int64_t spilled(const Assembled& made) {
  std::int64_t bytes = 0;
  for (const auto& [name, code] : kernels_of(made.report, "")) bytes += code.spilled;
  return bytes;
}

/// Marks the kernels that spill on some chip; whether there are any.
bool mark_spills(device::Kernels& kernels, const std::vector<Assembled>& made) {
  bool any = false;
  for (const Assembled& one : made) {
    const auto code = kernels_of(one.report, "");
    for (device::Kernel& kernel : kernels.all)
      if (const auto at = code.find(kernel.name); at != code.end() && at->second.spilled > 0)
        any = kernel.spills = true;
  }
  return any;
}

}  // namespace

std::optional<Images> make_images(const llvm::Module& module, const device::Kernels& given,
                                  const std::vector<Architecture>& architectures,
                                  dlvm::Diagnostics& diagnostics) {
  Architecture least = architectures.front();
  for (const Architecture& one : architectures)
    if (one.number < least.number) least = one;
  least.specific = false;
  device::Kernels kernels = given;
  auto ptx = make_ptx(module, kernels, least, diagnostics);
  if (!ptx) return std::nullopt;
  Images images;
  const auto ptxas = find_ptxas();
  if (!ptxas) {
    diagnostics.report(no_assembler, {});
  } else {
    auto made = assemble_all(*ptxas, *ptx, architectures);
    if (mark_spills(kernels, made)) {
      ptx = make_ptx(module, kernels, least, diagnostics);
      if (!ptx) return std::nullopt;
      auto again = assemble_all(*ptxas, *ptx, architectures);
      // What helps one chip may make another spill.
      for (std::size_t i = 0; i < made.size(); ++i)
        if (made[i].ok && (!again[i].ok || spilled(again[i]) < spilled(made[i])))
          made[i] = std::move(again[i]);
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Architecture& architecture = architectures[i];
      if (!made[i].ok) {
        diagnostics.report(assembler_failed, {}, architecture.name(), made[i].report);
        return std::nullopt;
      }
      images.report += architecture.name() + "\n" + made[i].report;
      images.all.push_back({architecture, false, std::move(made[i].bytes), std::move(made[i].report)});
    }
    images.toolkit = toolkit_of(*ptxas);
  }
  images.all.push_back({least, true, std::move(*ptx), {}});
  return images;
}

}  // namespace codegen::gpu
