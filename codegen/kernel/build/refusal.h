#pragma once

#include <string>
#include <string_view>

#include "dlvm/ir/function.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

inline constexpr dlvm::DiagnosticKind not_straight_line{
    "DLVM-E0702", dlvm::Severity::error,
    "@{function}: {instruction} is left after inlining, and no code can be generated for it",
    "Code is generated for functions without calls, whose parameters are tensors and whose result is a "
    "tensor or a tuple of tensors. They may have branches, loops and traps, and stacks that have a capacity. "
    "In a module of the Tensor "
    "Expression Language a call is left where all calls together, with those of derivatives, come to more "
    "than some hundred thousand operations. Make them fewer: give a result that is used several times a name "
    "instead of calling the function again, compute equal layers as one tensor with one more axis, or split "
    "the module in two. In DLVM text a call is left where the function is external or recursive, does not "
    "fit its arguments' shapes, or where the pass INL was not run. Tuples that several blocks use, cycles "
    "that are entered at several blocks, and stacks are left where the passes TE, CC and SE were not run. "
    "A function as a value is left where one of constant extents may be called with dimensions. "
    "A stack that a block takes is left where a loop without a constant bound makes it, or where a function "
    "called from outside, or an external one, takes or returns it. "
    "Memory is left where its address is returned or passed to an external function, where an address of its "
    "type is and this one is stored or taken by a block from several others, where more than 65,536 values "
    "are behind such addresses, or where a pointer that may lead to memory of the stack is deallocated."};
inline constexpr dlvm::DiagnosticKind stack_without_capacity{
    "DLVM-E0703", dlvm::Severity::error,
    "@{function}: {stack} has no capacity, so that no memory can be provided for it",
    "Memory is provided before a function runs, so the number of values that a stack holds needs a bound: "
    "write 'createStack count 4*N + 1', with an extent that is large enough. It may name a dimension of its "
    "own, which the caller then gives. A push to a stack that is full ends the call with an error. The "
    "derivative of a loop keeps values of each step on stacks; they have a capacity if the number of steps "
    "follows from the extents: count the steps from a literal to a literal or an 'extent'."};

/// Reports that no code is generated for `what`, at the location of an instruction, or of the function if the
/// instruction is null or has none. Returns false.
bool refuse(std::string_view what, const dlvm::Function& function, const dlvm::Instruction* at,
            dlvm::Diagnostics& diagnostics);
/// Returns what to call an instruction that is left: its name, and of memory why it is no value.
std::string words_for(dlvm::Instruction& instruction);
/// Reports an instruction that no kernel computes: a call, or one that works on a stack. Returns whether it
/// is none.
bool check_computed(dlvm::Instruction& instruction, dlvm::Diagnostics& diagnostics);

}  // namespace codegen::kernel
