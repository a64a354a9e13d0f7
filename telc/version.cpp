#include "telc/version.h"

#include <fmt/format.h>

#include "codegen/target/nvptx/ptxas.h"

namespace telc {

std::string version(const std::string& program) {
  const auto ptxas = codegen::target::nvptx::find_ptxas();
  return fmt::format("{} {}\nLLVM {}\nCUDA Toolkit: {}", program, TELC_VERSION, TELC_LLVM_VERSION,
                     ptxas ? *ptxas : "not found; objects hold no machine code for GPUs");
}

}  // namespace telc
