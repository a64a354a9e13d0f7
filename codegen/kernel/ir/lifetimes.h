#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// The first and the last position at which the memory of a value must hold it. If there is none, `first` is
/// greater than `last`.
struct Lifetime {
  std::size_t first = SIZE_MAX, last = 0;
};

/// The lifetimes of a program's values. Positions count, in the order of the text, launches, swaps, the reads
/// of conditions, and the jumps to loops. In a program without control flow, they count its launches.
struct Lifetimes {
  std::vector<Lifetime> of_value;        ///< values that swaps exchange share one lifetime
  std::vector<const Launch*> launch_at;  ///< by position; null where there is no launch
  std::map<const Launch*, std::size_t> position_of;
  std::vector<bool> live_on_entry;  ///< values that a path reads before it writes them
};

/// Returns the lifetimes. A launch is taken to write all elements of an argument that it writes, unless it
/// updates it in place. A value that an iteration of a loop leaves to the next one lives from the loop's
/// begin to its last jump there. The result refers to the launches of `program`, which must not change.
Lifetimes lifetimes(const Program& program);

}  // namespace codegen::kernel
