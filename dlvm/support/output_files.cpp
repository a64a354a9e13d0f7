#include "dlvm/support/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

namespace dlvm {
namespace {

// Each returns 0 or the system's error number.

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

int write_and_close(int descriptor, std::string_view bytes) {
  const int failed = write_all(descriptor, bytes);
  return ::close(descriptor) != 0 && failed == 0 ? errno : failed;
}

int write_directly(const std::string& path, const std::string& bytes) {
  if (path == "-") return write_all(STDOUT_FILENO, bytes);
  // A named pipe that nobody reads is an error, rather than to wait for a reader.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno;
  (void)!::fcntl(descriptor, F_SETFL, 0);
  return write_and_close(descriptor, bytes);
}

/// The path with symbolic links followed, if it is there.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real == nullptr ? path : real.get();
}

/// Beside `place`, and short: its name may be as long as names can be.
std::string temporary_name(const std::string& place, int attempt) {
  return fmt::format("{}.telc-{}-{}.tmp", place.substr(0, place.rfind('/') + 1), ::getpid(), attempt);
}

}  // namespace

/// Writes the file under its temporary name, if it is to have one.
int OutputFiles::prepare(File& file) {
  struct stat status{};
  file.existed = ::stat(file.path.c_str(), &status) == 0;
  if (file.path == "-" || (file.existed && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) return 0;
  if (file.existed && S_ISDIR(status.st_mode)) return EISDIR;
  if (file.existed && ::access(file.path.c_str(), W_OK) != 0) return errno;
  file.place = resolved(file.path);
  int descriptor = -1;
  for (int attempt = 0; descriptor < 0; ++attempt) {
    file.temporary = temporary_name(file.place, attempt);
    descriptor = ::open(file.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && (errno != EEXIST || attempt == 100)) {
      file.temporary.clear();
      return errno;
    }
  }
  if (file.existed) (void)!::fchmod(descriptor, status.st_mode & 07777);
  return write_and_close(descriptor, file.bytes);
}

int OutputFiles::replace(File& file) {
  if (::rename(file.temporary.c_str(), file.place.c_str()) != 0) return errno;
  file.temporary.clear();
  file.renamed = true;
  return 0;
}

void OutputFiles::undo() {
  for (const File& file : files_) {
    if (!file.temporary.empty()) ::unlink(file.temporary.c_str());
    if (file.renamed && !file.existed) ::unlink(file.place.c_str());
  }
}

bool OutputFiles::write(FileError& error) {
  const auto done = [&](const File& file, int failed) {
    if (failed == 0) return true;
    undo();
    error = {
        FileError::Kind::system,
        fmt::format("cannot write {}: {}", file.path == "-" ? "standard output" : "'" + file.path + "'",
                    failed == ENXIO ? "nobody reads this pipe" : std::generic_category().message(failed))};
    return false;
  };
  for (File& file : files_)
    if (!done(file, prepare(file))) return false;
  for (File& file : files_)
    if (file.place.empty() && !done(file, write_directly(file.path, file.bytes))) return false;
  for (File& file : files_)
    if (!file.place.empty() && !done(file, replace(file))) return false;
  return true;
}

bool write_file(const std::string& path, std::string contents, FileError& error) {
  OutputFiles files;
  files.add(path, std::move(contents));
  return files.write(error);
}

}  // namespace dlvm
