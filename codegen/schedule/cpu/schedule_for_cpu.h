#pragma once

#include "codegen/schedule/cpu/target.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::cpu {

/// Returns a schedule for one core, which is chosen by counting memory accesses and arithmetic, not measured:
///   - the innermost loop of a stage is a vector along the axis whose accesses are contiguous, with a masked
///     tail;
///   - in a transposition, the other of the two axes is traversed in blocks of a cache line around the
///     vector's loop, so that cache lines are used completely;
///   - a reduction along the vector axis has one partial state for each lane, combined as `Reduce` does; any
///     other reduction is serial;
///   - scans and scatters are serial, in order;
///   - scalars are computed in the outermost loop on which they depend.
/// The order in which an element is reduced depends on the kernel and the target alone.
Schedule schedule_for_cpu(const kernel::Kernel& kernel, const CpuTarget& target);

/// Returns the kernel's buffers as its schedule has them.
std::vector<Buffer> buffers_of(const kernel::Kernel& kernel);

}  // namespace codegen::schedule::cpu
