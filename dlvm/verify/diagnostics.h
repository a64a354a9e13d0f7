#pragma once

#include "dlvm/support/diagnostic.h"

/// The violations of the invariants in verify.h.
namespace dlvm::verification {

inline constexpr DiagnosticKind bad_function{
    "DLVM-E0201", Severity::error, "@{function}: {what is wrong}",
    "A function has a name of its own, a function type, and a body or a gradient declaration or neither."};
inline constexpr DiagnosticKind bad_block{
    "DLVM-E0202", Severity::error, "@{function} '{block}: {what is wrong}",
    "A block takes arguments (the entry block the function's parameters) and ends in its one terminator."};
inline constexpr DiagnosticKind bad_operand{
    "DLVM-E0203", Severity::error, "@{function} '{block}: {what is wrong}\n  {instruction}",
    "A value is used in its own function, below its definition: a block that "
    "uses it is reached only through the block that defines it."};
inline constexpr DiagnosticKind bad_instruction{
    "DLVM-E0204", Severity::error, "@{function} '{block}: {what is wrong}\n  {instruction}",
    "An instruction has the operands and attributes of the table, and the type that its rule gives."};
inline constexpr DiagnosticKind bad_gradient{"DLVM-E0205", Severity::error,
                                             "@{function}: gradient declaration: {what is wrong}",
                                             "[gradient @f from K wrt I, J keeping K seedable] takes "
                                             "floating-point results and arguments of @f; the type "
                                             "declared is: the arguments of @f (then the cotangent), to a "
                                             "tuple of the derivatives, then the kept results."};
inline constexpr DiagnosticKind not_canonical{
    "DLVM-E0206", Severity::error, "@{function}: a gradient declaration in a canonical module",
    "Differentiation replaces declarations by functions; stage raw may "
    "hold them."};
inline constexpr DiagnosticKind bad_tensor{
    "DLVM-E0207", Severity::error, "{role} \"{name}\": {what is wrong}",
    "A stored tensor has a unique name, constant extents, and an initializer (u64) -> its type or none."};
inline constexpr DiagnosticKind bad_entry{"DLVM-E0208", Severity::error, "entry \"{name}\": {what is wrong}",
                                          "An entry point lists the arguments and results of its function, "
                                          "in order, with what each is to the caller."};
inline constexpr DiagnosticKind bad_requirement{"DLVM-E0209", Severity::error,
                                                "@{function}: requirement \"{text}\": {what is wrong}",
                                                "A requirement compares two extents that 64 bits hold."};

inline constexpr DiagnosticKind bad_branch{
    "DLVM-E0210", Severity::error, "@{function} '{block}: {what is wrong}\n  {instruction}",
    "A branch goes to blocks of its own function other than the entry block, and passes each a value for "
    "every argument, of the argument's type; extents are provably equal."};

inline constexpr DiagnosticKind bad_type{
    "DLVM-E0211", Severity::error, "{type or variable}: {what is wrong}",
    "The fields and payloads of declared types, and variables of the module, have extents that are numbers: "
    "dimensions are those of a function."};

inline constexpr DiagnosticKind bad_derivative{
    "DLVM-E0430", Severity::error, "@{function}: derivative of its own: {what is wrong}",
    "[derivative @g] before a function of tensors names the function that is taken for its derivative. @g "
    "takes the arguments, then the cotangents of the floating results, and returns the cotangents of the "
    "floating arguments."};

inline constexpr const DiagnosticKind* kinds[]{
    &bad_function, &bad_block, &bad_operand,     &bad_instruction, &bad_gradient, &not_canonical,
    &bad_tensor,   &bad_entry, &bad_requirement, &bad_branch,      &bad_type,     &bad_derivative};

}  // namespace dlvm::verification
