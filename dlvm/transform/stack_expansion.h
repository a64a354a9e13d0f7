#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// SE. Afterwards a stack that has a capacity, whose values have one type that is made of tensors, and that
/// is used by the instructions of stacks alone, is a tensor for each leaf of that type, with the capacity as
/// its first axis, and the number of values: `push` writes a row of the tensors, `peek` and `pop` read one.
/// They are passed as arguments of blocks. A row outside, of a stack that is full or empty, is an error as
/// every index outside is. A stack of one value may be a value (single_value_stacks.h). Other stacks stay.
bool stack_expansion(Module& module);

/// Gives each stack without a capacity the dimension `FUNCTION_steps` as one, which whoever calls the
/// function must bind. Derivatives of loops whose number of rounds is not known have such stacks.
void give_stacks_capacities(Module& module);

/// Gives the dimension `steps_of_function` (dlvm/ir/derived_names.h) the name `FUNCTION_steps` in each
/// function.
void name_steps(Module& module);

}  // namespace dlvm
