#pragma once

#include <stddef.h>

namespace runtime {

/// Files without streams. Functions give 0 or the system's error number; interrupted calls are repeated.
struct File {
  int descriptor = -1;
};

int open_to_read(const char* path, File& file, size_t& size);
/// Exactly `bytes` bytes at `offset`; a file that ends before gives EIO.
int read_at(const File& file, void* to, size_t bytes, size_t offset);
void close(File& file);

/// A file under construction beside its final name.
struct Replacement {
  File file;
  char* path = nullptr;       ///< the final name, symbolic links followed
  char* temporary = nullptr;  ///< in the same folder
};

/// What `path` names must be absent or a regular file; its permissions are kept.
int begin_replacement(const char* path, Replacement& replacement);
int append(const File& file, const void* from, size_t bytes);
/// Writes through to the disk and gives the file its name, or removes it if `status` is not 0; frees all.
int end_replacement(Replacement& replacement, int status);

/// `no such file or folder` …, without the system's tables (they are neither thread-safe nor stable).
const char* reason(int number);

}  // namespace runtime
