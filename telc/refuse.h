#pragma once

#include <string>

namespace telc {

/// Prints what is wrong with the command line, as a line or as a message in JSON, and returns the exit
/// status.
int refuse(const std::string& why, bool json);

}  // namespace telc
