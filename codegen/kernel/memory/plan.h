#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Where the values of a program's arena lie: in slots, of which each holds one value at a time. A slot is as
/// large as the largest of its sizes; the runtime lays the slots out one after the other, aligned to 64
/// bytes, once the dimensions are known.
struct Plan {
  std::vector<std::vector<dlvm::Extent>> slots;  ///< sizes in bytes; none is provably below another
  std::vector<std::optional<std::uint32_t>>
      slot_of;  ///< for each value of the program; absent: not in the arena
};

/// Values live from the first launch that touches them to the last. A value takes the slot of one that has
/// ended, or, `in_place`, overwrites one that ends in the launch that makes it, where every element is read
/// just where it is written.
Plan plan(const Program& program, bool in_place = true);

/// The first invariant that does not hold, in words; nothing where all do: (M1) every value of the arena that
/// a launch touches has a slot; (M2) of two values in a slot, one has ended before the other begins, or ends
/// in the launch in which that one begins. A violation is a mistake of the compiler.
std::optional<std::string> verify(const Plan& plan, const Program& program);

/// The plan as a table, for `--report=memory`.
std::string text(const Plan& plan, const Program& program);

}  // namespace codegen::kernel
