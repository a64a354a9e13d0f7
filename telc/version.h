#pragma once

#include <string>

namespace telc {

/// Returns what `--version` prints for the program of that name: its version and LLVM's, and where the
/// assembler of the CUDA Toolkit was found.
std::string version(const std::string& program);

}  // namespace telc
