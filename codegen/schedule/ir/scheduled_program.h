#pragma once

#include <string>
#include <vector>

#include "codegen/kernel/memory/plan.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// A function's program with what was decided on it for one target.
struct ScheduledProgram {
  kernel::Program program;
  std::size_t inputs = 0, outputs = 0;  ///< of the function
  kernel::Plan plan;
  std::vector<Schedule> schedules;  ///< one a kernel
  /// The sizes in bytes of all workspace slots: the plan's, then those that the kernels share.
  std::vector<std::vector<Extent>> slots;
};

/// The program before anything is decided on it.
ScheduledProgram of_program(kernel::Program program);

/// The buffers of a schedule that are neither its arguments nor memory of its threads, and so stand in the
/// workspace: their sizes in bytes, in the order in which its code takes them.
struct Workspace {
  std::vector<BufferId> buffers;
  std::vector<Extent> bytes;
};

/// Plans the memory of a program whose schedules are chosen. Values may overwrite others in the launch that
/// ends these where `in_place`; `workspace` says what a schedule needs besides.
void plan_memory(ScheduledProgram& scheduled, bool in_place, Workspace (*workspace)(const Schedule&));

/// Everything that the code of a schedule depends on; code is emitted once for equal keys.
struct CanonicalKey {
  Schedule schedule;                    ///< without annotations
  std::vector<std::string> dimensions;  ///< in the order in which the code takes them
  std::vector<Shape> checked;           ///< what the positions of failed checks count in, by site
  friend bool operator==(const CanonicalKey&, const CanonicalKey&) = default;
};
struct CanonicalKeyHash {
  std::size_t operator()(const CanonicalKey& key) const;
};
/// `sites` are those of the schedule's program.
CanonicalKey canonical_key(const Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                           const std::vector<std::string>& dimensions);

Extent bytes_of(const Buffer& buffer);

}  // namespace codegen::schedule
