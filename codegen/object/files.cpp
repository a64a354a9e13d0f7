#include "codegen/object/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <system_error>

#include "codegen/object/diagnostics.h"

namespace codegen {
namespace {

std::string text_of(int number) { return std::generic_category().message(number); }

/// 0 or the system's error number.
int write_all(int descriptor, const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    written += static_cast<std::size_t>(count);
  }
  return 0;
}

/// Standard output, or something that exists and is neither a regular file nor a folder.
bool is_direct(const std::string& path) {
  struct stat status{};
  return path == "-" ||
         (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

int write_directly(const std::string& path, const std::string& bytes) {
  if (path == "-") return write_all(STDOUT_FILENO, bytes);
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int status = write_all(descriptor, bytes);
  return close(descriptor) != 0 && status == 0 ? errno : status;
}

/// The path with symbolic links followed, if it is there.
std::string resolved(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  std::string result = real ? real : path;
  std::free(real);
  return result;
}

int write_temporary(const std::string& path, const std::string& bytes, std::string& temporary) {
  struct stat status{};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return EISDIR;
  if (exists && access(path.c_str(), W_OK) != 0) return errno;
  int descriptor = -1;
  for (int attempt = 0; descriptor < 0; ++attempt) {
    temporary = fmt::format("{}.{}-{}.tmp", path, getpid(), attempt);
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && (errno != EEXIST || attempt == 100)) {
      temporary.clear();
      return errno;
    }
  }
  if (exists) (void)!fchmod(descriptor, status.st_mode & 07777);
  const int failed = write_all(descriptor, bytes);
  return close(descriptor) != 0 && failed == 0 ? errno : failed;
}

}  // namespace

bool OutputFiles::write(dlvm::Diagnostics& diagnostics) {
  const auto fail = [&](const File& file, int number) {
    for (const auto& other : files_)
      if (!other.temporary.empty()) unlink(other.temporary.c_str());
    diagnostics.report(cannot_write, {}, file.path, text_of(number));
    return false;
  };
  std::vector<std::string> places;
  for (auto& file : files_) {
    places.push_back(is_direct(file.path) ? std::string() : resolved(file.path));
    if (places.back().empty()) continue;
    if (const int number = write_temporary(places.back(), file.bytes, file.temporary))
      return fail(file, number);
  }
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (places[i].empty()) continue;
    if (rename(files_[i].temporary.c_str(), places[i].c_str()) != 0) return fail(files_[i], errno);
    files_[i].temporary.clear();
  }
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (places[i].empty())
      if (const int number = write_directly(files_[i].path, files_[i].bytes)) return fail(files_[i], number);
  return true;
}

}  // namespace codegen
