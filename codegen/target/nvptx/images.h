#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/target/gpu/image.h"
#include "codegen/target/gpu/program.h"
#include "codegen/target/nvptx/ptxas.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"

/// Kernels for NVIDIA GPUs: LLVM's NVPTX makes PTX of them, `ptxas` machine code.
namespace codegen::target::nvptx {

using target::gpu::Architecture;
using target::gpu::Image;

/// Nothing where the text names none that is known.
std::optional<Architecture> parse_architecture(const std::string& text);
/// The names that are known.
std::vector<std::string> architectures();

struct Images {
  std::vector<Image> all;  ///< machine code in the order asked for, then the PTX of the least architecture
  std::string report;      ///< what `ptxas` says of registers and memory
};

struct ImageOptions {
  double ptxas_limit = default_ptxas_limit;  ///< seconds for one chip
  bool lines = false;                        ///< of the source are kept
  bool whole = false;                        ///< machine code has one part
  /// If it is there, called from several threads, one at a time, with what is done at the moment.
  std::function<void(const std::string&)> progress;
  dlvm::Times* times = nullptr;  ///< if not null: of LLVM and of `ptxas`
};

/// The module's functions named in `kernels` as images: machine code for each architecture, made at the same
/// time. Without a CUDA Toolkit (null) there is PTX alone. Nothing after reporting an error. The images do
/// not depend on how many processors there are.
std::optional<Images> make_images(const llvm::Module& module, const target::gpu::Kernels& kernels,
                                  const std::vector<Architecture>& architectures, const Toolkit* toolkit,
                                  const ImageOptions& options, dlvm::Diagnostics& diagnostics);

/// The PTX for one architecture, of the least version that has its instructions.
std::optional<std::string> make_ptx(const llvm::Module& module, const target::gpu::Kernels& kernels,
                                    const Architecture& architecture, dlvm::Diagnostics& diagnostics);

}  // namespace codegen::target::nvptx
