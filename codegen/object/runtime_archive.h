#pragma once

#include <string_view>

namespace codegen::object {

/// Returns the runtime (folder `runtime/`) as a static library for x86-64 Linux, with a member for each
/// source file.
std::string_view runtime_archive();

}  // namespace codegen::object
