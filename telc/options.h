// The commands of telc and their options.
#pragma once

#include <string>

#include "telc/command_line.h"
#include "telc/commands.h"

namespace telc {

struct Options {
  CompileOptions compile;
  RunOptions run;
  CheckGradientsOptions check_gradients;
  SourceOptions check;
  FormatOptions format;
  DeviceReportOptions device_report;
  std::string explain;  ///< the code of a message
};

/// Adds the commands to `app`; parsing fills `options`, which must outlive it.
void add_commands(CLI::App& app, Options& options);

}  // namespace telc
