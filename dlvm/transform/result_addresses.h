#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Lets each gradient declaration name a function that calls the one it names and returns those results alone
/// that the declaration uses, where the others hold addresses: of the memory to which these lead, nothing
/// else has to be known then. Inlining is to follow. Returns whether something changed.
bool drop_returned_addresses(Module& module);

}  // namespace dlvm
