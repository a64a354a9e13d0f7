#include "codegen/target/nvptx/images.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "codegen/object/diagnostics.h"
#include "codegen/object/passes.h"
#include "codegen/target/nvptx/assembly.h"
#include "codegen/target/nvptx/diagnostics.h"
#include "codegen/target/nvptx/inline.h"
#include "codegen/target/nvptx/instructions.h"
#include "codegen/target/nvptx/parallel.h"
#include "codegen/target/nvptx/parts.h"
#include "codegen/target/nvptx/ptxas.h"
#include "codegen/target/nvptx/utilities.h"

namespace codegen::target::nvptx {
namespace {

/// An architecture and the first version of PTX that names it, 70 for 7.0.
struct KnownArchitecture {
  int number;
  int version;           ///< of `sm_90`, whose PTX later architectures run, too
  int specific_version;  ///< of `sm_90a`; 0: there is none
};
constexpr std::array<KnownArchitecture, 11> known_architectures{{{75, 63, 0},
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

int min_version(const Architecture& architecture) {
  for (const KnownArchitecture& known : known_architectures)
    if (known.number == architecture.number)
      return architecture.specific ? known.specific_version : known.version;
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
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

void mark_entries(llvm::Module& module, const target::gpu::Kernels& kernels) {
  for (const target::gpu::Kernel& kernel : kernels.all) {
    llvm::Function* function = module.getFunction(kernel.name);
    if (function == nullptr) continue;
    function->setCallingConv(llvm::CallingConv::PTX_Kernel);
    function->addFnAttr("nvvm.reqntid", std::to_string(kernel.threads));
    if (kernel.one_block) function->addFnAttr("nvvm.minctasm", "1");
  }
}

/// Schedules have decided on unrolling, vectors and the order of memory accesses, and `ptxas` optimises once
/// more: what is left is to bring values into registers, to fold, and to keep them out of loops. LLVM's own
/// list for -O3 takes four times as long for the same registers. Address spaces are inferred before casts
/// between them are folded away; the ranges of threads' numbers make indices of 64 bits ones of 32.
constexpr llvm::StringLiteral passes_of_kernels =
    "function(infer-address-spaces,scalarizer,nvvm-intr-range,sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>),"
    "function(loop-mssa(licm),early-cse<memssa>,dse,simplifycfg),"
    "globaldce";

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  object::run_passes(module, machine, passes_of_kernels);
}

std::string write_ptx(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  passes.run(module);
  return {text.data(), text.size()};
}

/// PTX of one part of a module; `wrong` says where the part is no good LLVM module. Thread-safe.
std::string compile_part(const std::string& bitcode, bool has_utilities, const target::gpu::Kernels& kernels,
                         llvm::TargetMachine& machine, std::string& wrong) {
  llvm::LLVMContext context;
  const auto part = llvm::cantFail(llvm::parseBitcodeFile({bitcode, "part"}, context));
  part->setTargetTriple(machine.getTargetTriple());
  part->setDataLayout(machine.createDataLayout());
  if (has_utilities) add_utilities(*part);
  lower_to_nvptx(*part);
  mark_entries(*part, kernels);
  llvm::raw_string_ostream problems(wrong);
  if (llvm::verifyModule(*part, &problems)) return {};
  inline_short_calls(*part);
  optimise(*part, machine);
  return write_ptx(*part, machine);
}

}  // namespace

std::optional<Architecture> parse_architecture(const std::string& text) {
  for (const KnownArchitecture& known : known_architectures)
    for (const bool specific : {false, true}) {
      const Architecture candidate{known.number, specific};
      if (min_version(candidate) > 0 && candidate.name() == text) return candidate;
    }
  return std::nullopt;
}

std::vector<std::string> architectures() {
  std::vector<std::string> names;
  for (const KnownArchitecture& known : known_architectures)
    for (const Architecture candidate : {Architecture{known.number, false}, Architecture{known.number, true}})
      if (min_version(candidate) > 0) names.push_back(candidate.name());
  return names;
}

std::optional<std::string> make_ptx(const llvm::Module& module, const target::gpu::Kernels& kernels,
                                    const Architecture& architecture, dlvm::Diagnostics& diagnostics) {
  // Drivers are older than compilers: one that is for CUDA 11.4 takes PTX of up to version 7.4.
  const int version = std::max(min_version(architecture), ptx_version(module));
  if (machine_for(architecture, version) == nullptr) {
    diagnostics.report(object::broken_object, {}, "LLVM has no NVPTX target");
    return std::nullopt;
  }
  // Each part would number the files of its lines for itself.
  const std::vector<std::string> parts = kernels.lines ? split(module, {.parts = 1}) : split(module);
  std::vector<std::string> ptx(parts.size()), wrong(parts.size());
  for_each_in_parallel(parts.size(), [&](std::size_t i) {
    const bool is_last = i + 1 == parts.size();
    ptx[i] = compile_part(parts[i], is_last, kernels, *machine_for(architecture, version), wrong[i]);
  });
  for (const std::string& problem : wrong)
    if (!problem.empty()) {
      diagnostics.report(object::broken_object, {}, problem);
      return std::nullopt;
    }
  return join_ptx(ptx);
}

std::optional<Images> make_images(const llvm::Module& module, const target::gpu::Kernels& kernels,
                                  const std::vector<Architecture>& architectures, const Toolkit* toolkit,
                                  const ImageOptions& options, dlvm::Diagnostics& diagnostics) {
  Architecture least = architectures.front();
  for (const Architecture& one : architectures)
    if (one.number < least.number) least = one;
  least.specific = false;
  if (options.progress) options.progress(fmt::format("code of {} kernels", kernels.all.size()));
  std::optional<std::string> ptx;
  {
    const dlvm::ScopedTimer timer(options.times, "LLVM for devices");
    ptx = make_ptx(module, kernels, least, diagnostics);
  }
  if (!ptx) return std::nullopt;
  Images images;
  KernelNames one_block;
  if (toolkit != nullptr) {
    const dlvm::ScopedTimer timer(options.times, "ptxas");
    auto made = assemble_all({toolkit->ptxas, options.ptxas_limit, options.lines}, *ptx, kernels,
                             architectures, {options.whole, options.progress});
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Architecture& architecture = architectures[i];
      Assembled& code = made[i].code;
      if (!code.ok) {
        diagnostics.report(assembler_failed, {}, architecture.name(), code.failure);
        return std::nullopt;
      }
      images.report += architecture.name() + "\n" + code.report;
      Image& image = images.all.emplace_back();
      image = {architecture, false, std::move(code.bytes), kernels_of(code.report, architecture.name()), {}};
      if (!made[i].beside.empty()) image.beside = {std::move(made[i].beside), made[i].one_block};
      one_block.merge(made[i].one_block);
    }
  }
  images.all.push_back({least, true, with_one_block(*ptx, one_block), {}, {}});
  return images;
}

}  // namespace codegen::target::nvptx
