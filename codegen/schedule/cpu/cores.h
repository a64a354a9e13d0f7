#pragma once

#include <span>

#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Decides which loops run on several cores. Builders make core loops of all loops whose iterations are
/// independent of each other; afterwards those remain that stand outside of all others and pay, with their
/// estimated work, and the others are serial. Results do not depend on the number of cores, because no
/// reduction is split.
void distribute_over_cores(CpuLowering& lowering);

/// The number of instructions below which another core does not pay: waking it takes some microseconds.
inline constexpr std::int64_t instructions_of_core = 20000;

/// Returns an estimate of the number of instructions that one core executes for the statements.
Extent estimated_instructions(std::span<const Statement> body);

/// Returns the instructions that each piece of a core loop's iterations computes again: those before the core
/// loop in it or, where the loop runs over ranges, those outside of the loops over a range.
Extent repeated_instructions(const Loop& loop);

/// Returns the most iterations that one step of the loops over a range of an innermost core loop does.
std::int64_t iterations_of_step(const Loop& loop);

}  // namespace codegen::schedule::cpu
