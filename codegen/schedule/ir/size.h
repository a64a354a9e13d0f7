#pragma once

#include <cstdint>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Estimates the number of instructions in the code of these statements, before any optimisation. A statement
/// counts as one, an operation on a tile as one for each element, and the body of an unrolled or vector loop
/// as often as it has iterations.
std::int64_t instruction_estimate(const Body& body);

}  // namespace codegen::schedule
