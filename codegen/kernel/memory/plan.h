#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// The assignment of a program's arena values to slots, each of which holds one value at a time. A slot is as
/// large as the largest of its sizes. Once the dimensions are known, the runtime places the slots one after
/// the other, aligned to 64 bytes.
struct MemoryPlan {
  std::vector<std::vector<dlvm::Extent>> slots;  ///< sizes in bytes; no size is provably smaller than another
  /// The slot of each value of the program; absent if the value is not in the arena.
  std::vector<std::optional<std::uint32_t>> slot_of;
};

/// Makes a slot at least `size` bytes large, and drops the sizes that are provably no larger.
void enlarge(std::vector<dlvm::Extent>& slot, const dlvm::Extent& size);

/// Assigns slots. A value lives from the first launch that touches it to the last. It takes the slot of a
/// value that has ended or, if `in_place`, overwrites one that ends in the launch that computes it, provided
/// that the launch reads every element just where it writes it.
MemoryPlan plan_memory(const Program& program, bool in_place = true);

/// Returns the first violated invariant in words, or nothing if all hold: (M1) every value of the arena that
/// a launch touches has a slot; (M2) of two values in a slot, one has ended before the other begins, or ends
/// in the launch in which the other begins. A violation is a mistake of the compiler.
std::optional<std::string> verify(const MemoryPlan& plan, const Program& program);

/// Returns the plan as a table of slots with their sizes and the values that they hold.
std::string print_plan(const MemoryPlan& plan, const Program& program);

}  // namespace codegen::kernel
