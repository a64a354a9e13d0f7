// The mistakes with structs and enums that callers give and get: TEL-E0560 to E0563.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind structure_of_steps{
    "TEL-E0560", dlvm::Severity::error,
    "the {role} '{name}' of a recurrent block cannot be {type}, {a struct or an enum}",
    "A recurrent block gives sequences: tensors whose first axis has the steps. Each tensor of a struct is a "
    "sequence of its own; an enum has none."};
inline constexpr dlvm::DiagnosticKind structure_in_files{
    "TEL-E0561", dlvm::Severity::error, "'{name}' is a struct, and has no single name in files of weights",
    "Files of weights hold tensors. Those of a struct have the names of its fields there, p.slope and "
    "p.offset."};
inline constexpr dlvm::DiagnosticKind structure_with_enum{
    "TEL-E0562", dlvm::Severity::error, "the {role} '{name}' cannot be {type}: '{field}' is {enum}, an enum",
    "Callers give and get structs whose fields are tensors, and structs of those. A field of an in, an out "
    "or a metric may also be an enum without payloads. The tensors of a param, a const or a state are "
    "stored, and "
    "hold no cases."};
inline constexpr dlvm::DiagnosticKind structure_too_large{
    "TEL-E0563", dlvm::Severity::error, "the {role} '{name}' has more than {number} fields",
    "The fields of structs in a struct count as well. Each tensor is an argument or a result of the entry "
    "points."};

}  // namespace frontend::check
