#include "dlvm/system/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "dlvm/system/memory.h"

namespace dlvm {
namespace {

constexpr std::size_t unsized_limit = std::size_t{1} << 30;

std::string shown(const std::string& path) { return path == "-" ? "standard input" : "'" + path + "'"; }

bool system_error(const std::string& path, int number, FileError& error) {
  const bool absent = number == ENOENT || number == ENOTDIR;
  error = {absent ? FileError::Kind::absent : FileError::Kind::system,
           fmt::format("cannot read {}: {}", shown(path), std::generic_category().message(number))};
  return false;
}

/// Up to `most` bytes of an open file, of which about `expected` are there. 0, or the system's error number.
int read_all(int file, std::size_t most, std::size_t expected, std::string& contents) {
  constexpr std::size_t block = std::size_t{1} << 16;
  contents.reserve(std::min(expected, most) + block);
  while (contents.size() < most) {
    const std::size_t before = contents.size(), wanted = std::min(block, most - before);
    contents.resize(before + wanted);
    const ssize_t count = ::read(file, contents.data() + before, wanted);
    const int number = errno;
    contents.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count == 0) return 0;
    if (count < 0 && number != EINTR) return number;
  }
  return 0;
}

/// An open file and how many bytes it says it has; 0 where it has no size.
struct Opened {
  int file = -1;
  std::size_t size = 0;
  bool regular = false;

  explicit Opened(const std::string& path)
      : file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status{};
    regular = file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (regular) size = static_cast<std::size_t>(status.st_size);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (file > STDERR_FILENO) ::close(file);
  }
};

}  // namespace

std::optional<std::string> read_file(const std::string& path, FileError& error) {
  const Opened opened(path);
  std::string contents;
  const std::size_t limit = opened.regular ? physical_memory() / 3 : unsized_limit;
  int failed = opened.file < 0 ? errno : 0;
  if (failed == 0 && opened.size <= limit) failed = read_all(opened.file, limit + 1, opened.size, contents);
  if (failed != 0) {
    system_error(path, failed, error);
    return std::nullopt;
  }
  if (opened.size <= limit && contents.size() <= limit) return contents;
  error = {FileError::Kind::system,
           fmt::format("cannot read {}: it is larger than {} MiB{}", shown(path), limit >> 20,
                       opened.regular ? ", a third of this machine's memory" : "")};
  return std::nullopt;
}

std::optional<std::string> read_text(const std::string& path, FileError& error) {
  const Opened opened(path);
  std::string contents;
  const int failed = opened.file < 0 ? errno : read_all(opened.file, text_limit + 1, opened.size, contents);
  if (failed == 0) return contents;
  system_error(path, failed, error);
  return std::nullopt;
}

bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one == "-" || other == "-") return one == other;
  std::error_code failed;
  const fs::file_status status = fs::status(one, failed);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  if (fs::equivalent(one, other, failed)) return true;
  const fs::path place = fs::weakly_canonical(fs::absolute(one, failed), failed);
  return !place.empty() && place == fs::weakly_canonical(fs::absolute(other, failed), failed);
}

}  // namespace dlvm
