#pragma once

#include <memory>
#include <optional>
#include <string>

#include "codegen/interface/interface.h"
#include "codegen/object/tables.h"
#include "codegen/object/target.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen {

/// Makes of the compute functions a whole module, optimised: adds tables and C entries, makes everything but
/// the C entries internal, and runs LLVM's pipeline for `machine` at its level.
/// `module` holds the functions that `interface` names, with any linkage, calling nothing but each other,
/// LLVM's intrinsics and libc's memory functions. False after reporting what is wrong.
bool finalize_module(llvm::Module& module, const Interface& interface, const DeviceTables& devices,
                     llvm::TargetMachine& machine, dlvm::Diagnostics& diagnostics);

enum class Emission { object, assembly, llvm };

/// The bytes of the object file, what it needs of the runtime in it, or the text of assembly or LLVM IR, of a
/// completed module. An object that would need more than libc is a mistake of the compiler, and reported as
/// such. `times` is given the steps `runtime` and `LLVM code`.
std::optional<std::string> emit(llvm::Module& module, llvm::TargetMachine& machine, Emission emission,
                                dlvm::Diagnostics& diagnostics, dlvm::Times* times = nullptr);

}  // namespace codegen
