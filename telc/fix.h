#pragma once

#include "telc/session.h"

namespace telc {

/// Makes the fixes of a TEL file's errors that are sure, round by round until there is none, writes the file
/// anew if there were some, and prints what it changed. Returns the exit status: errors that remain are no
/// failure.
int fix(const SourceOptions& options);

}  // namespace telc
