#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/target/gpu/emit_kernels.h"
#include "codegen/target/gpu/image.h"
#include "codegen/target/nvptx/ptxas.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"

/// Images of kernels for NVIDIA GPUs. It takes a module of kernels; LLVM's NVPTX back end turns it into PTX,
/// and `ptxas` turns the PTX into machine code for each architecture. Afterwards every image defines every
/// kernel of the module.
namespace codegen::target::nvptx {

using target::gpu::Architecture;
using target::gpu::Image;

/// Returns the architecture that the text names, or nothing if it is not known.
std::optional<Architecture> parse_architecture(const std::string& text);
/// Returns the names of all known architectures.
std::vector<std::string> architectures();

/// The images of a module.
struct Images {
  std::vector<Image> all;  ///< machine code in the order asked for, then the PTX of the least architecture
  std::string report;      ///< the report of `ptxas` on registers and memory
};

/// Options for making images.
struct ImageOptions {
  double ptxas_limit = default_ptxas_limit;  ///< seconds for one architecture
  bool lines = false;                        ///< the machine code carries debug lines of the source
  bool whole = false;                        ///< machine code has one part
  /// If set, it is called with the work under way at the moment, from several threads but by one at a time.
  std::function<void(const std::string&)> progress;
  dlvm::Times* times = nullptr;  ///< if not null, records the times of LLVM and of `ptxas`
};

/// Returns the module's functions that `kernels` names as images: machine code for each architecture, made in
/// parallel, and PTX. Without a CUDA Toolkit (null) there is PTX alone. Returns nothing after reporting an
/// error. The images do not depend on the number of processors.
std::optional<Images> make_images(const llvm::Module& module, const target::gpu::Kernels& kernels,
                                  const std::vector<Architecture>& architectures, const Toolkit* toolkit,
                                  const ImageOptions& options, dlvm::Diagnostics& diagnostics);

/// Returns the PTX for one architecture, in the least version of PTX that has its instructions, or nothing
/// after reporting an error.
std::optional<std::string> make_ptx(const llvm::Module& module, const target::gpu::Kernels& kernels,
                                    const Architecture& architecture, dlvm::Diagnostics& diagnostics);

}  // namespace codegen::target::nvptx
