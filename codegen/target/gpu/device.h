#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/target/gpu/image.h"
#include "codegen/target/gpu/program.h"
#include "codegen/target/gpu/tables.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"

namespace codegen::target::gpu {

/// What an object is to hold for devices.
struct DeviceOptions {
  std::vector<Architecture> architectures{{80, false}, {90, false}};  ///< of machine code
  bool tf32 = false;   ///< float32 products in one tf32 term, where the chip has tensor cores
  bool lines = false;  ///< of the source are kept
  std::optional<double> assembler_limit;  ///< seconds for one chip; nothing: the target's own limit
  /// If it is there, called from several threads, one at a time, with what is done at the moment.
  std::function<void(const std::string&)> progress;
  dlvm::Times* times = nullptr;  ///< if not null: of what the target does with the kernels
};

/// The kernels of all entry points as LLVM IR, for the chips of one class.
struct KernelModule {
  const llvm::Module* code = nullptr;
  const Kernels* kernels = nullptr;
  int architecture = 75;                    ///< the least of the class
  std::vector<Architecture> architectures;  ///< those of the options that run this program
};

/// The module whose program runs on this chip; `modules` are those of all classes, the newest first.
const KernelModule& module_for(std::span<const KernelModule> modules, const Architecture& architecture);

/// A text or file that `--emit` names, and how it is made from the modules of all classes, the newest first.
/// Nothing after reporting an error.
struct DeviceText {
  std::string_view name;
  std::optional<std::string> (*make)(std::span<const KernelModule>, const DeviceOptions&, dlvm::Diagnostics&);
};

/// What a target whose programs are grids does with the modules of kernels.
struct Device {
  /// Adds what this target needs of the kernels to the tables, one a module, and to the host's module. False
  /// after reporting an error.
  bool (*finish)(std::span<const KernelModule>, std::span<ProgramTables>, llvm::Module& host,
                 const DeviceOptions&, dlvm::Diagnostics&);
  std::span<const DeviceText> texts;
  std::span<const dlvm::DiagnosticKind* const> messages;
};

/// What the tables hold, of a module with these entry points.
Contents contents_of(const std::string& module, std::vector<std::string> entries,
                     std::span<const ProgramTables> tables);

}  // namespace codegen::target::gpu
