#include "runtime/weights/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/support/text.h"

namespace runtime {
namespace {

constexpr size_t largest_transfer = size_t{1} << 30;

int open_retrying(const char* path, int flags, mode_t mode) {
  int descriptor;
  do {
    descriptor = ::open(path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// The path with symbolic links followed; as given where the file does not exist.
char* resolved(const char* path) {
  char* real = realpath(path, nullptr);
  return real ? real : strdup(path);
}

/// Makes a new file `PATH.NUMBER.tmp`.
int create_beside(Replacement& replacement, mode_t mode) {
  const size_t size = strlen(replacement.path) + 32;
  replacement.temporary = static_cast<char*>(malloc(size));
  if (!replacement.temporary) return ENOMEM;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t start = (now.tv_nsec ^ (int64_t{getpid()} << 20)) & 0x7fffffffffff;
  for (int64_t attempt = 0; attempt < 100; ++attempt) {
    Text(replacement.temporary, size) << replacement.path << '.' << start + attempt << ".tmp";
    replacement.file.descriptor = open_retrying(replacement.temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (replacement.file.descriptor >= 0) return 0;
    if (errno != EEXIST) break;
  }
  const int status = errno;
  free(replacement.temporary);
  replacement.temporary = nullptr;
  return status;
}

/// Makes the new name last: the folder's entry is written through. Best effort, as not all systems can.
void sync_folder(const char* path) {
  char* folder = strdup(path);
  if (!folder) return;
  char* slash = strrchr(folder, '/');
  if (slash) slash[slash == folder ? 1 : 0] = 0;
  const int descriptor = open_retrying(slash ? folder : ".", O_RDONLY, 0);
  if (descriptor >= 0) {
    fsync(descriptor);
    ::close(descriptor);
  }
  free(folder);
}

struct Reason {
  int number;
  const char* text;
};
constexpr Reason reasons[] = {
    {ENOENT, "no such file or folder"},
    {ENOTDIR, "a part of the path is not a folder"},
    {EISDIR, "it is a folder"},
    {EACCES, "permission denied"},
    {EPERM, "permission denied"},
    {EROFS, "the file system is read-only"},
    {ENOSPC, "no space left"},
    {EDQUOT, "the quota is used up"},
    {EFBIG, "the file is too large"},
    {EIO, "the file ended early or the device failed"},
    {EMFILE, "too many open files"},
    {ENFILE, "too many open files"},
    {ENAMETOOLONG, "the name is too long"},
    {ELOOP, "too many symbolic links"},
    {ENOMEM, "no memory"},
    {EINVAL, "it is not a regular file"},
};

}  // namespace

int open_to_read(const char* path, File& file, size_t& size) {
  // O_NONBLOCK: a pipe without a writer must not hang, it is refused below.
  file.descriptor = open_retrying(path, O_RDONLY | O_NONBLOCK, 0);
  if (file.descriptor < 0) return errno;
  struct stat status;
  int result = 0;
  if (fstat(file.descriptor, &status) != 0)
    result = errno;
  else if (S_ISDIR(status.st_mode))
    result = EISDIR;
  else if (!S_ISREG(status.st_mode))
    result = EINVAL;
  size = result == 0 ? static_cast<size_t>(status.st_size) : 0;
  if (result != 0) close(file);
  return result;
}

int read_at(const File& file, void* to, size_t bytes, size_t offset) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const size_t part = bytes < largest_transfer ? bytes : largest_transfer;
    const ssize_t count = pread(file.descriptor, at, part, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return EIO;
    at += count;
    offset += static_cast<size_t>(count);
    bytes -= static_cast<size_t>(count);
  }
  return 0;
}

void close(File& file) {
  if (file.descriptor >= 0) ::close(file.descriptor);
  file.descriptor = -1;
}

int begin_replacement(const char* path, Replacement& replacement) {
  replacement.path = resolved(path);
  if (!replacement.path) return ENOMEM;
  struct stat status;
  mode_t mode = 0666;
  int result = 0;
  const bool exists = stat(replacement.path, &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    result = EISDIR;
  else if (exists && !S_ISREG(status.st_mode))
    result = EINVAL;
  else
    result = create_beside(replacement, mode);
  if (result == 0 && exists)
    (void)!fchmod(replacement.file.descriptor, status.st_mode & 07777);  // as far as it can
  return result == 0 ? 0 : end_replacement(replacement, result);
}

int append(const File& file, const void* from, size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t count = write(file.descriptor, at, bytes < largest_transfer ? bytes : largest_transfer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    at += count;
    bytes -= static_cast<size_t>(count);
  }
  return 0;
}

int end_replacement(Replacement& replacement, int status) {
  if (status == 0 && fsync(replacement.file.descriptor) != 0 && errno != EINVAL) status = errno;
  if (replacement.file.descriptor >= 0 && ::close(replacement.file.descriptor) != 0 && status == 0)
    status = errno;
  replacement.file.descriptor = -1;
  if (status == 0 && rename(replacement.temporary, replacement.path) != 0) status = errno;
  if (status == 0) sync_folder(replacement.path);
  if (status != 0 && replacement.temporary) unlink(replacement.temporary);
  free(replacement.temporary);
  free(replacement.path);
  replacement.temporary = replacement.path = nullptr;
  return status;
}

const char* reason(int number) {
  for (const Reason& entry : reasons)
    if (entry.number == number) return entry.text;
  return nullptr;
}

}  // namespace runtime
