#pragma once

#include <optional>
#include <string>

#include "codegen/interface.h"
#include "codegen/object/target.h"
#include "dlvm/diagnostics/diagnostic.h"
#include "dlvm/ir/module.h"

namespace codegen {

/// What `--emit` names of this part of the compiler.
enum class Form { kernels, schedule, llvm, assembly, object };

struct CompileOptions {
  TargetOptions target;
  Form form = Form::object;
  std::string source;  ///< the file's name as given, for the header's first line
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
