#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/target/gpu/emit_kernels.h"
#include "codegen/target/gpu/image.h"
#include "codegen/target/gpu/tables.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {

/// Options for the device part of an object.
struct DeviceOptions {
  std::vector<Architecture> architectures{{80, false}, {90, false}};  ///< architectures that get machine code
  bool tf32 = false;   ///< float32 products use one tf32 term on architectures with tensor cores
  bool lines = false;  ///< the code carries debug lines of the source
  std::optional<double> assembler_limit;  ///< seconds for one architecture; absent for the target's own limit
  /// If set, it is called with the work under way at the moment, from several threads but by one at a time.
  std::function<void(const std::string&)> progress;
  dlvm::Times* times = nullptr;  ///< if not null, records the time that the target spends on the kernels
};

/// The kernels of all entry points as LLVM IR, for one class of architectures.
struct KernelModule {
  const llvm::Module* code = nullptr;
  const Kernels* kernels = nullptr;
  int architecture = 75;                    ///< the least capable architecture of the class
  std::vector<Architecture> architectures;  ///< the architectures of the options that run this program
};

/// Returns the module whose program runs on `architecture`. `modules` are those of all classes, the newest
/// first.
const KernelModule& module_for(std::span<const KernelModule> modules, const Architecture& architecture);

/// A text or file that `--emit` names, and the function that makes it from the modules of all classes, the
/// newest first. The function returns nothing after reporting an error.
struct DeviceText {
  std::string_view name;
  std::optional<std::string> (*make)(std::span<const KernelModule>, const DeviceOptions&, dlvm::Diagnostics&);
};

/// A program of the vendor's that a target runs to make machine code.
struct Assembler {
  std::string_view toolkit;  ///< the name of the package that has it
  /// Returns the program's path, or nothing if it is not installed.
  std::optional<std::string> (*find)();
  const dlvm::DiagnosticKind* failed;  ///< reported if the program fails
};

/// A target whose programs are grids, seen from where emission ends: how the modules of kernels become part
/// of the object.
struct Device {
  /// Adds this target's form of the kernels to the tables, of which there is one for each module, and to the
  /// host's module. Returns false after reporting an error.
  bool (*finish)(std::span<const KernelModule>, std::span<ProgramTables>, llvm::Module& host,
                 const DeviceOptions&, dlvm::Diagnostics&);
  std::span<const DeviceText> texts;
  std::span<const dlvm::DiagnosticKind* const> messages;
  /// The architectures that the target makes machine code for, as `--gpu-arch` spells them, and the one that
  /// a name stands for (nothing if the name is unknown). Both are null if the target makes no machine code.
  std::vector<std::string> (*architectures)() = nullptr;
  std::optional<Architecture> (*parse_architecture)(const std::string& name) = nullptr;
  const Assembler* assembler = nullptr;       ///< null if the target needs none
  tel_execution_kind execution = TEL_SERIAL;  ///< the kind of execution by which a call asks for the target
};

/// Returns the description of what the tables contain, for a module with these entry points.
ObjectContents contents_of(const std::string& module, std::vector<std::string> entries,
                           std::span<const ProgramTables> tables);

}  // namespace codegen::target::gpu
