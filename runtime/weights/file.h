#pragma once

#include <stddef.h>

namespace runtime {

/// A file without a stream. The functions below return 0 or the system's error number, and repeat interrupted
/// calls.
struct File {
  int descriptor = -1;
};

/// Opens the file at `path` and sets `size` to its size in bytes.
int open_to_read(const char* path, File& file, size_t& size);
/// Reads exactly `bytes` bytes at `offset`; if the file ends before, it returns EIO.
int read_at(const File& file, void* to, size_t bytes, size_t offset);
void close(File& file);

/// A file under construction beside its final name.
struct Replacement {
  File file;
  char* path = nullptr;       ///< the final name, symbolic links followed
  char* temporary = nullptr;  ///< a file in the same folder
};

/// Creates a temporary file beside `path`. The file that `path` names must be absent or regular; its
/// permissions are kept.
int begin_replacement(const char* path, Replacement& replacement);
int append(const File& file, const void* from, size_t bytes);
/// Writes the file to the disk and renames it to its final name, or removes it if `status` is not 0. It frees
/// everything.
int end_replacement(Replacement& replacement, int status);

/// Returns the text of an error number, such as `no such file or folder`. It does not use the system's
/// tables, which are neither thread-safe nor stable.
const char* reason(int number);

}  // namespace runtime
