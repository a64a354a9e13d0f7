#pragma once

#include <llvm/Support/Error.h>

#include <string>

namespace codegen::object {

/// Links a module's object with the parts of the runtime that it uses. The result exports the symbols that
/// the object exported, and the weak symbols `tel.*`, which all networks of a program share. Returns an
/// error if the object uses a symbol that neither the runtime nor libc's functions on memory define.
llvm::Expected<std::string> link_runtime(llvm::StringRef object);

}  // namespace codegen::object
