#include "telc/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <system_error>
#include <utility>

#include "dlvm/support/system_diagnostics.h"
#include "telc/status.h"

namespace telc {
namespace {

/// The system's error number for the first text that could not be printed.
int print_failed = 0;
bool failure_reported = false;
bool json_messages = false;
std::string no_memory;  ///< what is said where there is none left

std::string message(const std::string& text) {
  if (!json_messages) return fmt::format("{}: {}\n", program_invocation_short_name, text);
  dlvm::Diagnostics diagnostics;
  diagnostics.report(dlvm::file_failed, {}, text);
  return dlvm::render_json(diagnostics);
}

[[noreturn]] void out_of_memory() {
  (void)!::write(STDERR_FILENO, no_memory.data(), no_memory.size());
  std::_Exit(system_failed);
}

}  // namespace

void open_streams() {
  no_memory = message("not enough memory");
  std::set_new_handler(out_of_memory);
  std::signal(SIGCHLD, SIG_DFL);  // if it is ignored, the status of an assembler is lost
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of the write
  // The wrong way round: what reads from standard input or writes to standard output then fails.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void use_json_messages() {
  json_messages = true;
  no_memory = message("not enough memory");
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && print_failed == 0)
    print_failed = errno;
}

void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::optional<std::string> flush_output() {
  if (print_failed == 0 && (std::fflush(stdout) != 0 || !std::cout.flush())) print_failed = errno;
  if (print_failed == 0 || std::exchange(failure_reported, true)) return std::nullopt;
  return "cannot write standard output: " + std::generic_category().message(print_failed);
}

int close_streams(int status) {
  if (const auto failed = flush_output()) print_error(message(*failed));
  return print_failed == 0 ? status : static_cast<int>(system_failed);
}

}  // namespace telc
