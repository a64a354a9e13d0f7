#pragma once

#include <map>
#include <optional>
#include <string>

#include "codegen/device/contents.h"

namespace codegen::gpu {

/// The assembler's path: `$CUDA_HOME/bin`, PATH, `/usr/local/cuda/bin`; nothing where there is none.
std::optional<std::string> find_ptxas();

/// The Toolkit that the assembler is of: 13000 for CUDA 13.0; 0 where it does not say.
int toolkit_of(const std::string& ptxas);

struct Assembled {
  bool ok = false;
  std::string bytes;   ///< the cubin
  std::string report;  ///< registers, stack, spills, shared memory a kernel; or what went wrong
};

/// Machine code for `architecture` (`sm_90a`). Thread-safe; temporary files are gone when it returns.
Assembled assemble(const std::string& ptxas, const std::string& ptx, const std::string& architecture);

/// What a report says of each kernel, by name.
std::map<std::string, device::KernelCode> kernels_of(const std::string& report,
                                                     const std::string& architecture);

}  // namespace codegen::gpu
