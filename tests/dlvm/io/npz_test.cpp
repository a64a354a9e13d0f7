#include <doctest/doctest.h>
#include <zlib.h>

#include "dlvm/io/tensor_files.h"
#include "dlvm/io/zip.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

std::string number(std::size_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

std::string deflated(const std::string& bytes) {
  std::string packed(bytes.size() + 100, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// An archive, with mistakes where fields are set.
struct Zip {
  struct Member {
    std::string name, bytes;
    std::size_t method = 8, flags = 0;
    std::string local_name = name;
    std::optional<std::size_t> size{}, packed_size{}, checksum{}, place{};
    std::string extra{};  ///< a field of the directory
  };
  std::vector<Member> members;
  std::string comment{};
  std::size_t disk = 0, more = 0;  ///< more members than there are

  std::string bytes() const {
    std::string file, directory;
    for (const Member& m : members) {
      const std::string packed = m.method == 8 ? deflated(m.bytes) : m.bytes;
      const std::size_t place = m.place.value_or(file.size());
      const auto checksum =
          m.checksum.value_or(crc32(0, reinterpret_cast<const Bytef*>(m.bytes.data()), uInt(m.bytes.size())));
      const std::string common = number(m.flags, 2) + number(m.method, 2) + number(0, 4) +
                                 number(checksum, 4) + number(m.packed_size.value_or(packed.size()), 4) +
                                 number(m.size.value_or(m.bytes.size()), 4);
      file += "PK\3\4" + number(20, 2) + common + number(m.local_name.size(), 2) + number(0, 2) +
              m.local_name + packed;
      directory += "PK\1\2" + number(20, 2) + number(20, 2) + common + number(m.name.size(), 2) +
                   number(m.extra.size(), 2) + number(0, 10) + number(place, 4) + m.name + m.extra;
    }
    return file + directory + "PK\5\6" + number(disk, 2) + number(0, 2) + number(members.size(), 2) +
           number(members.size() + more, 2) + number(directory.size(), 4) + number(file.size(), 4) +
           number(comment.size(), 2) + comment;
  }
};

std::string refused(const std::string& bytes, std::size_t limit = 1 << 20) {
  FileError error;
  if (parse_zip(bytes, "a.npz", limit, error)) return "";
  CHECK(error.kind == FileError::Kind::format);
  CHECK(error.text.starts_with("a.npz: "));
  return error.text.substr(7);
}

}  // namespace

TEST_CASE("npz: stored and compressed tensors, by name") {
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6}), label = i32({2}, {0, 1});
  const std::string bytes =
      Zip{{{"label.npy", format_npy(label), 0}, {"x.npy", format_npy(x)}}, "made by a test"}.bytes();
  FileError error;
  const auto tensors = parse_npz(bytes, "a.npz", error);
  REQUIRE_MESSAGE(tensors, error.text);
  REQUIRE(tensors->size() == 2);
  CHECK((*tensors)[0].name == "label");
  CHECK((*tensors)[0].tensor == label);
  CHECK((*tensors)[1].name == "x");
  CHECK((*tensors)[1].tensor == x);
  CHECK(parse_npz(Zip{}.bytes(), "a.npz", error)->empty());
}

TEST_CASE("npz: what other programs note of members is skipped") {
  const Tensor x = f32({2}, {1, 2}), y = f32({1}, {3});
  Zip zip{{{"x.npy", format_npy(x)}, {"y.npy", format_npy(y)}}};
  zip.members[0].extra = "UT\5time.";
  FileError error;
  const auto tensors = parse_npz(zip.bytes(), "a.npz", error);
  REQUIRE_MESSAGE(tensors, error.text);
  CHECK((*tensors)[0].name == "x");
  CHECK((*tensors)[1].tensor == y);
}

TEST_CASE("npz: members that are no tensors") {
  FileError error;
  const auto text = [&](const Zip& zip) {
    CHECK_FALSE(parse_npz(zip.bytes(), "a.npz", error));
    return error.text;
  };
  CHECK(text({{{"x.txt", "x"}}}) == "a.npz: member 'x.txt' is not named NAME.npy");
  CHECK(text({{{".npy", "x"}}}) == "a.npz: member '.npy' is not named NAME.npy");
  CHECK(text({{{"x.npy", "x"}}}) == "a.npz: member 'x.npy': is not a .npy file");
}

