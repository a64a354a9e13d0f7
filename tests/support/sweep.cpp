#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <stdexcept>

#include "tests/support/mutation.h"

namespace test {
namespace {

/// The memory that the processes of a sweep share.
struct Progress {
  std::uint64_t seed = 0, accepted = 0;
};

void require(bool good) {
  if (!good) throw std::runtime_error("the system refuses a process, a pipe or memory");
}

/// Ends the process where one seed takes this much processor time.
void limit_processor_time(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

void limit_memory() {
#ifndef __SANITIZE_ADDRESS__  // which takes all addresses
  constexpr rlim_t bytes = rlim_t{4} << 30;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

[[noreturn]] void run(Progress& progress, std::uint64_t end,
                      const std::function<bool(std::uint64_t)>& accepts) {
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGPROF}) signal(number, SIG_DFL);
  limit_memory();
  for (; progress.seed < end; ++progress.seed) {
    limit_processor_time(10);
    progress.accepted += accepts(progress.seed);
  }
  _exit(0);
}

/// Goes on from `progress.seed` in a process that some seed may end. Returns what it says in that case.
std::string run_in_child(Progress& progress, std::uint64_t end,
                         const std::function<bool(std::uint64_t)>& accepts) {
  std::array<int, 2> ends{};
  require(pipe(ends.data()) == 0);
  const pid_t child = fork();
  require(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    run(progress, end, accepts);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    said.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) said += fmt::format("(signal {})", WTERMSIG(status));
  return status == 0 ? "" : said + " ";
}

}  // namespace

Sweep sweep(std::uint64_t first, std::uint64_t count, const std::function<bool(std::uint64_t)>& accepts) {
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(shared != MAP_FAILED);
  auto& progress = *new (shared) Progress{first, 0};
  Sweep result;
  for (; progress.seed < first + count; ++progress.seed) {
    const std::string said = run_in_child(progress, first + count, accepts);
    if (said.empty()) break;
    result.failures.push_back({progress.seed, said});
  }
  result.accepted = progress.accepted;
  munmap(shared, sizeof(Progress));
  return result;
}

}  // namespace test
