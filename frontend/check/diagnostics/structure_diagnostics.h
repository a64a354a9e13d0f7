// The mistakes with structs and enums that callers give and get: TEL-E0560 to E0563
// and E0620 to E0621.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind structure_of_steps{
    "TEL-E0560", dlvm::Severity::error,
    "the {role} '{name}' of a recurrent block cannot be {type}, {a struct or an enum}",
    "A recurrent block gives sequences: tensors whose first axis has the steps. Each tensor of a struct is a "
    "sequence of its own; an enum has none."};
inline constexpr dlvm::DiagnosticKind structure_in_files{
    "TEL-E0561", dlvm::Severity::error,
    "'{name}' is {a struct or an enum}, and has no single name in files of weights",
    "Files of weights hold tensors. Those of a struct have the names of its fields there, p.slope and "
    "p.offset, and those of an enum the number of the case, p.kind, and the payloads, p.circle_0."};
inline constexpr dlvm::DiagnosticKind structure_with_enum{
    "TEL-E0562", dlvm::Severity::error, "the {role} '{name}' cannot be {type}: '{field}' is {enum}, an enum",
    "All tensors of a param are trained. The number of a case is no such tensor, and no state of a net has "
    "one."};
inline constexpr dlvm::DiagnosticKind structure_too_large{
    "TEL-E0563", dlvm::Severity::error, "the {role} '{name}' has more than {number} fields",
    "The fields of structs in a struct count as well, and so do the cases of an enum with payloads and the "
    "values behind them. Each tensor is an argument or a result of the entry "
    "points."};
inline constexpr dlvm::DiagnosticKind recursive_value{
    "TEL-E0620", dlvm::Severity::error,
    "the {role} '{name}' cannot be {type}: a value of '{enum}' holds others of it",
    "What callers give and get is a fixed number of tensors. A value that holds others of its own type, as a "
    "list or a tree does, has any number. Within the module a function makes it of tables and gives what "
    "follows from it."};

inline constexpr dlvm::DiagnosticKind tables_in_tables{
    "TEL-E0621", dlvm::Severity::error,
    "the in '{name}' cannot be {type}: '{path}' is {enum}, another enum that holds itself",
    "An in of an enum that holds itself is tables of nodes. The nodes in them are of this enum: its payloads "
    "hold tensors, structs, enums that do not hold themselves, and values of the enum itself."};

}  // namespace frontend::check
