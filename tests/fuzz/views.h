#pragma once

#include <cstdint>

#include "dlvm/ir/function.h"

namespace fuzz {

/// Lets some users of random tensors read them through views that together change nothing: the inner part of
/// a padded tensor, a transposed transposition, one of two concatenated tensors. Views are nested, and one
/// user may read a tensor both ways. The same seed gives the same views.
void insert_views(dlvm::Function& function, std::uint64_t seed);

}  // namespace fuzz
