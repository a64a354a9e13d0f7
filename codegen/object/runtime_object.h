#pragma once

#include <string_view>

namespace codegen {

/// The runtime (folder `runtime/`) as an ELF object for x86-64 Linux, a section for each function and
/// constant.
std::string_view runtime_object();

}  // namespace codegen
