#pragma once

#include <vector>

#include "dlvm/interpret/value.h"
#include "dlvm/ir/builder.h"

namespace fuzz {

/// Follows one run of a function and builds what it computes as a body of one block, whose derivatives are
/// those of the function at that place. Memory becomes values on the way: cells of scalars and addresses, in
/// the order of components. The builder's block takes the inputs; dimensions `N` are 3. Returns the result,
/// or null where the run fails or is long.
dlvm::Value* trace(dlvm::Builder& builder, const std::vector<dlvm::RuntimeValue>& inputs,
                   const dlvm::Function& function);

}  // namespace fuzz
