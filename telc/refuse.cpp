#include "telc/refuse.h"

#include <errno.h>
#include <fmt/format.h>

#include "telc/diagnostics.h"
#include "telc/status.h"
#include "telc/streams.h"

namespace telc {

int refuse(const std::string& why, bool json) {
  dlvm::Diagnostics diagnostics;
  diagnostics.report(bad_command_line, {}, why);
  print_error(json ? dlvm::render_json(diagnostics)
                   : fmt::format("{}: {}\n", program_invocation_short_name, why));
  return wrong_command_line;
}

}  // namespace telc
