#pragma once

#include <string>
#include <vector>

#include "codegen/kernel/memory/plan.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// A function's program with the decisions of one target: the memory plan and a schedule for each kernel.
struct ScheduledProgram {
  kernel::Program program;
  std::size_t inputs = 0, outputs = 0;  ///< the number of the function's inputs and outputs
  kernel::MemoryPlan plan;
  std::vector<Schedule> schedules;  ///< one for each kernel
  /// The sizes in bytes of all workspace slots: the plan's, then those that the kernels share, of which the
  /// last `core_slots` exist once for each core.
  std::vector<std::vector<Extent>> slots;
  std::size_t core_slots = 0;
};

/// Returns the program without any decisions.
ScheduledProgram of_program(kernel::Program program);

/// The buffers of a schedule that are allocated in the workspace because they are neither its arguments nor
/// memory of its threads, and their sizes in bytes, in the order in which its code takes them. Those that
/// each core has for itself are the last ones.
struct Workspace {
  std::vector<BufferId> buffers;
  std::vector<Extent> bytes;
  std::size_t of_cores = 0;  ///< the number of buffers that each core has for itself
};

/// Plans the memory of a program whose schedules are chosen. With `in_place`, values may overwrite others
/// whose lifetime ends in the launch. `workspace` returns the buffers that a schedule needs besides.
void plan_memory(ScheduledProgram& scheduled, bool in_place, Workspace (*workspace)(const Schedule&));

/// Everything on which the code of a schedule depends. Code is emitted once for equal keys.
struct CanonicalKey {
  Schedule schedule;                    ///< without annotations
  std::vector<std::string> dimensions;  ///< the dimensions in the order in which the code takes them
  /// For each check site, the shape in which a failed check reports the position.
  std::vector<Shape> checked;
  friend bool operator==(const CanonicalKey&, const CanonicalKey&) = default;
};
/// Hashes keys for unordered containers.
struct CanonicalKeyHash {
  std::size_t operator()(const CanonicalKey& key) const;
};
/// Returns the schedule's key. `sites` are the check sites of its program.
CanonicalKey canonical_key(const Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                           const std::vector<std::string>& dimensions);

/// Returns the size of the buffer's memory in bytes.
Extent bytes_of(const Buffer& buffer);

}  // namespace codegen::schedule
