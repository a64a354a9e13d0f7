#pragma once

#include <optional>
#include <string>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Returns the first violated invariant in words, or nothing if all hold. The head of verify.cpp lists the
/// invariants. A violation is a mistake of the compiler.
std::optional<std::string> verify(const Kernel& kernel);
std::optional<std::string> verify(const Program& program);

}  // namespace codegen::kernel
