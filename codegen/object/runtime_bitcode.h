#pragma once

#include <string_view>

namespace codegen {

/// The runtime (folder `runtime/`) as LLVM bitcode, for x86-64 Linux.
std::string_view runtime_bitcode();

}  // namespace codegen
