#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/memory/plan.h"
#include "codegen/schedule/schedule.h"
#include "dlvm/ir/function.h"

namespace codegen {

/// A function's program with what was decided on it for one target.
struct Scheduled {
  kernel::Program program;
  std::size_t inputs = 0, outputs = 0;  ///< of the function
  memory::Plan plan;
  std::vector<schedule::Schedule> schedules;  ///< one a kernel
  /// The sizes in bytes of all workspace slots: the plan's, then those that the kernels share.
  std::vector<std::vector<dlvm::Extent>> slots;
};

/// The buffers that a schedule works with beside its arguments and that lie in the workspace: their sizes in
/// bytes, in the order in which its code takes them.
struct Workspace {
  std::vector<schedule::BufferId> buffers;
  std::vector<dlvm::Extent> bytes;
};

/// What a target decides.
struct Choices {
  bool in_place = true;  ///< values may overwrite others in the launch that ends these
  std::function<schedule::Schedule(const kernel::Kernel&)> schedule;
  std::function<Workspace(const schedule::Schedule&)> workspace;
};

/// `function` is the program's.
Scheduled schedule_program(kernel::Program program, const dlvm::Function& function, const Choices& choices);

/// Everything that a kernel's code depends on: the schedule without its names, the dimensions' order, the
/// shapes that positions of its failed checks count in; `sites` are the program's. Kernels of equal text are
/// emitted once.
std::string structure_of(const schedule::Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                         const std::vector<std::string>& dimensions);

dlvm::Extent bytes_of(const schedule::Buffer& buffer);

}  // namespace codegen
