#pragma once

#include <set>

#include "codegen/target/gpu/emit_kernels.h"

namespace codegen::target::gpu {

/// Adds the kernel `name` that runs a fused scope of the program, and describes it. Its argument slots are
/// those of `values`, which are all values that the scope uses.
Kernel emit_fused(llvm::Module& code, const std::string& name, const schedule::ScheduledProgram& scheduled,
                  const kernel::Scope& scope, const std::vector<kernel::ValueId>& values,
                  const std::vector<std::string>& names, bool lines);

/// Returns the values that the scope's statements use, in order.
std::vector<kernel::ValueId> values_of(const kernel::Scope& scope);
/// Returns the values that statements outside of the scope use.
std::set<kernel::ValueId> used_outside(const kernel::Program& program, const kernel::Scope& scope);

}  // namespace codegen::target::gpu
