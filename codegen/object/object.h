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

/// Completes and optimises a module of compute functions: adds tables and C entries, makes everything but the
/// C entries internal, and runs LLVM's pipeline for `machine` at its level. `module` holds the functions that
/// `interface` names, with any linkage; they may call each other, LLVM's intrinsics and libc's memory
/// functions. Returns false after reporting what is wrong.
bool finalize_module(llvm::Module& module, const Interface& interface, const DeviceTables& devices,
                     llvm::TargetMachine& machine, dlvm::Diagnostics& diagnostics);

enum class Emission { object, assembly, llvm };

/// Returns what is asked for of a completed module: the text of its LLVM IR or its assembly, or the bytes of
/// its object, which has what it needs of the runtime linked in. It returns nothing after reporting an error;
/// an object that would need more than libc is a mistake of the compiler. `times` is given the steps
/// `LLVM code` and `runtime`.
std::optional<std::string> emit(llvm::Module& module, llvm::TargetMachine& machine, Emission emission,
                                dlvm::Diagnostics& diagnostics, dlvm::Times* times = nullptr);

}  // namespace codegen
