#include "dlvm/io/tensor_files.h"

#include <doctest/doctest.h>

#include "tests/dlvm/interpret/build.h"
#include "tests/support/safetensors_files.h"

using namespace test;

namespace {

std::string npy(const std::string& header, const std::string& data) {
  std::string file = "\x93NUMPY\x01";
  file += '\0';
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + data;
}

std::string safetensors(const std::string& header, const std::string& data) {
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  return file + header + data;
}

}  // namespace

TEST_CASE("npy: every element type survives") {
  FileError error;
  for (const auto& entry : element_types) {
    const Tensor before = tensor(entry.type, {2, 3}, {0, 1, 1, 0, 1, 1});
    const auto after = parse_npy(format_npy(before), "x", error);
    REQUIRE(after);
    CHECK(*after == before);
  }
  for (const Tensor& before : {f32({}, {3.5}), f32({3}, {-0.5, 1e30, 0}), f32({2, 0, 3}, {})}) {
    const auto after = parse_npy(format_npy(before), "x", error);
    REQUIRE(after);
    CHECK(*after == before);
  }
}

TEST_CASE("npy: the file is laid out as NumPy lays it out") {
  const std::string file = format_npy(i32({2}, {1, 258}));
  CHECK(file.size() == 128 + 8);
  CHECK(file.substr(0, 8) == std::string("\x93NUMPY\x01\0", 8));
  CHECK(file.substr(8, 2) == std::string("\x76\0", 2));
  CHECK(file.substr(10, 57) == "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }");
  CHECK(file[127] == '\n');
  CHECK(file.substr(128) == std::string("\1\0\0\0\2\1\0\0", 8));
  CHECK(format_npy(tensor(ElementType::boolean, {1}, {1})).find("'|b1'") != std::string::npos);
}

TEST_CASE("npy: a byte that is not 0 is true") {
  FileError error;
  const auto x = parse_npy(
      npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", std::string("\2\0\1\xFF", 4)), "x",
      error);
  REQUIRE(x);
  CHECK(*x == tensor(ElementType::boolean, {4}, {1, 0, 1, 1}));
}

TEST_CASE("npy: Fortran order and big-endian bytes") {
  FileError error;
  const std::string data("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
  const auto x =
      parse_npy(npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", data), "x", error);
  REQUIRE(x);
  CHECK(values(*x) == std::vector<double>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("npy: what is malformed is an error") {
  FileError error;
  const auto bad = [&](const std::string& bytes) {
    CHECK_FALSE(parse_npy(bytes, "x.npy", error));
    CHECK(error.kind == FileError::Kind::format);
    return error.text;
  };
  bad("");
  bad("hello, world");
  const auto header = [](const std::string& text) { return npy(text, "1234"); };
  CHECK(parse_npy(header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } \n"), "x", error));
  for (const char* text :
       {"{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4' 'fortran_order': False 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 'x'}",
        "{'descr': '?f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"})
    bad(header(text));
  std::string minor = header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}");
  minor[7] = '\x01';
  CHECK(bad(minor) == "x.npy: is of an unknown version of .npy");
  // No elements, but extents that cannot be multiplied.
  bad(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999999999, 999999999999999999, 0)}",
          ""));
  bad(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (0, 999999999999999999, 999999999999999999)}",
          ""));
  CHECK(parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 5)}", ""), "x", error));
  bad("\x93NUMPY\x01");
  bad(npy("", ""));
  bad(npy("{", ""));
  bad(npy("{'descr'", ""));
  bad(npy("{'descr': '<f4', 'shape': (1,)}", "1234"));
  bad(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1", "1234"));
  bad(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "1234"));
  CHECK(bad(npy("{'descr': '<c8', 'fortran_order': False, 'shape': ()}", "12345678")) ==
        "x.npy: has elements of type '<c8', which are not known here");
  CHECK(bad(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234")) ==
        "x.npy: has 4 bytes of elements, not those of [2]");
  bad(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999, 99999999999999999)}", ""));
  bad(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999999999999,)}", ""));
  const std::string good = format_npy(f32({2}, {1, 2}));
  for (std::size_t length = 0; length < good.size(); ++length) bad(good.substr(0, length));
}

