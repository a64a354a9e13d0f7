#pragma once

#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Returns those of `next_values` that the program can write straight to the memory of their parameters: the
/// moments of an optimizer, running means. A launch can do so if it reads each element of the parameter just
/// where it writes the result, and if it and all statements behind it
///  1. read the parameter nowhere else,
///  2. cannot fail, so that the parameter is as it was after a failed call, and
///  3. read, unless the result is updated alone, no memory of the caller but scalars and parameters whose
///     place results take: an input may be the same memory.
/// Results of few elements are left to callers, to which a copy costs less than a launch of its own.
std::vector<NextValue> find_updates(const Program& program, const std::vector<NextValue>& next_values);

/// Lets the program write these results to the memory of the parameters. They are some of those that
/// `find_updates` returns for `next_values`.
void update_inputs(Program& program, const std::vector<NextValue>& updates,
                   const std::vector<NextValue>& next_values);

}  // namespace codegen::kernel
