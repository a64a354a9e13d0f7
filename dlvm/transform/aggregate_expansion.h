#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass AE. Afterwards no block takes a tuple, a struct, an array or an enum that is not recursive, and
/// no value of such a type is used but where it is returned, stored, given to an external function, or pushed
/// to a stack that is passed on: its leaves are (see expanded_type.h). Where a canonical module has entry
/// points, this holds for the parameters and results of all other functions, too; their results are flat
/// tuples. The case of an enum is a number that conditionals compare. A stack of values of several types that
/// one function uses holds tuples (mixed_stacks.h). A function that gets such an enum from elsewhere, as from
/// a stack that it is given, stays as it is.
bool aggregate_expansion(Module& module);
/// Does that for the blocks of one function, whose own type stays, if it has structs or arrays. Blocks that
/// nothing reaches stay, too.
bool expand_aggregates(Function& function);

}  // namespace dlvm
