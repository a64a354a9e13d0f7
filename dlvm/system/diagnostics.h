#pragma once

#include "dlvm/diagnostics/diagnostic.h"

namespace dlvm {

/// A process that reports it ends with the status of a failure of the system.
inline constexpr DiagnosticKind file_failed{"TEL-E1001", Severity::error,
                                            "{what could not be read or written, and why}",
                                            "The system could not open, read or write the file, or it is too "
                                            "large for this machine. Output files are "
                                            "written all or not at all."};

}  // namespace dlvm
