#pragma once

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// Returns whether the module is legal; each violation is an error that names function, block and instruction
/// and prints it. A legal module:
///
///  functions
///   1. Names of functions are unique and not empty; a function's type is a function type.
///   2. A function has a body, or a gradient declaration, or neither, never both.
///   3. What an instruction or a declaration refers to belongs to the module.
///   4. Requirements and types hold no extent that overflowed.
///   5. An external function takes and returns no functions.
///  bodies
///   6. The entry block's arguments are the function's parameters, types included; no branch goes to it.
///   7. Every block ends in a terminator and has no other.
///   8. An operand is a literal of the function, or an argument or a result that is defined above in the
///      block or in a block that dominates it; the operands and their values' users agree. A block that the
///      entry does not reach may use what is defined before it in the order of dlvm/analysis/block_order.h.
///   9. Operands and attributes are those of the table; the type is what the table's rule gives.
///  10. A literal's data has its type's element type, and its extents where it is no splat.
///  11. A constant of another form than data has a type with that constant; a variable whose address is used
///      belongs to the module.
///  12. A function value has a type that its function fits, for some extents of its dimensions.
///  13. `return` gives the function's result (`_` fits any extent).
///  14. A branch goes to blocks of the function and passes each a value for every argument, of the argument's
///      type: their extents are provably equal. The condition is a scalar bool.
///  15. A branchEnum names each case of the enum once and goes to blocks to which nothing else goes. Their
///      arguments are the payloads of the cases.
///  gradient declarations
///  16. Results and arguments named are there, once each, and are floating-point tensors; the declared type
///      is the derived one; no chain of declarations leads back to itself.
///  17. A canonical module has none.
///  interface
///  18. Stored tensors have unique names, also in files, constant extents, and initializers (u64) -> their
///      type; those that files have transposed have two axes or more.
///  19. Entry points have unique names and functions that exist; arguments and results are as many as the
///      function's, parameters, constants, states and next values of these are of the type of the stored
///      tensor, seeds are u64, derivatives have the type of what they are by.
///  declared types and variables
///  20. Their extents are numbers.
bool verify(const Module& module, Diagnostics& diagnostics);

/// Returns whether what each pass and each step of code generation leaves is to be verified unless an option
/// says otherwise: in debug builds, and where the environment's TELC_VERIFY_EACH is not empty, as in the
/// tests.
bool verifies_each();

}  // namespace dlvm
