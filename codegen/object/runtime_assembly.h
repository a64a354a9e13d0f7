#pragma once

#include <llvm/Support/Error.h>

#include <set>
#include <string>

namespace codegen {

/// What of the runtime defines the names of `wanted`, and all that this uses, as assembly: its sections as
/// bytes with relocations and unwind tables, translated when telc was built. Symbols are local, but for
/// weak ones named `tel.…`, which programs share. Names that the runtime lacks are passed over; `floor` is its
/// `tel_libcall_floor`.
llvm::Expected<std::string> runtime_assembly(const std::set<std::string>& wanted);

}  // namespace codegen
