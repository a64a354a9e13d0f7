#pragma once

#include <string>
#include <vector>

#include "dlvm/support/files.h"

namespace dlvm {

/// Output files of one run, written all or not at all: each whole under a temporary name beside its place,
/// and renamed when all are there. `-` is standard output; what is not a regular file (a pipe, /dev/null) is
/// written as it is, before the renaming. A symbolic link stays one.
class OutputFiles {
 public:
  void add(std::string path, std::string bytes) {
    files_.push_back({std::move(path), std::move(bytes), {}, {}});
  }
  /// False after an error: then no file was made. One that was there has its old contents, unless the system
  /// refused to replace another one after it.
  bool write(FileError& error);

 private:
  struct File {
    std::string path, bytes;
    std::string place;      ///< where it is written by renaming; empty: as it is
    std::string temporary;  ///< while there is one
    bool existed = false, renamed = false;
  };
  int prepare(File& file);
  static int replace(File& file);
  void undo();

  std::vector<File> files_;
};

}  // namespace dlvm
