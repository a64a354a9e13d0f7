#include "telc/version.h"

#include <fmt/format.h>

#include "codegen/targets.h"

namespace telc {

std::string version(const std::string& program) {
  std::string text = fmt::format("{} {}\nLLVM {}", program, TELC_VERSION, TELC_LLVM_VERSION);
  for (const codegen::Target& target : codegen::targets()) {
    if (target.device == nullptr || target.device->assembler == nullptr) continue;
    const auto path = target.device->assembler->find();
    text += fmt::format("\n{}: {}", target.device->assembler->toolkit,
                        path ? *path : "not found; objects hold no machine code for GPUs");
  }
  return text;
}

}  // namespace telc
