#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "codegen/interface/interface.h"

/// Helpers that the tests with whole programs share.
namespace header_tests {

namespace fs = std::filesystem;

inline const fs::path sources = fs::path(TEST_SOURCES) / "header";
inline const std::string warnings = " -Wall -Wextra -Wpedantic -Wconversion -Werror ";

inline std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder of its own, removed at the end, in which commands run.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("tel_header_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
  }

  /// The command's output; fails the test if its status is not 0.
  std::string run(const std::string& command, bool succeeds = true) const {
    INFO(command);
    const int status = std::system(("cd " + path.string() + " && (" + command + ") > log 2>&1").c_str());
    const std::string log = read(path / "log");
    INFO(log.substr(0, 4000));
    CHECK((status == 0) == succeeds);
    return log;
  }
};

/// Writes NAME.o and NAME.hpp of a network, its compute functions compiled for that processor; NAME is the
/// module's if none is given.
void build(const Folder& folder, const codegen::interface::Interface& interface, const std::string& cpu,
           std::string name = {});

}  // namespace header_tests
