#pragma once

#include "dlvm/differentiate/rules.h"

/// The transposes of linear instructions, and the rules of reductions.
namespace dlvm::transposes {

#define TRANSPOSE(name) Value* name(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent)
TRANSPOSE(select);
TRANSPOSE(cast);
TRANSPOSE(reshape);
TRANSPOSE(transpose);
TRANSPOSE(reverse);
TRANSPOSE(slice);
TRANSPOSE(concatenate);
TRANSPOSE(pad);
TRANSPOSE(broadcast);
TRANSPOSE(gather);
TRANSPOSE(dot);
TRANSPOSE(convolve);
TRANSPOSE(scatter);
TRANSPOSE(reduce);
TRANSPOSE(reduce_window);
TRANSPOSE(scan);
TRANSPOSE(recurrence);
TRANSPOSE(sort);
TRANSPOSE(topk);
#undef TRANSPOSE

/// Return the reason why a derivative of the instruction is not known; empty if it is.
std::string_view scatter_unknown(const Instruction&);
/// The reason why a derivative of `reduce`, `reduceWindow` or `scan` is not known.
std::string_view combinator_unknown(const Instruction&);

}  // namespace dlvm::transposes
