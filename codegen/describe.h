#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/interface/interface.h"
#include "codegen/kernel/ir/program.h"
#include "dlvm/ir/module.h"

namespace codegen {

/// What code generation knows of one DLVM function: its program, and the sizes in bytes of the workspace
/// slots that its compute function takes.
struct CompiledFunction {
  kernel::Program program;
  std::vector<std::vector<dlvm::Extent>> slots;
};

/// The functions that entry points and initializers name.
std::set<std::string> wanted_functions(const dlvm::Module& module);

/// The linker's name of a DLVM function's compute function before it is made internal.
std::string compute_symbol(const std::string& function);

/// The interface of a canonical module: its tensors laid out, its entry points with their inputs and outputs,
/// dimensions bound, requirements as checks. `functions` holds every function that an entry point or an
/// initializer names. The dimensions that a compute function takes are `Entry::dimensions`, in that order.
Interface describe(const dlvm::Module& module, const std::string& source,
                   const std::map<std::string, CompiledFunction>& functions);

}  // namespace codegen
