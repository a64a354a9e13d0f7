// Names, orders of axes and types of elements that files of weights have otherwise than the module.
#include <doctest/doctest.h>
#include <xmmintrin.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/runtime/weights_fixture.h"

using namespace runtime;
using namespace weights;

namespace {

const Extent matrices[] = {{nullptr, 2}, {nullptr, 2}, {nullptr, 3}};
const Tensor named[] = {{"fc.W", f32, 2, matrix}, {"fc.b", f16, 1, vector}, {"stack", i16, 3, matrices}};
const int64_t named_offsets[] = {0, 64, 128};
const InFile in_files[] = {{"0.\"weight\"\t", 1}, {"0.bias", 0}, {"stack", 1}};
const Store with_names{"m::Parameters", 3, named, named_offsets, 192, in_files};

struct Named : Fixture {
  alignas(64) unsigned char loaded[192] = {};

  int32_t save_named() {
    tel_file_arguments arguments = about(memory, nullptr);
    return tel_save(&with_names, &constants, &none, &arguments, &error);
  }
  int32_t load_named() {
    tel_file_arguments arguments = about(loaded, nullptr);
    return tel_load(&with_names, &constants, &none, &arguments, &error);
  }
  float* floats() { return reinterpret_cast<float*>(loaded); }
};

template <typename T>
std::string bytes(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

/// A file with `fc.W` of that type and these elements, and zeros in the rest.
void write_matrix(const Named& named, const char* dtype, const std::string& elements) {
  const std::string end = std::to_string(elements.size());
  const std::string header =
      R"({"0.\"weight\"\u0009":{"dtype":")" + std::string(dtype) + R"(","shape":[3,2],"data_offsets":[0,)" +
      end + R"(]},"0.bias":{"dtype":"BF16","shape":[4],"data_offsets":[)" + end + "," +
      std::to_string(elements.size() + 8) + R"(]},"stack":{"dtype":"I16","shape":[2,3,2],"data_offsets":[)" +
      std::to_string(elements.size() + 8) + "," + std::to_string(elements.size() + 32) + "]}}";
  std::ofstream file(named.path, std::ios::binary);
  for (size_t i = 0; i < 8; ++i) file.put(static_cast<char>(header.size() >> 8 * i));
  file << header << elements << bytes<uint16_t>({0x3F80, 0xC000, 0x7F80, 0x3F81}) << std::string(24, '\0');
}

}  // namespace

TEST_CASE_FIXTURE(Named, "files have tensors under their names, transposed") {
  REQUIRE(save_named() == TEL_OK);
  const std::string file = text();
  CHECK(file.find(R"("0.\"weight\"\u0009":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]})") !=
        std::string::npos);
  CHECK(file.find(R"("stack":{"dtype":"I16","shape":[2,3,2])") != std::string::npos);
  const std::string elements = file.substr(file.size() - 24 - 8 - 24);
  const int order[] = {0, 3, 1, 4, 2, 5};  // of the 2 x 3 elements in memory, as the file has them
  for (size_t i = 0; i < 6; ++i) CHECK(std::memcmp(elements.data() + 4 * i, memory + 4 * order[i], 4) == 0);
  for (size_t i = 0; i < 12; ++i)
    CHECK(std::memcmp(elements.data() + 32 + 2 * i, memory + 128 + 12 * (i / 6) + 2 * order[i % 6], 2) == 0);
  REQUIRE(load_named() == TEL_OK);
  CHECK(std::memcmp(loaded, memory, 24) == 0);
  CHECK(std::memcmp(loaded + 64, memory + 64, 8) == 0);
  CHECK(std::memcmp(loaded + 128, memory + 128, 24) == 0);
}

TEST_CASE_FIXTURE(Named, "floating-point numbers of other types are rounded to the nearest") {
  SUBCASE("F64") {
    write_matrix(*this, "F64", bytes<double>({1, 1 + 0x1p-24, 1 + 0x3p-24, -0.0, 1e300, 0.1}));
    REQUIRE(load_named() == TEL_OK);
    const float expected[] = {1, 1 + 0x1p-22f, HUGE_VALF, 1, -0.0f, 0.1f};
    CHECK(std::memcmp(loaded, expected, sizeof expected) == 0);
  }
  SUBCASE("F16") {
    write_matrix(*this, "F16", bytes<uint16_t>({0x3C00, 0xC000, 0x0001, 0x7C00, 0x3555, 0x8000}));
    REQUIRE(load_named() == TEL_OK);
    const float expected[] = {1, 0x1p-24f, 0x1.554p-2f, -2, HUGE_VALF, -0.0f};
    CHECK(std::memcmp(loaded, expected, sizeof expected) == 0);
  }
  const uint16_t bias[] = {0x3C00, 0xC000, 0x7C00, 0x3C08};
  CHECK(std::memcmp(loaded + 64, bias, sizeof bias) == 0);  // BF16 to F16
}

TEST_CASE_FIXTURE(Named, "the caller's rounding does not change what is loaded") {
  write_matrix(*this, "F64", bytes<double>({0.7, 0.7, 0.7, 0.7, 0.7, 0.7}));
  const unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~0x6000u) | 0x4000u);  // upwards
  const int32_t status = load_named();
  _mm_setcsr(before);
  REQUIRE(status == TEL_OK);
  CHECK(floats()[0] == 0.7f);
}

TEST_CASE_FIXTURE(Named,
                  "what does not fit is named as in the file, with the shape that the file should have") {
  write(R"({"0.bias":{"dtype":"I32","shape":[4],"data_offsets":[0,16]},)"
        R"("stack":{"dtype":"I16","shape":[2,2,3],"data_offsets":[16,40]}})",
        40);
  CHECK(load_named() == TEL_TENSORS);
  CHECK(message() ==
        "'0.\"weight\"\t' (fc.W, transposed) is missing; '0.bias' (fc.b) is int32[4], expected float16[4]; "
        "'stack' (transposed) is int16[2 x 2 x 3], expected int16[2 x 3 x 2]");
}
