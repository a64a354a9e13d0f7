#pragma once

#include <span>

#include "dlvm/support/diagnostic.h"

/// The mistakes in a `.dl` text.
namespace dlvm::reading {

inline constexpr DiagnosticKind bad_encoding{
    "DLVM-E0101", Severity::error, "byte {byte} is {what it is}",
    "A .dl file is UTF-8 text without NUL bytes; no byte order mark is needed."};
inline constexpr DiagnosticKind syntax{"DLVM-E0102", Severity::error,
                                       "expected {what may stand here}, found {what stands here}",
                                       "The text does not follow the grammar of DLVM; see docs/ir.md."};
inline constexpr DiagnosticKind too_deep{"DLVM-E0103", Severity::error,
                                         "brackets and pointers nest deeper than {number}",
                                         "The nesting of types, extents and literals is limited, so that no "
                                         "text can exhaust the compiler's stack."};
inline constexpr DiagnosticKind too_large{"DLVM-E0104", Severity::error,
                                          "the text is larger than {number} MiB",
                                          "Put large constants into a weights file instead of the text."};
inline constexpr DiagnosticKind unknown_instruction{
    "DLVM-E0105", Severity::error, "unknown instruction '{name}'",
    "The instructions are those of the table in docs/ir.md; names are case-sensitive."};
inline constexpr DiagnosticKind unknown_value{
    "DLVM-E0106", Severity::error, "unknown value {name}",
    "A value is defined before its use: as an argument of a block or by an instruction, on every way to it."};
inline constexpr DiagnosticKind unknown_function{"DLVM-E0107", Severity::error, "unknown function {name}",
                                                 "The module has no function of that name."};
inline constexpr DiagnosticKind duplicate{
    "DLVM-E0108", Severity::error, "{name} is defined twice",
    "Names are unique: functions and stored tensors within a module, values "
    "and blocks within a function."};
inline constexpr DiagnosticKind bad_part{
    "DLVM-E0109", Severity::error, "{instruction}: {what is wrong}",
    "The instruction has other operands or attributes; the table in docs/ir.md lists them."};
inline constexpr DiagnosticKind wrong_use{
    "DLVM-E0110", Severity::error, "{value} has type {type}, not {type written}",
    "A use is written with the type of its value; `_` in the type stands for any extent."};
inline constexpr DiagnosticKind bad_number{
    "DLVM-E0111", Severity::error, "'{number}' is not a value of type {element type}",
    "A literal must be a number that its element type holds; integers are not "
    "rounded and floats do not overflow silently."};
inline constexpr DiagnosticKind bad_type{
    "DLVM-E0112", Severity::error, "{what is wrong with a type}",
    "Element types are bool, i8 to i64, u8 to u64, f16, bf16, f32 and f64; "
    "extents are polynomials of dimensions that 64 bits hold."};
inline constexpr DiagnosticKind ill_typed{
    "DLVM-E0113", Severity::error, "{instruction}: {what is wrong}",
    "The operands and attributes do not satisfy the instruction's type rule."};
inline constexpr DiagnosticKind misplaced{"DLVM-E0114", Severity::error, "{what stands where it may not}",
                                          "The grammar requires the parts of a module in another order."};
inline constexpr DiagnosticKind unknown_word{"DLVM-E0115", Severity::error,
                                             "unknown {word} '{name}'; known are {list}",
                                             "The word is one of a fixed list."};

inline constexpr DiagnosticKind unknown_block{
    "DLVM-E0116", Severity::error, "unknown block {name}; the function has {list}",
    "A branch goes to a block of its own function. Blocks may be used before they are defined."};
inline constexpr DiagnosticKind bad_branch{
    "DLVM-E0117", Severity::error, "{block}: {what is wrong with what is passed}",
    "A branch passes one value for each argument of the block, of that argument's type: branch 'b(%x: f32). "
    "Extents are equal where they are written alike."};
inline constexpr DiagnosticKind unterminated{"DLVM-E0118", Severity::error,
                                             "block {name} does not end in a terminator: {list}",
                                             "A block ends in exactly one instruction that says what "
                                             "follows: branch, conditional, branchEnum, return or trap."};
inline constexpr DiagnosticKind behind_terminator{
    "DLVM-E0119", Severity::error, "'{instruction}' stands behind the end of block {name}",
    "Nothing follows the terminator of a block: a new block begins with a label, as in 'next():."};
inline constexpr DiagnosticKind not_before{
    "DLVM-E0120", Severity::error, "{value} is not defined on every way to its use",
    "A value is defined in a block through which every way from the entry to the use leads. Where several "
    "blocks define a value, they pass it to an argument of the block in which they meet."};

inline constexpr DiagnosticKind unknown_type{"DLVM-E0121", Severity::error, "unknown type {name}",
                                             "The module declares its types by 'struct', 'enum', 'type $A = "
                                             "T' or 'type $O = opaque', before or behind "
                                             "their uses."};
inline constexpr DiagnosticKind bad_declaration{
    "DLVM-E0122", Severity::error, "{type}: {what is wrong}",
    "The values of a struct have a finite size, so that a struct holds itself only behind a pointer, in a "
    "box or "
    "in an enum. The extents of tensors in it are numbers, because they belong to no function."};

inline constexpr const DiagnosticKind* kinds[]{
    &bad_encoding,      &syntax,     &too_deep,     &too_large,      &unknown_instruction, &unknown_value,
    &unknown_function,  &duplicate,  &bad_part,     &wrong_use,      &bad_number,          &bad_type,
    &ill_typed,         &misplaced,  &unknown_word, &unknown_block,  &bad_branch,          &unterminated,
    &behind_terminator, &not_before, &unknown_type, &bad_declaration};

}  // namespace dlvm::reading
