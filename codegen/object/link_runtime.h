#pragma once

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

#include "codegen/object/target.h"

namespace codegen::object {

/// Links the parts of a module's object, and the parts of the runtime that these use. The result exports the
/// symbols that the parts exported, hidden ones aside, and the weak symbols `tel.*`, which all networks of a
/// program share. Returns an error if the object uses a symbol that neither the runtime, libc's functions on
/// memory nor the sanitizer define. The runtime is the one that is compiled for the sanitizer.
llvm::Expected<std::string> link_runtime(const std::vector<std::string>& parts, Sanitizer sanitizer);

}  // namespace codegen::object
