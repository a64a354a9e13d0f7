#include "dlvm/interpret/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace dlvm {
namespace {

constexpr std::size_t pipe_limit = std::size_t{1} << 30;

bool system_error(const std::string& path, std::string_view what, FileError& error) {
  error = {FileError::Kind::system, fmt::format("{}: {}: {}", path, what, std::strerror(errno))};
  return false;
}

bool read_all(int file, const std::string& path, bool bounded, std::string& contents, FileError& error) {
  constexpr std::size_t block = 1 << 16;
  for (;;) {
    const std::size_t before = contents.size();
    if (bounded && before > pipe_limit) {
      error = {FileError::Kind::system, fmt::format("{}: is larger than 1 GiB", path)};
      return false;
    }
    contents.resize(before + block);
    const ssize_t count = ::read(file, contents.data() + before, block);
    contents.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count == 0) return true;
    if (count < 0 && errno != EINTR) return system_error(path, "cannot be read", error);
  }
}

bool write_all(int file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t count = ::write(file, contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    contents.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The permissions that a new file gets, less the process's mask.
mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, FileError& error) {
  std::string contents;
  if (path == "-") {
    if (!read_all(STDIN_FILENO, "standard input", true, contents, error)) return std::nullopt;
    return contents;
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    system_error(path, "cannot be opened", error);
    return std::nullopt;
  }
  struct stat status{};
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (regular) contents.reserve(static_cast<std::size_t>(status.st_size) + (1 << 16));
  const bool read = read_all(file, path, !regular, contents, error);
  ::close(file);
  if (!read) return std::nullopt;
  return contents;
}

bool write_file(const std::string& path, std::string_view contents, FileError& error) {
  if (path == "-")
    return write_all(STDOUT_FILENO, contents) || system_error("standard output", "cannot be written", error);
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return system_error(path, "cannot be opened", error);
    const bool written = write_all(file, contents) || system_error(path, "cannot be written", error);
    ::close(file);
    return written;
  }
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return system_error(path, "cannot be written", error);
  bool good = write_all(file, contents) && ::fchmod(file, new_file_mode()) == 0;
  good = ::close(file) == 0 && good;
  good = good && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (good) return true;
  system_error(path, "cannot be written", error);
  ::unlink(temporary.c_str());
  return false;
}

}  // namespace dlvm
