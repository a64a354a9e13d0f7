#pragma once

#include <optional>
#include <string>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// The first invariant that does not hold, in words; nothing where all do. The invariants stand at the head
/// of verify.cpp. A violation is a mistake of the compiler.
std::optional<std::string> verify(const Kernel& kernel);
std::optional<std::string> verify(const Program& program);

}  // namespace codegen::kernel