TEST_CASE("zip: what is malformed is an error") {
  const std::string text(5000, 'x');
  CHECK(refused(Zip{{{"a", text}, {"b", ""}, {"c", "", 0}}}.bytes()).empty());
  CHECK(refused(Zip{{{"a", text}}, std::string(0xFFFF, ' ')}.bytes()).empty());
  CHECK(refused("") == "is not a Zip archive");
  CHECK(refused(text) == "is not a Zip archive, or is cut off");
  const std::string small = Zip{{{"a", text}}}.bytes();
  CHECK(refused(small, small.size() + 5000).empty());
  CHECK(refused(small, small.size() + 4999) == "takes more than 0 MiB with its members unpacked");
  CHECK(refused(Zip{{{"a", text}, {"a", text}}}.bytes()) == "has two members 'a'");
  CHECK(refused(Zip{{{"a\n", text}}}.bytes()) == "has a member whose name holds control characters");
  CHECK(refused(Zip{{{"a", text, 8, 1}}}.bytes()) == "member 'a' is encrypted");
  CHECK(refused(Zip{{{"a", text, 12}}}.bytes()) ==
        "member 'a' is compressed by method 12; stored and deflated ones are read");
  CHECK(refused(Zip{{{"a", text, 8, 0, "b"}}}.bytes()) ==
        "member 'a' is another one than the directory says");
  for (const std::size_t size : {0, 4999, 5001})
    CHECK(refused(Zip{{{"a", text, 8, 0, "a", size}}}.bytes()) == "member 'a' cannot be decompressed");
  // Refused before so much is allocated.
  CHECK(refused(Zip{{{"a", text, 8, 0, "a", 0x7FFFFFFF}}}.bytes(), std::size_t{1} << 40) ==
        "member 'a' cannot be decompressed");
  CHECK(refused(Zip{{{"a", text, 0, 0, "a", 4999}}}.bytes()) == "member 'a' has two sizes");
  CHECK(refused(Zip{{{"a", text, 0, 0, "a", 9000, 9000}}}.bytes()) == "member 'a' is cut off");
  CHECK(refused(Zip{{{"a", text, 8, 0, "a", {}, 10}}}.bytes()) == "member 'a' cannot be decompressed");
  CHECK(refused(Zip{{{"a", text, 8, 0, "a", 0xFFFFFFFF}}}.bytes()) ==
        "member 'a' is in the Zip64 format, which is not read; use a safetensors file");
  CHECK(refused(Zip{{{"a", text, 8, 0, "a", {}, {}, 1}}}.bytes()) ==
        "member 'a' does not have the checksum given for it");
  for (const std::size_t place : {1, 100000, 0x7FFFFFFF})
    CHECK(refused(Zip{{{"a", text, 8, 0, "a", {}, {}, {}, place}}}.bytes()) ==
          "member 'a' is not where the directory says");
  CHECK(refused(Zip{{{"a", text}, {"b", text, 8, 0, "a", {}, {}, {}, 0}}}.bytes()) ==
        "member 'b' is another one than the directory says");
  CHECK(refused(Zip{{{"a", text}}, "", 1}.bytes()) == "is one of several parts of an archive");
  CHECK(refused(Zip{{{"a", text}}, "", 0, 1}.bytes()) == "is one of several parts of an archive");
}

TEST_CASE("zip: a directory that ends within an entry is damaged, whatever stands behind it") {
  std::string file = Zip{{{"a", "", 0}}}.bytes();
  const std::size_t entry = file.find("PK\1\2");
  for (const std::size_t field : {28, 30, 32}) {
    std::string bad = file;
    bad[entry + field] = static_cast<char>(bad[entry + field] + 9);
    CHECK(refused(bad) == "has a directory that is damaged");
  }
  std::string more = file;  // of entries than the directory has
  more[file.size() - 22 + 8] = more[file.size() - 22 + 10] = 2;
  CHECK(refused(more) == "has a directory that is damaged");
  std::string fewer = file;
  fewer[file.size() - 22 + 8] = fewer[file.size() - 22 + 10] = 0;
  CHECK(refused(fewer) == "has a directory that is damaged");
}

TEST_CASE("zip: as many members as an archive can have, the last one named as the first") {
  Zip zip;
  for (std::size_t i = 0; i < 65534; ++i) zip.members.push_back({std::to_string(i), "", 0});
  CHECK(refused(zip.bytes(), 1 << 24).empty());
  zip.members.back() = {"0", "", 0};
  CHECK(refused(zip.bytes(), 1 << 24) == "has two members '0'");
}

TEST_CASE("zip: members that share bytes are an error") {
  // The second member's header stands in the data of the first.
  const std::string inner =
      "PK\3\4" + number(20, 2) + number(0, 8) + number(0, 12) + number(1, 2) + number(0, 2) + "b";
  const Zip zip{{{"a", inner, 0}, {"b", "", 0, 0, "b", {}, {}, {}, 31}}};
  CHECK(refused(zip.bytes()) == "has members that overlap");
}

TEST_CASE("zip: an archive that is cut off, or of which a byte differs, does no harm") {
  const std::string good = Zip{{{"a", std::string(300, 'y')}, {"b", "some more", 0}}, "end"}.bytes();
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK(!refused(good.substr(0, length)).empty());
  FileError error;
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ flip);
      if (const auto members = parse_zip(bad, "a", 1 << 20, error)) CHECK(members->size() <= 2);
    }
}
