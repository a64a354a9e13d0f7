// Tensor files as a command line names them.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "dlvm/io/tensor_files.h"
#include "dlvm/support/output_files.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("dlvm_given_" + std::to_string(getpid()));
  FileError error;
  NamedTensors tensors;
  const Tensor x = test::f32({2}, {1, 2}), y = test::f32({}, {3});
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string in(const std::string& name) const { return (path / name).string(); }
  /// Why the argument is refused.
  std::string refused(const std::string& argument) {
    CHECK_FALSE(read_given(argument, tensors, error));
    return error.text;
  }
};

}  // namespace

TEST_CASE_FIXTURE(Folder, "one tensor is given with its name, several in a file that names them") {
  REQUIRE(write_results(in("x.npy"), {{"x", x}}, error));
  REQUIRE(write_results(in("both=1.safetensors"), {{"x", x}, {"y", y}}, error));
  CHECK(read_npy(in("x.npy"), error) == x);
  CHECK(read_given("a=" + in("x.npy"), tensors, error));
  CHECK(read_given(in("both=1.safetensors"), tensors, error));
  REQUIRE(tensors.size() == 3);
  CHECK(tensors[0].name == "a");
  CHECK(tensors[0].tensor == x);
  CHECK(tensors[1].name == "x");
  CHECK(tensors[1].tensor == x);
  CHECK(tensors[2].name == "y");
  CHECK(tensors[2].tensor == y);
  CHECK(given_file("a=" + in("x.npy")) == in("x.npy"));
  CHECK(given_file("a=b=c.npy") == "b=c.npy");
  CHECK(given_file("a=b.npz") == "a=b.npz");
  CHECK(given_file("a.npy") == "a.npy");
  CHECK(read_tensors(in("both=1.safetensors"), error)->size() == 2);
}

TEST_CASE_FIXTURE(Folder, "an argument that names no file of tensors is refused, with what to write") {
  REQUIRE(write_npy(in("x.npy"), x, error));
  CHECK(refused("x.npy") == "x.npy: is one tensor without a name: write NAME=x.npy");
  CHECK(refused("x") == "x: is neither NAME=FILE.npy nor a file of named tensors: write x=FILE.npy");
  CHECK(refused("a=none.npz") ==
        "a=none.npz: a file of several tensors names each of them itself: write none.npz");
  CHECK(refused("none.npz").starts_with("cannot read 'none.npz': "));
  CHECK(refused("none.safetensors").starts_with("cannot read 'none.safetensors': "));
  CHECK(refused("a=none.npy").starts_with("cannot read 'none.npy': "));
  CHECK(tensors.empty());
  CHECK_FALSE(read_tensors(in("x.npy"), error));
  REQUIRE(write_file(in("plain"), "text", error));
  CHECK(refused(in("plain")) == in("plain") + ": it is too short for a safetensors file");
  REQUIRE(write_file(in("a=b.npz"), "text", error));
  CHECK(refused(in("a=b.npz")) == in("a=b.npz") + ": is not a Zip archive");
}
