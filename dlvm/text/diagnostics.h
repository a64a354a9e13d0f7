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
inline constexpr DiagnosticKind too_deep{"DLVM-E0103", Severity::error, "brackets nest deeper than {number}",
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
    "A value must be defined before its use, as an argument of the block or by an instruction above."};
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

inline constexpr const DiagnosticKind* kinds[]{
    &bad_encoding,  &syntax,           &too_deep,  &too_large, &unknown_instruction,
    &unknown_value, &unknown_function, &duplicate, &bad_part,  &wrong_use,
    &bad_number,    &bad_type,         &ill_typed, &misplaced, &unknown_word};

}  // namespace dlvm::reading
