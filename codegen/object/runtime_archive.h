#pragma once

#include <string_view>

#include "codegen/object/target.h"

namespace codegen::object {

/// Returns the runtime (folder `runtime/`) as a static library for x86-64 Linux, with a member for each
/// source file; for a sanitizer, the one whose code is instrumented.
std::string_view runtime_archive(Sanitizer sanitizer);

}  // namespace codegen::object
