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

/// The outputs of code generation that `--emit` can name.
enum class EmitKind {
  kernels,
  schedule,  ///< the processor's schedules, or a device's if the processor is not a target
  llvm,      ///< LLVM IR of the host's module
  device,    ///< the text of a device that `CompileOptions::text` names
  assembly,
  object
};

/// Says what to compile for and what to return.
struct CompileOptions {
  object::TargetOptions target;  ///< describes the host
  /// Feature levels for which the object has code besides that for `target.cpu`, which is then a level, too.
  /// Texts are of `target.cpu` alone.
  std::vector<std::string> further_levels = {};
  /// Lists the targets to compile for. If none of them runs on the host, the object's host code is for the
  /// first of `targets()`.
  std::vector<const Target*> targets{&codegen::targets().front()};
  target::gpu::DeviceOptions devices;
  bool lines = false;  ///< the code carries debug lines of the source
  EmitKind emit_kind = EmitKind::object;
  std::string text;  ///< names the text that `EmitKind::device` asks for
  /// The source file's name as the user gave it, for the header's first line.
  std::string source;
  /// Its `times`, if not null, record all steps from the module to the bytes. Its `after` is not called for
  /// the code of further levels.
  PipelineOptions pipeline = {};
};

/// The result of a compilation.
struct Compiled {
  std::string bytes;  ///< the object file, or the text that was asked for
  interface::Interface
      interface;  ///< describes the entry points; the header and the manifest are printed from it
};

/// Compiles the entry points and initializers of a canonical module: builds kernels, plans memory, schedules,
/// emits code, and adds the tables that the runtime reads. Returns nothing after reporting an error.
std::optional<Compiled> compile(const dlvm::Module& module, const CompileOptions& options,
                                dlvm::Diagnostics& diagnostics);

}  // namespace codegen
