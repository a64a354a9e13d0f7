#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/program/plan.h"
#include "codegen/schedule/ir/schedule.h"
#include "dlvm/ir/function.h"

namespace codegen {

/// A function's program with what was decided on it for one target.
struct Scheduled {
  kernel::Program program;
  std::size_t inputs = 0, outputs = 0;  ///< of the function
  program::Plan plan;
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

/// Everything that the code of a schedule depends on; code is emitted once for equal keys.
struct CanonicalKey {
  schedule::Schedule schedule;          ///< without annotations
  std::vector<std::string> dimensions;  ///< in the order in which the code takes them
  std::vector<dlvm::Shape> checked;     ///< what the positions of failed checks count in, by site
  friend bool operator==(const CanonicalKey&, const CanonicalKey&) = default;
};
struct CanonicalKeyHash {
  std::size_t operator()(const CanonicalKey& key) const;
};
/// `sites` are those of the schedule's program.
CanonicalKey canonical_key(const schedule::Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                           const std::vector<std::string>& dimensions);

dlvm::Extent bytes_of(const schedule::Buffer& buffer);

}  // namespace codegen
