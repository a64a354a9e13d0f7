// The C part of a header repeats what runtime/abi.h defines. A change of one alone must not compile.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/header/support.h"

using namespace header_tests;

namespace {

/// Compiles codegen/header/abi_check.cpp with one of the files that it compares changed.
bool compiles_with(const std::string& file, const std::string& from, const std::string& to) {
  const Folder folder;
  const auto root = sources / ".." / "..";
  for (const char* copied : {"codegen/header/abi_check.cpp", "codegen/header/shared/declarations.h",
                             "codegen/header/shared/c.h", "runtime/abi.h"}) {
    std::filesystem::create_directories((folder.path / copied).parent_path());
    std::filesystem::copy_file(root / copied, folder.path / copied);
  }
  std::string text = read(folder.path / file);
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  std::ofstream(folder.path / file) << text.replace(at, from.size(), to);
  const std::string log = folder.run(
      "g++ -std=c++20 -Wall -Wextra -I. -fsyntax-only codegen/header/abi_check.cpp && echo compiled || true");
  return log.find("compiled") != std::string::npos;
}

}  // namespace

TEST_CASE("the header and the runtime cannot differ in a member or a number") {
  const std::string c = "codegen/header/shared/c.h", abi = "runtime/abi.h",
                    declarations = "codegen/header/shared/declarations.h";
  CHECK(compiles_with(abi, "int32_t device; ", "int32_t device;  "));
  CHECK(!compiles_with(abi, "int32_t later;", "int32_t later, more;"));  // in what was padding
  CHECK(!compiles_with(declarations, "int32_t later;", "int32_t later, more;"));
  CHECK(!compiles_with(abi, "uint64_t seed; ", "int64_t seed; "));
  CHECK(
      !compiles_with(c, "const char* path;\n  void* parameters;", "void* parameters;\n  const char* path;"));
  CHECK(!compiles_with(abi, "TEL_FORMAT = 7", "TEL_FORMAT = 17"));
  CHECK(!compiles_with(c, "TEL_PASSED_OVER = 2", "TEL_PASSED_OVER = 3"));
}
