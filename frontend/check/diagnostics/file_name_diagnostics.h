// Names of tensors in files of weights.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind file_name_of_role{
    "TEL-E0550", dlvm::Severity::error, "'{name}' is {role}, which is in no file of weights",
    "The text behind 'from' is the name that a tensor has in files of weights. They hold what is loaded and "
    "saved: a param, a state, and a const without an expression."};
inline constexpr dlvm::DiagnosticKind file_name_without_path{
    "TEL-E0551", dlvm::Severity::error,
    "all instances of the net '{net}' would have the name '{text}' for '{name}'",
    "The tensors of a net get a name for each instance: {path} in the text stands for the instance's own "
    "name, "
    "as "
    "in from \"{path}.weight\", which gives fc.weight for fc: Dense(3, 4), and tower.0.weight for the "
    "first "
    "net of the array tower."};
inline constexpr dlvm::DiagnosticKind path_outside_net{
    "TEL-E0552", dlvm::Severity::error, "there is no {placeholder} outside of a net",
    "In the names of a net's tensors {path} stands for the name of the instance. What the module itself "
    "declares has one name."};
inline constexpr dlvm::DiagnosticKind file_name_twice{
    "TEL-E0553", dlvm::Severity::error,
    "'{first}' and '{second}' both have the name '{text}' in files of weights",
    "A file has each name once. A tensor without 'from' has the name in files that it has in the module, "
    "such as "
    "fc.W."};
inline constexpr dlvm::DiagnosticKind transposed_in_files{
    "TEL-E0554", dlvm::Severity::error, "{type} has no two axes that files could have in the other order",
    "The ^T behind the name of a tensor in files says that they have it with its last two axes in the other "
    "order, "
    "which needs two axes."};
inline constexpr dlvm::DiagnosticKind file_name_not_possible{
    "TEL-E0555", dlvm::Severity::error, "no tensor of a file has the name '{text}'",
    "In a safetensors file `__metadata__` holds other things, and names are not empty. Any other text is a "
    "name."};
inline constexpr dlvm::DiagnosticKind placeholder_unknown{
    "TEL-E0557", dlvm::Severity::error, "the net '{net}' has nothing that {placeholder} could stand for",
    "In the names of a net's tensors in files, {path} stands for the name of the instance, and a dimension "
    "of the net in braces for its extent, as in from \"{path}.weight_l{layer}\" of net Cell(n, layer = 0)."};

inline constexpr dlvm::DiagnosticKind placeholder_not_constant{
    "TEL-E0558", dlvm::Severity::error,
    "{placeholder} in the name of '{tensor}' in files stands for {extent}, which is not a constant",
    "A tensor has one name in files of weights, and it is known when telc compiles. A dimension of the net "
    "in "
    "braces stands for its extent there, so the instance gives it a number, or a dimension with a value."};

}  // namespace frontend::check
