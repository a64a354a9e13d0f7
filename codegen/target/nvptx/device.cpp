#include "codegen/target/nvptx/device.h"

#include "codegen/target/nvptx/diagnostics.h"
#include "codegen/target/nvptx/images.h"
#include "codegen/target/nvptx/ptxas.h"

namespace codegen::target::nvptx {
namespace {

using gpu::DeviceOptions;
using gpu::KernelModule;

ImageOptions image_options(const DeviceOptions& options) {
  ImageOptions result;
  if (options.assembler_limit) result.ptxas_limit = *options.assembler_limit;
  result.lines = options.lines;
  result.progress = options.progress;
  result.times = options.times;
  return result;
}

std::optional<Images> images_of(const KernelModule& module, const std::vector<Architecture>& architectures,
                                const Toolkit* toolkit, const ImageOptions& options,
                                dlvm::Diagnostics& diagnostics) {
  return make_images(*module.code, *module.kernels, architectures, toolkit, options, diagnostics);
}

std::optional<Toolkit> needed_toolkit(const char* what, dlvm::Diagnostics& diagnostics) {
  auto toolkit = find_toolkit();
  if (!toolkit) diagnostics.report(assembler_needed, {}, what);
  return toolkit;
}

std::optional<std::string> ptx(std::span<const KernelModule> modules, const DeviceOptions& options,
                               dlvm::Diagnostics& diagnostics) {
  const Architecture& architecture = options.architectures.front();
  const KernelModule& module = module_for(modules, architecture);
  return make_ptx(*module.code, *module.kernels, architecture, diagnostics);
}

std::optional<std::string> cubin(std::span<const KernelModule> modules, const DeviceOptions& options,
                                 dlvm::Diagnostics& diagnostics) {
  const auto toolkit = needed_toolkit("--emit=cubin", diagnostics);
  if (!toolkit) return std::nullopt;
  const Architecture& architecture = options.architectures.front();
  ImageOptions whole = image_options(options);
  whole.whole = true;
  auto images = images_of(module_for(modules, architecture), {architecture}, &*toolkit, whole, diagnostics);
  if (!images) return std::nullopt;
  return std::move(images->all.front().bytes);
}

std::optional<std::string> report(std::span<const KernelModule> modules, const DeviceOptions& options,
                                  dlvm::Diagnostics& diagnostics) {
  const auto toolkit = needed_toolkit("--emit=sass-report", diagnostics);
  if (!toolkit) return std::nullopt;
  std::string text;
  for (const KernelModule& module : modules) {
    auto images = images_of(module, module.architectures, &*toolkit, image_options(options), diagnostics);
    if (!images) return std::nullopt;
    text += images->report;
  }
  return text;
}

bool finish(std::span<const KernelModule> modules, std::span<gpu::ProgramTables> tables, llvm::Module&,
            const DeviceOptions& options, dlvm::Diagnostics& diagnostics) {
  const auto toolkit = find_toolkit();
  if (!toolkit) diagnostics.report(no_assembler, {});
  for (std::size_t i = 0; i < modules.size(); ++i) {
    auto images = images_of(modules[i], modules[i].architectures, toolkit ? &*toolkit : nullptr,
                            image_options(options), diagnostics);
    if (!images) return false;
    // With its PTX: a driver older than the Toolkit refuses the machine code.
    tables[i].images = std::move(images->all);
    tables[i].toolkit = toolkit ? toolkit->version : 0;
  }
  return true;
}

constexpr gpu::DeviceText texts[]{{"ptx", ptx}, {"cubin", cubin}, {"sass-report", report}};
constexpr const dlvm::DiagnosticKind* messages[]{&unknown_architecture, &assembler_failed, &no_assembler,
                                                 &assembler_needed};

constexpr gpu::Assembler assembler{"CUDA Toolkit", find_ptxas, &assembler_failed};

}  // namespace

constexpr gpu::Device device{finish,     texts,   messages, architectures, parse_architecture,
                             &assembler, TEL_CUDA};

}  // namespace codegen::target::nvptx
