#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlvm {

/// A file in memory that has no name in any folder. It ends with this object, however the process ends.
class MemoryFile {
 public:
  /// Makes a file in memory. If the system refuses, `is_open()` is false and `errno` says why.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  /// Returns the path by which a process that has the descriptor opens the file.
  std::string path() const;

  /// Appends `bytes`. Returns false, and `errno` says why, where the system refuses to.
  bool write(std::string_view bytes) const;
  /// Returns the first bytes of the file, at most `limit`.
  std::string read(std::size_t limit) const;

 private:
  int descriptor_;
};

}  // namespace dlvm
