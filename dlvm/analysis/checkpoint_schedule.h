#pragma once

#include <cstdint>
#include <optional>

#include "dlvm/ir/function.h"

/// Binomial checkpointing of a chain of equal steps that is run backwards (A. Griewank, A. Walther: Algorithm
/// 799: Revolve, ACM Transactions on Mathematical Software 26, 2000). A checkpoint is the state before a
/// step. Steps are run again from the nearest checkpoint in front of them, which leaves others on the way
/// where there is room for them.
namespace dlvm {

/// Returns how many steps can be run backwards with that many checkpoints, the state before the first step
/// among them, if no step is run forward more than `times` times before it is run backwards: the binomial
/// coefficient of `checkpoints + times` and `times`, or `most_steps` if it is larger than that.
std::int64_t reversible_steps(std::int64_t checkpoints, std::int64_t times);
inline constexpr std::int64_t most_steps = std::int64_t{1} << 30;

/// Returns the fewest `times` for which that many steps, at most `most_steps`, can be run backwards.
std::int64_t repetitions(std::int64_t steps, std::int64_t checkpoints);

/// Returns how many times a step is run again on average, if `kept` states are kept at most at one time. Of
/// these, one is the state before the last step, from which it is run again at once.
double mean_repetitions(std::int64_t steps, std::int64_t kept);

/// The attribute `checkpoints.N` of a function: the tape of a loop that does nothing but call it keeps N
/// states, at least 2, and the adjoint of the loop computes the other ones again.
void set_checkpoints(Function& function, std::int64_t count);
/// Returns the number in that attribute; nothing if the function has none.
std::optional<std::int64_t> checkpoints(const Function& function);

}  // namespace dlvm
