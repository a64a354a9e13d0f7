#include "codegen/target/nvptx/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "dlvm/support/memory_file.h"

namespace codegen::target::nvptx {
namespace {

using Clock = std::chrono::steady_clock;

std::string text_of(int error) { return std::generic_category().message(error); }

/// Limits of a file that the program writes, and of its messages that are watched.
constexpr std::size_t max_bytes = std::size_t{1} << 30, max_watched = std::size_t{1} << 20;

/// In the child, between fork and exec: system calls alone.
[[noreturn]] void become(const char* path, char* const* arguments, pid_t parent, int input, int output,
                         int messages) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit size{max_bytes, max_bytes};
  ::setrlimit(RLIMIT_FSIZE, &size);
  const int nothing = ::open("/dev/null", O_RDONLY);
  const bool ready = ::getppid() == parent && nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 &&
                     ::dup2(messages, STDOUT_FILENO) >= 0 && ::dup2(messages, STDERR_FILENO) >= 0 &&
                     ::fcntl(input, F_SETFD, 0) == 0 && ::fcntl(output, F_SETFD, 0) == 0;
  if (ready) ::execv(path, arguments);
  constexpr int not_run = 127;
  constexpr std::string_view why = "the system cannot run it";
  (void)!::write(messages, why.data(), why.size());
  ::_exit(not_run);
}

/// Waits until the process ends; false where it had to be ended. `status` is negative where the system does
/// not tell how it ended.
bool wait_for(pid_t process, double seconds, const std::function<void()>& watch, int& status) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::milliseconds(1);
  constexpr auto longest_pause = std::chrono::milliseconds(20);
  for (pid_t ended = 0; (ended = ::waitpid(process, &status, WNOHANG)) != process;) {
    if (ended < 0 && errno != EINTR) {
      status = -1;
      return true;
    }
    if (Clock::now() > end) {
      ::kill(-process, SIGKILL);
      ::kill(process, SIGKILL);
      ::waitpid(process, &status, 0);
      return false;
    }
    watch();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest_pause);
  }
  ::kill(-process, SIGKILL);  // what it left behind
  return true;
}

}  // namespace

Finished run_program(const std::string& path, const std::vector<std::string>& arguments,
                     std::string_view input, double seconds,
                     const std::function<void(std::string_view)>& watch) {
  const dlvm::MemoryFile in, out, messages;
  if (!in.is_open() || !out.is_open() || !messages.is_open() || !in.write(input))
    return {false, {}, {}, "its input cannot be written: " + text_of(errno)};
  std::vector<std::string> words{path};
  for (const std::string& argument : arguments)
    words.push_back(argument == input_file ? in.path() : argument == output_file ? out.path() : argument);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid(), process = ::fork();
  if (process < 0) return {false, {}, {}, "it cannot be run: " + text_of(errno)};
  if (process == 0)
    become(path.c_str(), pointers.data(), parent, in.descriptor(), out.descriptor(), messages.descriptor());
  int status = 0;
  const auto show = [&] {
    if (watch) watch(messages.read(max_watched));
  };
  const bool in_time = wait_for(process, seconds, show, status);
  Finished result{false, out.read(max_bytes), messages.read(max_bytes), {}};
  if (!in_time)
    result.failure = fmt::format("it took more than {} s", seconds);
  else if (status < 0)
    result.failure = "the system does not tell how it ended";
  else if (WIFSIGNALED(status))
    result.failure = fmt::format("it was ended by signal {}", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    result.failure = fmt::format("it ended with status {}", WEXITSTATUS(status));
  result.ok = result.failure.empty();
  return result;
}

}  // namespace codegen::target::nvptx
