#pragma once

#include <unordered_map>

#include "codegen/target/cpu/cpu.h"

namespace codegen::target::cpu {

/// `function` is the program's.
Scheduled schedule_program(kernel::Program program, const dlvm::Function& function,
                           const schedule::cpu::CpuTarget& target);

/// The kernels of a module by what they compute, so that functions share them.
struct Kernels {
  using Table = std::unordered_map<CanonicalKey, llvm::Function*, CanonicalKeyHash>;
  Table distinct;     ///< memory that a kernel writes is no other argument's
  Table overlapping;  ///< it may be
};

/// Adds the function's kernels, unless `kernels` has them, and its compute function `name`
/// (runtime/abi.h), whose dimensions are `names` in this order. With `lines`, debuggers find those of the
/// source.
void emit_program(llvm::Module& module, const std::string& name, const Scheduled& scheduled,
                  const std::vector<std::string>& names, math::Features features, Kernels& kernels,
                  bool lines = false);

}  // namespace codegen::target::cpu
