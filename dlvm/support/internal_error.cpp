#include "dlvm/support/internal_error.h"

#include <errno.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace dlvm {

void internal_error(std::string_view text) {
  fmt::print(
      stderr,
      "{}: internal error: {}\n"
      "This is a mistake of the compiler, not of your program. Please report it with the source file and\n"
      "the command line.\n",
      program_invocation_short_name, text);
  std::fflush(stderr);
  std::_Exit(70);
}

}  // namespace dlvm
