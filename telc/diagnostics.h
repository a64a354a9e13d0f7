#pragma once

#include "dlvm/diagnostics/diagnostic.h"

/// What can go wrong around the compiler: files, and calls that `telc run` makes.
namespace telc {

inline constexpr dlvm::DiagnosticKind bad_file{"TEL-E1002", dlvm::Severity::error,
                                               "{what is wrong with a file of tensors}",
                                               "Inputs are .npy files (one tensor) or .safetensors files "
                                               "(named tensors); the file is cut off, or something else."};
inline constexpr dlvm::DiagnosticKind bad_call{
    "TEL-E1003", dlvm::Severity::error, "{entry point} cannot be called",
    "An entry point takes every input by name, each of its element type and shape: `--in x=x.npy`, or "
    "`--in all.safetensors`. Parameters come from `--weights`, else they have their initial values; a "
    "`const` without "
    "an expression needs `--weights`. A dimension that no input binds is given by `-D M=5`."};
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
    "TEL-E1008", dlvm::Severity::error, "{file} is not in the canonical layout",
    "`telc fmt --check` says so; `telc fmt --write` changes it."};
inline constexpr dlvm::DiagnosticKind no_object{
    "TEL-E1009", dlvm::Severity::error, "{file}: {why it cannot be read}",
    "`telc --device-report FILE.o` takes an object file that telc wrote, as it was before it was linked."};

}  // namespace telc
