#pragma once

#include <string>
#include <vector>

#include "dlvm/diagnostics/diagnostic.h"

namespace codegen {

/// Output files of one run, written all or not at all: each whole under a temporary name beside its place,
/// and renamed when all are there. `-` is standard output; what is not a regular file (a pipe, /dev/null) is
/// written directly, last.
class OutputFiles {
 public:
  void add(std::string path, std::string bytes) { files_.push_back({std::move(path), std::move(bytes), {}}); }
  /// False after reporting; then no file was made or changed, except what can only be written directly.
  bool write(dlvm::Diagnostics& diagnostics);

 private:
  struct File {
    std::string path, bytes, temporary;
  };
  std::vector<File> files_;
};

}  // namespace codegen
