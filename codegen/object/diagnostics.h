#pragma once

#include <array>

#include "dlvm/diagnostics/diagnostic.h"

namespace codegen {

inline constexpr dlvm::DiagnosticKind unknown_target{
    "TEL-E0901", dlvm::Severity::error, "unknown target '{}': {}",
    "The object's target is a triple like x86_64-pc-linux-gnu. Objects are made for x86-64 Linux."};
inline constexpr dlvm::DiagnosticKind unknown_processor{
    "TEL-E0902", dlvm::Severity::error, "unknown processor '{}'",
    "--mcpu takes `native`, a feature level like `x86-64-v3`, or the name of a processor that LLVM knows."};
inline constexpr dlvm::DiagnosticKind broken_object{"TEL-E0904", dlvm::Severity::error,
                                                    "internal error while making the object: {}",
                                                    "The compiler made code that it cannot turn into an "
                                                    "object. This is a mistake of the compiler, not of the "
                                                    "source; please report it with the source file."};

inline constexpr std::array object_diagnostics{&unknown_target, &unknown_processor, &broken_object};

}  // namespace codegen
