#pragma once

#include "codegen/schedule/cpu/target.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::cpu {

/// Returns a schedule for one core, chosen by counting memory accesses and arithmetic (no measuring):
///   - a stage's innermost loop is a vector along the axis whose accesses are contiguous, its tail masked;
///   - of a transposition, the other of its two axes goes in blocks of a line of the cache around the
///   vector's loop, so that lines of the cache are used up in it;
///   - a reduction along that axis has one partial state a lane, combined as `Reduce` does; any other is
///   serial;
///   - scans and scatters are serial, in order;
///   - scalars are computed in the outermost loop that they depend on.
/// The order in which an element is reduced depends on the kernel and the target alone.
Schedule schedule_for_cpu(const kernel::Kernel& kernel, const CpuTarget& target);

}  // namespace codegen::schedule::cpu
