#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass CFGCan, the form from which structured control flow is found. Afterwards
///   - the entry reaches every block;
///   - at most one block ends in `return`;
///   - each natural loop has a preheader, the only block outside that goes to its header, and which goes
///     nowhere else; and one latch, the only block inside that does, and which goes nowhere else;
///   - a conditional whose ways all go on to one block has that block to itself: a join of its own stands
///     before a block that other ways go to as well;
///   - no edge is critical: a block that goes to several blocks is the only one that goes to each of them.
/// A body of one block stays as it is. CFGSimp undoes this where a block would do nothing but go on.
bool control_flow_canonicalization(Function& function);

/// Does the same, and then `forward_arguments` and `remove_copied_arguments`, so that a tape holds no value
/// under two names, and counters go round loops without others in between.
bool canonicalize_for_adjoints(Function& function);

}  // namespace dlvm
