#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "codegen/target/gpu/contents.h"
#include "codegen/target/gpu/image.h"

namespace codegen::target::nvptx {

/// The assembler's path: `$CUDA_HOME/bin`, PATH, `/usr/local/cuda/bin`; nothing where there is none.
std::optional<std::string> find_ptxas();

struct Toolkit {
  std::string ptxas;  ///< its path
  int version = 0;    ///< 13000 for CUDA 13.0; 0 where the assembler does not say
};

/// The CUDA Toolkit whose assembler `find_ptxas` finds, which is asked for its version; nothing where there
/// is none.
std::optional<Toolkit> find_toolkit();

/// How long the assembler may take for one chip, in seconds, unless it is told otherwise.
inline constexpr double default_ptxas_limit = 600;

/// How the assembler is run.
struct Assembler {
  std::string path;
  double limit = default_ptxas_limit;  ///< seconds for one chip
  bool lines = false;                  ///< machine code keeps the lines of the source
};

struct Assembled {
  bool ok = false;
  std::string bytes;    ///< the cubin: checked, with all kernels
  std::string report;   ///< registers, stack, spills, shared memory a kernel
  std::string failure;  ///< where not ok: why, in a few lines
};

/// Machine code for `architecture` (`sm_90a`) of the PTX that defines `kernels`. `watch`, if it is there, is
/// called now and then with how many of them the assembler has begun. Thread-safe; writes no files.
Assembled assemble(const Assembler& assembler, const std::string& ptx,
                   const target::gpu::Architecture& architecture, const std::set<std::string>& kernels,
                   const std::function<void(std::size_t)>& watch = {});

/// The report without what it says of these kernels.
std::string report_without(const std::string& report, const std::set<std::string>& kernels);

/// What a report says of each kernel, by name.
std::map<std::string, target::gpu::KernelCode> kernels_of(const std::string& report,
                                                          const std::string& architecture);

}  // namespace codegen::target::nvptx
