#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "codegen/object/files.h"

using namespace codegen;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  fs::path folder = fs::temp_directory_path() / ("tel_files_" + std::to_string(getpid()));
  dlvm::Diagnostics diagnostics;
  OutputFiles files;
  Fixture() { fs::create_directories(folder); }
  ~Fixture() { fs::remove_all(folder); }
  std::string read(const char* name) {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  long count() { return std::distance(fs::directory_iterator(folder), {}); }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "files are written whole") {
  files.add((folder / "a").string(), "one");
  files.add((folder / "b").string(), "two");
  files.add("/dev/null", "three");
  CHECK(files.write(diagnostics));
  CHECK(read("a") == "one");
  CHECK(read("b") == "two");
  CHECK(count() == 2);
}

TEST_CASE_FIXTURE(Fixture, "one that fails leaves all as it was") {
  std::ofstream(folder / "a") << "old";
  files.add((folder / "a").string(), "new");
  files.add((folder / "absent" / "b").string(), "two");
  CHECK(!files.write(diagnostics));
  CHECK(read("a") == "old");
  CHECK(count() == 1);
  CHECK(diagnostics.all()[0].text ==
        "cannot write '" + (folder / "absent" / "b").string() + "': No such file or directory");
}

TEST_CASE_FIXTURE(Fixture, "a folder is no file, a full disk no success") {
  files.add(folder.string(), "x");
  CHECK(!files.write(diagnostics));
  OutputFiles full;
  full.add("/dev/full", "x");
  CHECK(!full.write(diagnostics));
  CHECK(count() == 0);
}
