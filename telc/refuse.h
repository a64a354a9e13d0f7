#pragma once

#include <string>

namespace telc {

/// Says what is wrong with the command line, as a line or as a message in JSON; gives the status that stands
/// for it.
int refuse(const std::string& why, bool json);

}  // namespace telc
