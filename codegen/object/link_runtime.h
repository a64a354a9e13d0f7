#pragma once

#include <llvm/Support/Error.h>

#include <string>

#include "codegen/object/target.h"

namespace codegen::object {

/// Links a module's object with the parts of the runtime that it uses. The result exports the symbols that
/// the object exported, and the weak symbols `tel.*`, which all networks of a program share. Returns an
/// error if the object uses a symbol that neither the runtime, libc's functions on memory nor the sanitizer
/// define. The runtime is the one that is compiled for the sanitizer.
llvm::Expected<std::string> link_runtime(llvm::StringRef object, Sanitizer sanitizer);

}  // namespace codegen::object
