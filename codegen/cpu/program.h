#pragma once

#include <map>

#include "codegen/cpu/cpu.h"
#include "codegen/memory/plan.h"

namespace codegen::cpu {

/// A function's program with what was decided on it.
struct Scheduled {
  kernel::Program program;
  std::size_t inputs = 0, outputs = 0;  ///< of the function
  memory::Plan plan;
  std::vector<schedule::Schedule> schedules;  ///< one a kernel
  /// The sizes in bytes of all workspace slots: the plan's, then those that the kernels share.
  std::vector<std::vector<dlvm::Extent>> slots;
};

/// `function` is the program's.
Scheduled schedule_program(kernel::Program program, const dlvm::Function& function,
                           const schedule::Processor& processor);

/// The kernels of a module by what they compute, so that functions share them.
using Kernels = std::map<std::string, llvm::Function*>;

/// Adds the function's kernels, unless `kernels` has them, and its compute function `name`
/// (runtime/abi.h), whose dimensions are `names` in this order.
void emit_program(llvm::Module& module, const std::string& name, const Scheduled& scheduled,
                  const std::vector<std::string>& names, math::Features features, Kernels& kernels);

}  // namespace codegen::cpu