TEST_CASE("safetensors: tensors and their order survive") {
  FileError error;
  NamedTensors before;
  for (const auto& entry : element_types)
    before.push_back({std::string(entry.name) + ".β", tensor(entry.type, {3}, {0, 1, 1})});
  before.push_back({"empty", Tensor(ElementType::f32, {0, 4})});
  before.push_back({"fractions", f32({2}, {0.5, -1.25})});
  const std::string bytes = format_safetensors(before);
  const auto after = parse_safetensors(bytes, "x", error);
  REQUIRE(after);
  REQUIRE(after->size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK((*after)[i].name == before[i].name);
    CHECK((*after)[i].tensor == before[i].tensor);
  }
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    CHECK_FALSE(parse_safetensors(std::string_view(bytes).substr(0, length), "x", error));
}

TEST_CASE("safetensors: what is malformed is an error, and says what") {
  FileError error;
  for (const SafetensorsFile& file : safetensors_files()) {
    INFO(file.what);
    const auto tensors = parse_safetensors(safetensors_bytes(file.header, file.data), "x", error);
    CHECK(tensors.has_value() == file.message.empty());
    if (tensors) continue;
    CHECK(error.kind == FileError::Kind::format);
    CHECK(error.text == "x: " + file.message);
  }
  const auto bad = [&](const std::string& bytes) {
    CHECK_FALSE(parse_safetensors(bytes, "x", error));
    return error.text;
  };
  CHECK(bad("short") == "x: it is too short for a safetensors file");
  CHECK(bad(std::string(8, '\xff') + "{}") ==
        "x: its header is longer than the file, or than the 100,000,000 bytes that the format allows");
  for (const auto* shape : {"2", "9223372036854775807"})
    CHECK(bad(safetensors_bytes("{" + listed("a", "F8_E4M3", shape, "0,2") + "}", 2)) ==
          "x: tensor 'a' has elements of type F8_E4M3, which the language does not have");
}

TEST_CASE(
    "safetensors: names are UTF-8, the header ends at a multiple of 8 bytes, and a byte that is not 0 is "
    "true") {
  const std::string file = format_safetensors({{"\xCE\xB2", i32({1}, {7})}, {"b", f32({}, {1})}});
  const auto length = static_cast<unsigned char>(file[0]);
  CHECK(file.substr(1, 7) == std::string(7, '\0'));
  CHECK(length % 8 == 0);
  CHECK(file.substr(8, length).starts_with(
      "{\"\xCE\xB2"
      R"(":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]}})"));
  CHECK(file.size() == std::size_t{8} + length + 8);
  CHECK(file[8 + length] == 7);
  FileError error;
  const std::string header = "{" + listed("c", "BOOL", "3", "0,3") + "}";
  const auto tensors = parse_safetensors(safetensors(header, std::string("\2\0\x80", 3)), "x", error);
  REQUIRE(tensors);
  CHECK(tensors->at(0).tensor == tensor(ElementType::boolean, {3}, {1, 0, 1}));
}

TEST_CASE("safetensors: tensors that share their bytes take no memory before they are refused") {
  std::string header = "{";
  for (int i = 0; i < 40000; ++i)
    header += listed("t" + std::to_string(i), "U8", "1048576", "0,1048576") + ",";
  header.back() = '}';
  FileError error;
  CHECK_FALSE(parse_safetensors(safetensors_bytes(header, 1 << 20), "x", error));
  CHECK(error.text ==
        "x: tensor 't1' begins at byte 0, expected 1048576: tensors neither overlap nor leave gaps");
}

TEST_CASE("safetensors: in the order of their elements, also those without any") {
  FileError error;
  const std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                             R"("z":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                             R"("none":{"dtype":"F32","shape":[0],"data_offsets":[1,1]}})";
  const auto tensors = parse_safetensors(safetensors(header, "xy"), "x", error);
  REQUIRE(tensors);
  std::string names;
  for (const auto& tensor : *tensors) names += tensor.name + " ";
  CHECK(names == "z none a ");
}
