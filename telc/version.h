#pragma once

#include <string>

namespace telc {

/// Returns what `--version` prints for the program of that name: its version and LLVM's, and where the
/// programs were found that make machine code for GPUs.
std::string version(const std::string& program);

}  // namespace telc
