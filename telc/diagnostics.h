#pragma once

#include "dlvm/support/diagnostic.h"

/// The mistakes around the compiler: in files, and in calls that `telc run` makes.
namespace telc {

inline constexpr dlvm::DiagnosticKind bad_file{
    "TEL-E1002", dlvm::Severity::error, "{what is wrong with a file of tensors}",
    "Inputs are .npy files (one tensor), or .npz or .safetensors "
    "files (named tensors). The file is cut off, or it is of another "
    "kind, or it holds what TEL has no type for."};
inline constexpr dlvm::DiagnosticKind bad_call{
    "TEL-E1003", dlvm::Severity::error, "{entry point}: {what is wrong with its inputs}",
    "An entry point takes every input by name, each of its element type and shape: `--in x=x.npy`, or "
    "`--in all.safetensors`, or `--in all.npz`. Integers may come in another type of integers, where every "
    "number fits. Parameters come from `--weights`; without it they have their initial values. A `const` "
    "without an expression needs `--weights`. A dimension that no input binds is given by `-D M=5`."};
inline constexpr dlvm::DiagnosticKind no_entry{
    "TEL-E1004", dlvm::Severity::error, "{what is wrong with the name of the entry point}",
    "`telc run FILE ENTRY` names an entry point of the module; without ENTRY it is `forward`."};
inline constexpr dlvm::DiagnosticKind call_failed{
    "TEL-E1005", dlvm::Severity::error, "{entry point}: {what went wrong}",
    "The entry point stopped: an index outside its range, extents that disagree, or too little memory."};
inline constexpr dlvm::DiagnosticKind gradients_wrong{
    "TEL-E1006", dlvm::Severity::error, "some derivatives do not agree with central differences",
    "Each derivative is compared with (f(x + h) - f(x - h)) / 2h in float64. Where they disagree by more "
    "than 1e-6 of "
    "the largest, the compiler's derivative is wrong: please report it. Where `stop_gradient` or a step "
    "hides a "
    "dependence, nothing is reported."};
inline constexpr dlvm::DiagnosticKind needs_source{"TEL-E1007", dlvm::Severity::error,
                                                   "{command} takes TEL, not DLVM text",
                                                   "A .dl file has no abstract syntax of TEL, and no layout "
                                                   "of its own: `dlopt FILE.dl --print-ir` prints it."};
inline constexpr dlvm::DiagnosticKind not_formatted{
    "TEL-E1008", dlvm::Severity::error, "{which files} not in the canonical layout",
    "`telc fmt --check` lists the files that `telc fmt --write` would change."};
inline constexpr dlvm::DiagnosticKind no_object{
    "TEL-E1009", dlvm::Severity::error, "{why an object cannot be read}",
    "`telc --device-report FILE.o` takes an object file that telc wrote, as it was before it was linked."};
inline constexpr dlvm::DiagnosticKind bad_command_line{
    "TEL-E1011", dlvm::Severity::error, "{what is wrong with the command line}",
    "The command line asks for something that telc does not know or cannot do; nothing was read or written "
    "for it. `telc --help` and `telc COMMAND --help` list the options. An option takes one value; a list is "
    "written with commas. The process ends with status 2."};
inline constexpr dlvm::DiagnosticKind several_results{
    "TEL-E1012", dlvm::Severity::error, "{file} holds one tensor, but {entry point} has {number} results",
    "`telc run --out FILE.npy` writes the only result of an entry point. Where there are several, or none, "
    "`--out FILE.safetensors` writes them by name."};
inline constexpr dlvm::DiagnosticKind warnings_refused{
    "TEL-E1013", dlvm::Severity::error, "{number of warnings}: each is an error with --warnings=error",
    "A module can be compiled in spite of its warnings. With `--warnings=error` it is not, and nothing is "
    "written; with `--warnings=none` warnings are not shown."};

}  // namespace telc
