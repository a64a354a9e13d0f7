#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::cpu {

/// What of a processor the choice of a schedule depends on.
struct Processor {
  unsigned vector_bytes = 32;  ///< of a register; 0: no vectors

  /// Of a vector of that type.
  std::int64_t lanes(ElementType type) const { return vector_bytes / dlvm::info(type).bytes; }
};

/// A schedule for one core, chosen by counting memory accesses and arithmetic (no measuring):
///   - a stage's innermost loop is a vector along the axis whose accesses are contiguous, its tail masked;
///   - of a transposition, the other of its two axes goes in blocks of 16 around the vector's loop, so that
///   lines of the cache are used up in it;
///   - a reduction along that axis has one partial state a lane, combined as `Reduce` does; any other is
///   serial;
///   - scans and scatters are serial, in order;
///   - scalars are computed in the outermost loop that they depend on.
/// The order in which an element is reduced depends on the kernel and the processor alone.
Schedule schedule_for_cpu(const kernel::Kernel& kernel, const Processor& processor);

}  // namespace codegen::schedule::cpu
