#pragma once

namespace telc {

/// Parses the command line of `telc` and runs its command. Returns the status with which the process ends.
int run_command_line(int argc, char** argv);

}  // namespace telc
