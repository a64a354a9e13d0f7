#pragma once

#include <memory>
#include <optional>
#include <span>
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

/// The object component turns a module of compute functions and the interface into an object file that needs
/// libc alone. `finalize_module` comes first, then `emit`.
namespace codegen::object {

/// The compute functions of one feature level, and the machine for which they were made.
struct LevelModule {
  llvm::Module* module = nullptr;
  llvm::TargetMachine* machine = nullptr;
  LevelCode code = {};
};

/// Completes and optimises the module of the last level: copies the functions of the other levels into it,
/// adds tables and C entries, makes everything but the C entries internal, runs LLVM's pipeline at the level
/// of the last machine, and instruments the code. Each module holds the functions that its level's interface
/// names, with any linkage; they may call each other, LLVM's intrinsics and libc's memory functions.
/// Functions of the last module that no level names are compiled for its machine as well. Returns false after
/// reporting what is wrong.
bool finalize_module(std::span<const LevelModule> levels, const DeviceTables& devices,
                     dlvm::Diagnostics& diagnostics, Sanitizer sanitizer = Sanitizer::none);

/// The forms in which `emit` returns a module.
enum class Emission { object, assembly, llvm };

/// Returns a completed module in the requested form: the text of its LLVM IR or its assembly, or the bytes of
/// its object with the parts of the runtime linked in that it needs. Returns nothing after reporting an
/// error; an object that would need more than libc, and its sanitizer's runtime, is a mistake of the
/// compiler. `sanitizer` is that of `finalize_module`. `times` records the steps `LLVM code` and `runtime`.
std::optional<std::string> emit(llvm::Module& module, llvm::TargetMachine& machine, Emission emission,
                                dlvm::Diagnostics& diagnostics, dlvm::Times* times = nullptr,
                                Sanitizer sanitizer = Sanitizer::none);

}  // namespace codegen::object
