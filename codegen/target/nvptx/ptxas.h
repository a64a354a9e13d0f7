#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "codegen/target/gpu/contents/contents.h"
#include "codegen/target/gpu/image.h"

namespace codegen::target::nvptx {

/// Returns the path of the assembler, which is looked for in `$CUDA_HOME/bin`, PATH and
/// `/usr/local/cuda/bin`; nothing if there is none.
std::optional<std::string> find_ptxas();

/// A CUDA Toolkit on this machine.
struct Toolkit {
  std::string ptxas;  ///< its path
  int version = 0;    ///< 13000 for CUDA 13.0; 0 where the assembler does not say
};

/// Returns the CUDA Toolkit whose assembler `find_ptxas` finds, with the version that the assembler states;
/// nothing if there is none.
std::optional<Toolkit> find_toolkit();

/// The time limit of the assembler for one architecture, in seconds, unless the options set another.
inline constexpr double default_ptxas_limit = 600;

/// The assembler and its options.
struct Assembler {
  std::string path;
  double limit = default_ptxas_limit;  ///< seconds for one architecture
  bool lines = false;                  ///< machine code keeps the lines of the source
};

/// The result of one run of the assembler.
struct Assembled {
  bool ok = false;
  std::string bytes;   ///< the cubin: checked, with all kernels
  std::string report;  ///< the assembler's report of each kernel's registers, stack, spills and shared memory
  std::string failure;  ///< if not ok, the reason in a few lines
};

/// Assembles the PTX that defines `kernels` for `architecture` (`sm_90a`). `watch`, if set, is called now and
/// then with the number of kernels that the assembler has begun. Thread-safe; writes no files.
Assembled assemble(const Assembler& assembler, const std::string& ptx,
                   const target::gpu::Architecture& architecture, const std::set<std::string>& kernels,
                   const std::function<void(std::size_t)>& watch = {});

/// Returns the report without its statements about these kernels.
std::string report_without(const std::string& report, const std::set<std::string>& kernels);

/// Returns the report's figures for each kernel, by name.
std::map<std::string, target::gpu::KernelCode> kernels_of(const std::string& report,
                                                          const std::string& architecture);

}  // namespace codegen::target::nvptx
