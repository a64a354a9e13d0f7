#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/support/diagnostic.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen::object {

/// Returns the objects that together have the module's code, each a part of its functions, or nothing after
/// reporting an error. The parts are translated at the same time, as far as this machine has processors; what
/// they are depends on the module alone. Definitions that only the module saw become visible to the other
/// parts: hidden symbols, which a linker that joins the parts can make local.
std::optional<std::vector<std::string>> translate_in_parts(llvm::Module& module, llvm::TargetMachine& machine,
                                                           dlvm::Diagnostics& diagnostics);

}  // namespace codegen::object
