#pragma once

#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// A place in a function at which many bytes are needed far behind their definition: in a derivative, where
/// its reverse part begins.
struct MemoryPeak {
  const Instruction* first = nullptr;   ///< the instruction at which the bytes begin to grow
  const Instruction* second = nullptr;  ///< that behind which they fall again
};

/// Returns the instructions of the function's blocks in order, without those that only go on to the next.
std::vector<Instruction*> straight_line(const Function& function);

/// Returns the peaks of a function whose blocks follow each other in a line, in order. Between two of them
/// there is a position at which at most half of the bytes of either live. What lives for a few instructions
/// does not count. No more than `max_memory_peaks` are returned, the highest ones.
std::vector<MemoryPeak> memory_peaks(const Function& function, const Extent::Bindings& dimensions = {});
inline constexpr std::size_t max_memory_peaks = 32;

}  // namespace dlvm
