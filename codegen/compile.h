#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/interface/interface.h"
#include "codegen/object/target.h"
#include "codegen/pipeline.h"
#include "codegen/targets.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"

namespace codegen {

/// What `--emit` names of this part of the compiler.
enum class EmitKind {
  kernels,
  schedule,  ///< for the processor; for a device, where only devices are compiled for
  llvm,      ///< the host's module
  device,    ///< a text of a device (`CompileOptions::text`)
  assembly,
  object
};

struct CompileOptions {
  TargetOptions target;  ///< of the host
  /// What is compiled for. Where no core is among them, the object's host code is for the first of
  /// `targets()`.
  std::vector<const Target*> targets{&codegen::targets().front()};
  target::gpu::DeviceOptions devices;
  bool lines = false;  ///< debuggers and profilers find the lines of the source
  EmitKind form = EmitKind::object;
  std::string text;               ///< of `EmitKind::device`: its name
  std::string source;             ///< the file's name as given, for the header's first line
  PipelineOptions pipeline = {};  ///< its times, if not null, are of all steps from the module to the bytes
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
