#pragma once

#include <optional>
#include <string>

#include "codegen/devices.h"
#include "codegen/interface/interface.h"
#include "codegen/object/target.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/times.h"

namespace codegen {

/// What `--emit` names of this part of the compiler.
enum class EmitKind {
  kernels,
  schedule,     ///< of the processor; of a device, where only devices are compiled for
  llvm,         ///< the host's module
  ptx,          ///< for the first architecture
  cubin,        ///< likewise
  sass_report,  ///< registers, stack, spills and shared memory of every kernel on every architecture
  assembly,
  object
};

struct CompileOptions {
  TargetOptions target;
  DeviceOptions devices;
  bool processor = true;  ///< compiled for the processor; an object always is
  bool lines = false;     ///< debuggers and profilers find the lines of the source
  EmitKind form = EmitKind::object;
  std::string source;            ///< the file's name as given, for the header's first line
  dlvm::Times* times = nullptr;  ///< if not null: of the steps from the module to the bytes
};

struct Compiled {
  std::string bytes;    ///< the object, or a text
  Interface interface;  ///< for the header and the manifest
};

/// The entry points and initializers of a canonical module: kernels, memory, schedules, code, tables. Nothing
/// after reporting an error.
std::optional<Compiled> compile(const dlvm::Module& module, const CompileOptions& options,
                                dlvm::Diagnostics& diagnostics);

}  // namespace codegen
