#pragma once

#include <cstdint>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Estimates how many instructions the code of these statements has, before any optimisation: a statement is
/// one, what is done to a tile is one for each element, and an unrolled or vector loop has its body once a
/// trip.
std::int64_t instruction_estimate(const Body& body);

}  // namespace codegen::schedule
