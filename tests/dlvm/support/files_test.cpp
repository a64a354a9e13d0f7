#include "dlvm/support/files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "dlvm/support/output_files.h"

using namespace dlvm;
namespace fs = std::filesystem;

namespace {

std::string not_replaced;    // a path that the system refuses to replace
bool closing_fails = false;  // as where the server of a file reports last that it has no room

struct Fixture {
  fs::path folder = fs::temp_directory_path() / ("dlvm_files_" + std::to_string(getpid()));
  FileError error;
  OutputFiles files;
  Fixture() { fs::create_directories(folder); }
  ~Fixture() { fs::remove_all(folder); }

  std::string in(const std::string& name) const { return (folder / name).string(); }
  std::string read(const char* name) { return read_file(in(name), error).value_or("?"); }
  long count() const { return std::distance(fs::directory_iterator(folder), {}); }
};

}  // namespace

/// Takes the place of the system's function in this program.
extern "C" int close(int descriptor) {
  const long result = ::syscall(SYS_close, descriptor);
  if (!closing_fails) return static_cast<int>(result);
  errno = EDQUOT;
  return -1;
}

extern "C" int rename(const char* from, const char* to) {
  if (to != not_replaced) return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
  errno = EPERM;
  return -1;
}

TEST_CASE_FIXTURE(Fixture, "files are read whole, with the reason where not") {
  CHECK(write_file(in("a"), "one", error));
  CHECK(read("a") == "one");
  CHECK(write_file(in("a"), "two", error));
  CHECK(read("a") == "two");
  CHECK_FALSE(read_file(in("none"), error));
  CHECK(error.kind == FileError::Kind::absent);
  CHECK(error.text == "cannot read '" + in("none") + "': No such file or directory");
  CHECK_FALSE(read_file(folder.string(), error));
  CHECK(error.kind == FileError::Kind::system);
  CHECK(error.text == "cannot read '" + folder.string() + "': Is a directory");
  CHECK_FALSE(read_text("/proc/self/mem", error));
  CHECK(error.text == "cannot read '/proc/self/mem': Input/output error");
}

TEST_CASE_FIXTURE(Fixture, "what is too large is not read") {
  std::ofstream(folder / "sparse").put('x');
  fs::resize_file(folder / "sparse", std::uintmax_t{1} << 40);
  const int file = open(in("sparse").c_str(), O_RDONLY), input = dup(STDIN_FILENO);
  REQUIRE(dup2(file, STDIN_FILENO) == STDIN_FILENO);
  CHECK_FALSE(read_file("-", error));
  CHECK(error.text.ends_with("a third of this machine's memory"));
  CHECK(lseek(file, 0, SEEK_CUR) == 0);
  dup2(input, STDIN_FILENO);
  close(input);
  close(file);
  CHECK_FALSE(read_file(in("sparse"), error));
  CHECK(error.text.starts_with("cannot read '" + in("sparse") + "': it is larger than "));
  std::ofstream(folder / "long") << std::string(text_limit + 5, 'x');
  CHECK(read_text(in("long"), error)->size() == text_limit + 1);
}

TEST_CASE_FIXTURE(Fixture, "named pipes, devices and sockets are not read") {
  REQUIRE(mkfifo(in("pipe").c_str(), 0666) == 0);
  fs::create_symlink("pipe", folder / "link");
  for (const char* name : {"pipe", "link"}) {
    CHECK_FALSE(read_file(in(name), error));
    CHECK(error.kind == FileError::Kind::system);
    CHECK(error.text == "cannot read '" + in(name) + "': it is a named pipe, not a regular file");
    CHECK_FALSE(read_text(in(name), error));
  }
  for (const char* path : {"/dev/zero", "/dev/null"}) {
    CHECK_FALSE(read_text(path, error));
    CHECK(error.text == "cannot read '" + std::string(path) + "': it is a device, not a regular file");
  }
}

TEST_CASE_FIXTURE(Fixture, "an open pipe is read by its number") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "text", 4) == 4);
  close(ends[1]);
  CHECK(read_text("/dev/fd/" + std::to_string(ends[0]), error) == "text");
  close(ends[0]);
}

