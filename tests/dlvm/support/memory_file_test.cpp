#include "dlvm/support/memory_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

using dlvm::MemoryFile;

TEST_CASE("a file in memory gives back what was appended, up to a limit") {
  const MemoryFile file;
  REQUIRE(file.is_open());
  CHECK(file.write("one "));
  CHECK(file.write("two"));
  CHECK(file.read(100) == "one two");
  CHECK(file.read(5) == "one t");
}

TEST_CASE("a file in memory is closed at its end, also where it has the number of a standard stream") {
  const int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  int descriptor = -1;
  {
    const MemoryFile file;
    if (file.path() == "/proc/self/fd/0") descriptor = 0;
  }
  const bool closed = fcntl(STDIN_FILENO, F_GETFD) < 0;
  if (input >= 0) {
    dup2(input, STDIN_FILENO);
    close(input);
  }
  CHECK(descriptor == 0);
  CHECK(closed);
}

TEST_CASE("a file in memory says where the system refuses to write") {
  const MemoryFile file;
  REQUIRE(file.is_open());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 2, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const bool written = file.write("four");
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_FALSE(written);
  CHECK(error == EFBIG);
}
