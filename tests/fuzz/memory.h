#pragma once

#include "tests/fuzz/control_flow.h"

namespace fuzz {

/// Random modules over f64 that work on memory: of the stack, the heap, boxes and a variable, allocated in
/// loops as well, for one value, several or none. Addresses of values and of components are stored in memory,
/// passed to blocks and to a recursive function, and stepped on from. All positions are inside, and nothing
/// uses memory that has ended, or a null pointer. The function `f` takes what those of `random_control_flow`
/// take, and returns a number and a vector.
ControlFlowCase random_memory(std::uint64_t seed);
/// The same, but addresses may be null, memory may have ended or have no values where it is used, and may be
/// ended twice.
ControlFlowCase random_faulty_memory(std::uint64_t seed);

}  // namespace fuzz
