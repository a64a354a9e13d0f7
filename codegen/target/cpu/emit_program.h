#pragma once

#include <unordered_map>

#include "codegen/target/cpu/cpu.h"

namespace codegen::target::cpu {

/// The functions of a module's kernels by the canonical keys of their schedules, so that equal kernels share
/// one function.
struct Kernels {
  using Table = std::unordered_map<schedule::CanonicalKey, llvm::Function*, schedule::CanonicalKeyHash>;
  Table distinct;     ///< functions for which the memory of a written argument overlaps no other argument
  Table overlapping;  ///< functions for which it may overlap
  /// Functions of (dimensions, record, buffers, literals, words) that call a kernel's function. The words are
  /// those of the arguments, then those of the workspace. Each is an i16: the number of a buffer, or, with
  /// the highest bit set, of a literal.
  std::unordered_map<llvm::Function*, llvm::Function*> by_words;
};

/// Adds the kernels of a program, unless `kernels` has them, and its compute function `name` (runtime/abi.h),
/// which takes the dimensions `names` in this order. With `lines`, the code carries debug lines of the
/// source.
void emit_program(llvm::Module& module, const std::string& name, const schedule::ScheduledProgram& scheduled,
                  const std::vector<std::string>& names, math::Features features, Kernels& kernels,
                  bool lines = false);

}  // namespace codegen::target::cpu
