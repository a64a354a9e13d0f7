#include "telc/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <system_error>

#include "telc/status.h"

namespace telc {
namespace {

/// Of the first text that could not be printed.
int print_failed = 0;

[[noreturn]] void out_of_memory() {
  constexpr std::string_view text = ": not enough memory\n";
  (void)!::write(STDERR_FILENO, program_invocation_short_name, std::strlen(program_invocation_short_name));
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(system_failed);
}

}  // namespace

void open_streams() {
  std::set_new_handler(out_of_memory);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of the write
  // The wrong way round: what reads from standard input or writes to standard output then fails.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && print_failed == 0)
    print_failed = errno;
}

void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int close_streams(int status) {
  if (print_failed == 0 && (std::fflush(stdout) != 0 || !std::cout.flush())) print_failed = errno;
  if (print_failed == 0) return status;
  print_error(fmt::format("{}: cannot write standard output: {}\n", program_invocation_short_name,
                          std::generic_category().message(print_failed)));
  return system_failed;
}

}  // namespace telc
