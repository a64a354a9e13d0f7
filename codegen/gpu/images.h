#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/device/program.h"
#include "dlvm/diagnostics/diagnostic.h"

/// Kernels for NVIDIA GPUs: LLVM's NVPTX makes PTX of them, `ptxas` machine code.
namespace codegen::gpu {

/// A chip as `--gpu-arch` names it: `sm_80`, `sm_90a`.
struct Architecture {
  int number = 80;
  bool specific = false;  ///< `a`: for this very chip
  std::string name() const { return "sm_" + std::to_string(number) + (specific ? "a" : ""); }
};
/// Nothing where the text names none that is known.
std::optional<Architecture> parse_architecture(const std::string& text);
/// The names that are known.
std::vector<std::string> architectures();

struct Image {
  Architecture architecture;
  bool is_ptx = false;
  std::string bytes;
};

struct ImageOptions {
  std::vector<Architecture> architectures;  ///< each gets machine code where there is a `ptxas`
};

struct Images {
  std::vector<Image> all;  ///< machine code in the order asked for, then the PTX of the least architecture
  std::string report;      ///< what `ptxas` says of registers and memory
};

/// The module's functions named in `kernels` as images. Without a CUDA Toolkit there is PTX alone, and a note
/// says so. Nothing after reporting an error.
std::optional<Images> make_images(const llvm::Module& module, const device::Kernels& kernels,
                                  const ImageOptions& options, dlvm::Diagnostics& diagnostics);

/// The PTX for one architecture.
std::optional<std::string> make_ptx(const llvm::Module& module, const device::Kernels& kernels,
                                    const Architecture& architecture, dlvm::Diagnostics& diagnostics);

}  // namespace codegen::gpu
