#pragma once

#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// A process that reports it ends with the status of a failure of the system.
inline constexpr DiagnosticKind file_failed{"TEL-E1001", Severity::error,
                                            "{what could not be read or written, and why}",
                                            "The system could not open, read or write the file, or it is too "
                                            "large for this machine. Output files are "
                                            "written all or not at all."};
inline constexpr DiagnosticKind not_text{
    "TEL-E1010", Severity::error, "{what shows that a file is not text}",
    "A module is UTF-8 text: TEL in a .tel file, DLVM in a .dl file. The "
    "file named holds bytes that no text has: it is a model, an object, an "
    "archive, or a text in UTF-16. Tensors are given with --in and "
    "--weights."};

}  // namespace dlvm
