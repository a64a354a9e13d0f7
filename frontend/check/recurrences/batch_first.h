// Sequences that have the batch in front of the time.
#pragma once

#include <string>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns the advice for a recurrent block that runs over the first axis of a sequence where the second one
/// may be the time; empty where the expression that is checked stands in no such block.
std::string advice_for_batch_first(const BodyContext& context);
/// Returns whether the steps of the block in which the expression stands are counted by a dimension that is
/// named as batches are: N, B, batch.
bool steps_are_named_as_batch(const BodyContext& context);
/// Returns whether the extent is the number of steps of the block in which the expression stands.
bool is_number_of_steps(const BodyContext& context, const Extent& extent);

}  // namespace frontend::check
