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
  /// Writes all files. Returns false after an error: then no new file exists, and a file that existed has its
  /// old contents, unless the system refused to replace another one after it.
  bool write(FileError& error);

 private:
  struct File {
    std::string path, bytes;
    std::string place;      ///< the temporary file that is renamed; empty if the file is written in place
    std::string temporary;  ///< its name while it exists
    bool existed = false, renamed = false;
  };
  int prepare(File& file);
  static int replace(File& file);
  void undo();

  std::vector<File> files_;
};

}  // namespace dlvm
