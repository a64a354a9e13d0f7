#pragma once

#include <llvm/Support/Error.h>

#include <set>
#include <string>
#include <vector>

namespace codegen::object {

/// Links objects with the members of a static library that they need into one relocatable object, as
/// `ld -r` does. Symbols that the library lacks stay undefined. The same input gives the same bytes.
/// Thread-safe; calls run one after the other.
llvm::Expected<std::string> link_relocatable(const std::vector<std::string>& objects,
                                             llvm::StringRef archive);

/// Makes the symbols that an object defines local, except those that match one of `globals`: names in which
/// `*` stands for any text. The names of C++ source files are dropped.
llvm::Expected<std::string> localize_symbols(llvm::StringRef object, const std::set<std::string>& globals);

}  // namespace codegen::object
