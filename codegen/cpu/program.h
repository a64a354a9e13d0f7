#pragma once

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

/// Adds the function's kernels and its compute function `name` (runtime/abi.h), whose dimensions are `names`
/// in this order.
void emit_program(llvm::Module& module, const std::string& name, const Scheduled& scheduled,
                  const std::vector<std::string>& names, math::Features features);

}  // namespace codegen::cpu
