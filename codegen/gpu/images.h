#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/device/image.h"
#include "codegen/device/program.h"
#include "dlvm/diagnostics/diagnostic.h"

/// Kernels for NVIDIA GPUs: LLVM's NVPTX makes PTX of them, `ptxas` machine code.
namespace codegen::gpu {

using device::Architecture;
using device::Image;

/// Nothing where the text names none that is known.
std::optional<Architecture> parse_architecture(const std::string& text);
/// The names that are known.
std::vector<std::string> architectures();

struct Images {
  std::vector<Image> all;  ///< machine code in the order asked for, then the PTX of the least architecture
  std::string report;      ///< what `ptxas` says of registers and memory
  int toolkit = 0;         ///< whose machine code it is: 13000 for CUDA 13.0; 0: there is none
};

/// The module's functions named in `kernels` as images: machine code for each architecture, made at the same
/// time. Without a CUDA Toolkit there is PTX alone, and a warning says so. Nothing after reporting an error.
std::optional<Images> make_images(const llvm::Module& module, const device::Kernels& kernels,
                                  const std::vector<Architecture>& architectures,
                                  dlvm::Diagnostics& diagnostics);

/// The PTX for one architecture, of the least version that has its instructions.
std::optional<std::string> make_ptx(const llvm::Module& module, const device::Kernels& kernels,
                                    const Architecture& architecture, dlvm::Diagnostics& diagnostics);

}  // namespace codegen::gpu