TEST_CASE_FIXTURE(Fixture, "binary files are not texts") {
  const auto refused = [&](const std::string& bytes) {
    std::ofstream(folder / "a") << bytes;
    const bool read = read_text(in("a"), error).has_value();
    CHECK((read || error.kind == FileError::Kind::format));
    return read ? "" : error.text;
  };
  CHECK(refused(std::string("ab\0c", 4)) == "'" + in("a") + "' is not text: byte 3 of it is 0x00");
  CHECK(refused("\x01\xFF") == "'" + in("a") + "' is not text: byte 2 of it is 0xFF");
  // The parser reports these at their place.
  CHECK(refused("x \x07 y").empty());
  CHECK(refused("caf\xE9\n\xFF").empty());
  CHECK(refused("\xEF\xBB\xBFµ\t\r\n").empty());
}

TEST_CASE_FIXTURE(Fixture, "files are written whole") {
  files.add(in("a"), "one");
  files.add(in("b"), "two");
  files.add("/dev/null", "three");
  CHECK(files.write(error));
  CHECK(read("a") == "one");
  CHECK(read("b") == "two");
  CHECK(count() == 2);
}

TEST_CASE_FIXTURE(Fixture, "one that fails leaves all as it was") {
  std::ofstream(folder / "a") << "old";
  files.add(in("a"), "new");
  files.add(in("b"), "two");
  SUBCASE("a folder that is not there") {
    files.add(in("absent/c"), "three");
    CHECK(!files.write(error));
    CHECK(error.text == "cannot write '" + in("absent/c") + "': No such file or directory");
  }
  SUBCASE("a folder in its place") {
    files.add(folder.string(), "three");
    CHECK(!files.write(error));
    CHECK(error.text == "cannot write '" + folder.string() + "': Is a directory");
  }
  SUBCASE("a full disk") {
    files.add("/dev/full", "three");
    CHECK(!files.write(error));
    CHECK(error.text == "cannot write '/dev/full': No space left on device");
  }
  CHECK(read("a") == "old");
  CHECK(count() == 1);
}

TEST_CASE_FIXTURE(Fixture,
                  "where the system refuses to replace a file, new ones are gone and old ones stay") {
  std::ofstream(folder / "old") << "old";
  std::ofstream(folder / "last") << "last";
  files.add(in("old"), "replaced");
  files.add(in("new"), "new");
  files.add(in("last"), "not written");
  not_replaced = in("last");
  const bool written = files.write(error);
  not_replaced.clear();
  CHECK_FALSE(written);
  CHECK(error.text == "cannot write '" + in("last") + "': Operation not permitted");
  CHECK(read("old") == "replaced");
  CHECK(read("last") == "last");
  CHECK(count() == 2);
}

TEST_CASE_FIXTURE(Fixture, "a file that cannot be closed was not written, for the first reason there was") {
  std::ofstream(folder / "a") << "old";
  closing_fails = true;
  const bool written = write_file(in("a"), "new", error);
  const std::string why = error.text;
  const bool full = write_file("/dev/full", "new", error);
  closing_fails = false;
  CHECK_FALSE(written);
  CHECK(why == "cannot write '" + in("a") + "': Disk quota exceeded");
  CHECK_FALSE(full);
  CHECK(error.text == "cannot write '/dev/full': No space left on device");
  CHECK(read("a") == "old");
  CHECK(count() == 1);
}

TEST_CASE_FIXTURE(Fixture, "what is there keeps its kind, its permissions and its links") {
  std::ofstream(folder / "a") << "old";
  fs::permissions(folder / "a", fs::perms::owner_all);
  fs::create_symlink("a", folder / "link");
  CHECK(write_file(in("link"), "new", error));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read("a") == "new");
  CHECK(fs::status(folder / "a").permissions() == fs::perms::owner_all);
  CHECK(write_file(in(std::string(255, 'n')), "as long as names can be", error));
}

TEST_CASE_FIXTURE(Fixture, "the same file by several names") {
  std::ofstream(folder / "a") << "a";
  fs::create_symlink("a", folder / "link");
  CHECK(same_file(in("a"), in("./a")));
  CHECK(same_file(in("a"), in("link")));
  CHECK(same_file(in("none"), in("./none")));
  CHECK(same_file("none-in-this-folder", "./none-in-this-folder"));
  CHECK(same_file("-", "-"));
  CHECK(!same_file(in("a"), in("none")));
  CHECK(!same_file(in("a"), "-"));
  CHECK(!same_file("/dev/null", "/dev/null"));
}
