#pragma once

#include "dlvm/support/diagnostic.h"

namespace codegen::object {

inline constexpr dlvm::DiagnosticKind unknown_target{
    "TEL-E0901", dlvm::Severity::error, "unknown target '{name}': {reason}",
    "The object's target is a triple like x86_64-pc-linux-gnu. Objects are made for x86-64 Linux."};
inline constexpr dlvm::DiagnosticKind unknown_processor{
    "TEL-E0902", dlvm::Severity::error, "unknown processor '{name}'",
    "--mcpu takes `native`, the name of a processor that LLVM knows, or a list of feature levels like "
    "`x86-64-v3,x86-64-v4,x86-64`: the object then has code for each, and takes the best that the processor "
    "has."};
inline constexpr dlvm::DiagnosticKind no_initializer{
    "TEL-E0903", dlvm::Severity::error, "parameter \"{name}\" has no initializer",
    "An object makes the initial values of its parameters. In DLVM text a parameter is 'initialized @f', "
    "where "
    "@f: (u64) -> T takes the seed. A constant has none: its values are read from a file."};
inline constexpr dlvm::DiagnosticKind broken_object{
    "TEL-E0904", dlvm::Severity::error, "internal error while making the object: {what went wrong}",
    "The compiler made code that it cannot turn into an "
    "object. This is a mistake of the compiler, not of the "
    "source; please report it with the source file."};

}  // namespace codegen::object
