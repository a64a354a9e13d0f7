#include "dlvm/support/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "dlvm/support/binary_kind.h"
#include "dlvm/support/memory.h"

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

/// Whether the path names a file that this process was given open, which may be a pipe or a terminal.
bool is_stream(const std::string& path) {
  return path == "-" || path == "/dev/stdin" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

/// Names the kind of a path that cannot be read as a file; empty for regular files, and for folders, which
/// the system refuses to read.
std::string_view special_kind(mode_t mode) {
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return S_ISSOCK(mode) ? "a socket" : "";
}

/// An open file and how many bytes it says it has; 0 where it has no size.
class Opened {
 public:
  /// Opens no special file: that of a pipe waits for its other end, that of a device may act on it.
  explicit Opened(const std::string& path) : path_(path) {
    struct stat status{};
    const bool stream = is_stream(path);
    if (!stream && ::stat(path.c_str(), &status) == 0) special_ = special_kind(status.st_mode);
    if (!special_.empty()) return;
    file = path == "-" || path == "/dev/stdin" ? STDIN_FILENO
                                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) number_ = errno;
    regular = file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (regular) size = static_cast<std::size_t>(status.st_size);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (file > STDERR_FILENO) ::close(file);
  }

  /// Reads up to `most` bytes; false, with the reason, where the file cannot be opened or read.
  bool read(std::size_t most, std::string& contents, FileError& error) const {
    if (!special_.empty()) {
      error = {FileError::Kind::system,
               fmt::format("cannot read {}: it is {}, not a regular file", shown(path_), special_)};
      return false;
    }
    const int failed = file < 0 ? number_ : read_all(file, most, size, contents);
    return failed == 0 || system_error(path_, failed, error);
  }

  int file = -1;
  std::size_t size = 0;
  bool regular = false;

 private:
  const std::string& path_;
  std::string_view special_;
  int number_ = 0;  ///< the system's error number where the file could not be opened
};

/// Where a text that no editor wrote shows it: at a byte of value 0, or, where a control character stands in
/// it, at a byte that UTF-8 never has. Other mistakes of encoding are the parsers' to report.
std::optional<std::size_t> first_binary_byte(std::string_view text) {
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) return zero;
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && (c < '\t' || c > '\r')) || c == 0x7F;
  };
  if (std::ranges::none_of(text, is_control)) return std::nullopt;
  const auto at = text.find_first_of("\xC0\xC1\xF5\xF6\xF7\xF8\xF9\xFA\xFB\xFC\xFD\xFE\xFF");
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, FileError& error) {
  const Opened opened(path);
  std::string contents;
  const std::size_t limit = opened.regular ? physical_memory() / 3 : unsized_limit;
  const bool fits = opened.size <= limit;
  if (!opened.read(fits ? limit + 1 : 0, contents, error)) return std::nullopt;
  if (fits && contents.size() <= limit) return contents;
  error = {FileError::Kind::system,
           fmt::format("cannot read {}: it is larger than {} MiB{}", shown(path), limit >> 20,
                       opened.regular ? ", a third of this machine's memory" : "")};
  return std::nullopt;
}

std::optional<std::string> read_text(const std::string& path, FileError& error) {
  const Opened opened(path);
  std::string contents;
  if (!opened.read(text_limit + 1, contents, error)) return std::nullopt;
  if (const std::string_view kind = binary_kind(contents); !kind.empty()) {
    error = {FileError::Kind::format, fmt::format("{} is not text but {}", shown(path), kind)};
    return std::nullopt;
  }
  const auto binary = first_binary_byte(contents);
  if (!binary) return contents;
  error = {FileError::Kind::format, fmt::format("{} is not text: byte {} of it is 0x{:02X}", shown(path),
                                                *binary + 1, static_cast<unsigned char>(contents[*binary]))};
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
