#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "runtime/entry.h"
#include "tests/support/safetensors_files.h"

using namespace runtime;
namespace fs = std::filesystem;

namespace {

const Extent matrix[] = {{nullptr, 2}, {nullptr, 3}};
const Extent vector[] = {{nullptr, 4}};
const Tensor trained[] = {{"W", f32, 2, matrix}, {"b", f16, 1, vector}, {"s", f64, 0, nullptr}};
const int64_t trained_offsets[] = {0, 64, 128};
const Store parameters{"m::Parameters", 3, trained, trained_offsets, 192};
const Tensor fixed[] = {{"mask", boolean, 1, vector}};
const int64_t fixed_offsets[] = {0};
const Store constants{"m::Constants", 1, fixed, fixed_offsets, 64};
const Store none{"m::State", 0, nullptr, nullptr, 0};

struct Fixture {
  fs::path folder = fs::temp_directory_path() / ("tel_weights_" + std::to_string(getpid()));
  std::string path = folder / "m.safetensors";
  alignas(64) unsigned char memory[192];
  alignas(64) unsigned char flags[64];
  tel_error error{};
  std::string reported;  ///< names: l(oaded), k(ept), p(assed over)

  Fixture() {
    fs::create_directories(folder);
    for (size_t i = 0; i < sizeof memory; ++i) memory[i] = static_cast<unsigned char>(i + 1);
    std::memset(flags, 1, sizeof flags);
  }
  ~Fixture() { fs::remove_all(folder); }

  int32_t save(bool with_constants = true) {
    tel_file_arguments arguments = about(memory, with_constants ? flags : nullptr);
    return tel_save(&parameters, &constants, &none, &arguments, &error);
  }
  int32_t load(void* to, void* flags_to = nullptr, bool partial = false) {
    tel_file_arguments arguments = about(to, flags_to);
    arguments.partial = partial;
    arguments.report = [](void* context, int32_t what, const char* name) {
      *static_cast<std::string*>(context) += std::string(1, "lkp"[what]) + ":" + name + " ";
    };
    arguments.context = &reported;
    reported.clear();
    return tel_load(&parameters, &constants, &none, &arguments, &error);
  }
  tel_file_arguments about(void* parameters_at, void* constants_at) const {
    tel_file_arguments arguments{};
    arguments.size = sizeof arguments;
    arguments.path = path.c_str();
    arguments.parameters = parameters_at;
    arguments.constants = constants_at;
    return arguments;
  }
  void write(const std::string& header, size_t data) {
    std::ofstream file(path, std::ios::binary);
    for (size_t i = 0; i < 8; ++i) file.put(static_cast<char>(header.size() >> 8 * i));
    file << header << std::string(data, '\1');
  }
  std::string text() {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The part of the message after the file's name.
  std::string message() {
    const std::string all = error.text;
    return all.substr(all.find("': ") + 3);
  }
};

const char* const whole =
    R"({"W":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F16","shape":[4],"data_offsets":[24,32]},)"
    R"("s":{"dtype":"F64","shape":[],"data_offsets":[32,40]}})";

}  // namespace

TEST_CASE_FIXTURE(Fixture, "what is saved is loaded, bit for bit") {
  REQUIRE(save() == TEL_OK);
  alignas(64) unsigned char loaded[192] = {}, flags_loaded[64] = {};
  REQUIRE(load(loaded, flags_loaded) == TEL_OK);
  CHECK(std::memcmp(loaded, memory, 24) == 0);
  CHECK(std::memcmp(loaded + 64, memory + 64, 8) == 0);
  CHECK(std::memcmp(loaded + 128, memory + 128, 8) == 0);
  CHECK(loaded[24] == 0);  // between tensors nothing is written
  CHECK(std::memcmp(flags_loaded, flags, 4) == 0);
  CHECK(text().size() % 64 == 44);  // elements begin at a multiple of 64
}

TEST_CASE_FIXTURE(Fixture, "one store of a file can be loaded alone") {
  REQUIRE(save() == TEL_OK);
  alignas(64) unsigned char loaded[192];
  CHECK(load(loaded) == TEL_OK);
  CHECK(load(nullptr, loaded) == TEL_OK);
  REQUIRE(save(false) == TEL_OK);
  CHECK(load(loaded) == TEL_OK);
  CHECK(load(nullptr, loaded) == TEL_TENSORS);
  CHECK(message() == "'mask' is missing");
}

TEST_CASE_FIXTURE(Fixture, "a header as other programs write it") {
  write(R"({ "__metadata__" : {"a" : "b}", "c": "[{"},
    "\u0057":{"shape":[2, 3],"dtype":"F32","data_offsets":[16,40]},
    "s":{"dtype":"F64","shape":[],"data_offsets":[8,16]},
    "b":{"dtype":"F16","shape":[4],"data_offsets":[0,8]} }   )",
        40);
  alignas(64) unsigned char loaded[192];
  CHECK(load(loaded) == TEL_OK);
  CHECK(loaded[0] == 1);
}

TEST_CASE_FIXTURE(Fixture, "all missing, unknown and wrong tensors are in one message") {
  write(
      R"({"W":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},"s":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[24,32]},)"
      R"("x\ny":{"dtype":"U8","shape":[0],"data_offsets":[32,32]}})",
      32);
  CHECK(load(memory) == TEL_TENSORS);
  CHECK(message() ==
        "'W' is float32[3 x 2], expected float32[2 x 3]; 'b' is missing; 's' is F8_E4M3[8], expected "
        "float64[]; 'x?y' is unknown");
  CHECK(memory[0] == 1);
  CHECK(load(memory, nullptr, true) == TEL_TENSORS);
  CHECK(message() == "'W' is float32[3 x 2], expected float32[2 x 3]; 's' is F8_E4M3[8], expected float64[]");
}

TEST_CASE_FIXTURE(Fixture, "a long list of mistakes is cut and counted") {
  std::string header = "{";
  for (int i = 0; i < 500; ++i)
    header += "\"unknown" + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
  header.back() = '}';
  write(header, 0);
  CHECK(load(memory) == TEL_TENSORS);
  const std::string text = message();
  CHECK(text.rfind("'W' is missing; 'b' is missing; 's' is missing; 'unknown0' is unknown; ", 0) == 0);
  const size_t shown = static_cast<size_t>(std::count(text.begin(), text.end(), ';'));
  CHECK(text.find("; and " + std::to_string(503 - shown) + " more") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "a partial load leaves what the file does not have") {
  write(
      R"({"b":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},"other":{"dtype":"U8","shape":[1],"data_offsets":[8,9]}})",
      9);
  CHECK(load(memory, nullptr, true) == TEL_OK);
  CHECK(memory[0] == 1);
  CHECK(memory[64] == 1);
  CHECK(memory[72] == 73);
}

TEST_CASE_FIXTURE(Fixture, "a load reports every tensor once") {
  write(
      R"({"b":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},"other":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[8,9]},)"
      R"("mask":{"dtype":"BOOL","shape":[4],"data_offsets":[9,13]}})",
      13);
  REQUIRE(load(memory, nullptr, true) == TEL_OK);
  CHECK(reported == "k:W l:b k:s p:mask p:other ");
  REQUIRE(load(nullptr, flags, true) == TEL_OK);
  CHECK(reported == "l:mask p:b p:other ");
  REQUIRE(load(memory, flags, true) == TEL_OK);
  CHECK(reported == "k:W l:b k:s l:mask p:other ");
  REQUIRE(save() == TEL_OK);
  REQUIRE(load(memory) == TEL_OK);
  CHECK(reported == "l:W l:b l:s p:mask ");
}

TEST_CASE_FIXTURE(Fixture, "a partial load that has nothing to load is an error that shows both sides") {
  write(
      R"({"encoder.W":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"mask":{"dtype":"BOOL","shape":[4],"data_offsets":[1,5]}})",
      5);
  CHECK(load(memory, nullptr, true) == TEL_TENSORS);
  CHECK(message() == "it has none of the tensors, but 'encoder.W', 'mask'; m::Parameters has 'W', 'b', 's'");
  CHECK(reported.empty());
  CHECK(load(memory, flags, true) == TEL_OK);
  write("{}", 0);
  CHECK(load(memory, flags, true) == TEL_TENSORS);
  CHECK(message() ==
        "it has none of the tensors, but no tensor at all; m::Parameters has 'W', 'b', 's'; m::Constants has "
        "'mask'");
  std::string header = "{";
  for (int i = 0; i < 5; ++i)
    header += "\"" + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
  header.back() = '}';
  write(header, 0);
  CHECK(load(nullptr, flags, true) == TEL_TENSORS);
  CHECK(message() == "it has none of the tensors, but '0', '1', '2' and 2 more; m::Constants has 'mask'");
  tel_file_arguments arguments = about(nullptr, flags);
  arguments.partial = true;
  CHECK(tel_load(&parameters, &constants, &none, &arguments, nullptr) ==
        TEL_TENSORS);  // there is no place for the text
}

TEST_CASE_FIXTURE(Fixture, "files that are none are refused, with what is wrong") {
  for (const test::SafetensorsFile& file : test::safetensors_files()) {
    INFO(file.what);
    std::ofstream(path, std::ios::binary) << test::safetensors_bytes(file.header, file.data);
    CHECK(load(memory) == (file.message.empty() ? TEL_TENSORS : TEL_FORMAT));
    if (!file.message.empty()) CHECK(message() == file.message);
    CHECK(memory[0] == 1);
  }
  std::ofstream(path, std::ios::binary) << "short";
  CHECK(load(memory) == TEL_FORMAT);
  CHECK(message() == "it is too short for a safetensors file");
  const std::string too_long =
      "its header is longer than the file, or than the 100,000,000 bytes that the format allows";
  for (const size_t length : {size_t{3}, size_t{100'000'001}, SIZE_MAX}) {
    std::ofstream file(path, std::ios::binary);
    for (size_t i = 0; i < 8; ++i) file.put(static_cast<char>(length >> 8 * i));
    file << "{}";
    file.close();
    if (length == 100'000'001) fs::resize_file(path, 8 + length);
    CHECK(load(memory) == TEL_FORMAT);
    CHECK(message() == too_long);
  }
}

TEST_CASE_FIXTURE(Fixture, "damaged files never do harm") {
  write(whole, 40);
  const std::string good = text();
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (unsigned i = 0; i <= random() % 3; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    std::ofstream(path, std::ios::binary) << bad;
    const int32_t status = load(memory);
    CHECK(status == error.code);
  }
}

TEST_CASE_FIXTURE(Fixture, "folders, absent files and pipes are errors with their reasons") {
  CHECK(load(memory) == TEL_FILE);
  CHECK(std::string(error.text) == "cannot load '" + path + "': no such file or folder");
  path = folder;
  CHECK(load(memory) == TEL_FILE);
  CHECK(message() == "it is a folder");
  CHECK(save() == TEL_FILE);
  CHECK(message() == "it is a folder");
  path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK(load(memory) == TEL_FILE);
  CHECK(save() == TEL_FILE);
  CHECK(message() == "it is not a regular file");
  path = folder / "absent" / "file";
  CHECK(save() == TEL_FILE);
  CHECK(std::string(error.text) == "cannot save '" + path + "': no such file or folder");
}

TEST_CASE_FIXTURE(Fixture, "saving replaces the file, keeps its permissions and leaves nothing beside it") {
  std::ofstream(path) << "old";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  const std::string real = path;
  fs::create_symlink(path, folder / "link");
  path = folder / "link";
  REQUIRE(save() == TEL_OK);
  CHECK(fs::is_symlink(path));
  CHECK(fs::file_size(real) > 100);
  CHECK(fs::status(real).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 2);
}

TEST_CASE_FIXTURE(Fixture, "a disk without space leaves the old file") {
  path = "/dev/full";
  CHECK(save() == TEL_FILE);
}

namespace {

void seeded(void* const* buffers, const int64_t*, tel_context*) {
  const uint64_t seed = *static_cast<const uint64_t*>(buffers[0]);
  auto* scratch = static_cast<float*>(buffers[2]);
  for (int i = 0; i < 6; ++i) scratch[i] = static_cast<float>(seed) + static_cast<float>(i);
  std::memcpy(buffers[1], scratch, 24);
}
void zero(void* const* buffers, const int64_t*, tel_context*) { std::memset(buffers[0], 0, 8); }
void settings(void* const* buffers, const int64_t*, tel_context*) {
  const unsigned now = _mm_getcsr();
  std::memcpy(buffers[0], &now, sizeof now);
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "initializers fill the tensors, zeros what is between") {
  const Extent size[] = {{nullptr, 24}};
  const Slot slot[] = {{1, size}};
  const Initializer initial[] = {{seeded, 1, 1, slot}, {zero, 0, 0, nullptr}, {zero, 0, 0, nullptr}};
  const Initializers all{&parameters, initial};
  REQUIRE(tel_initialize(&all, memory, 40, &error) == TEL_OK);
  CHECK(reinterpret_cast<float*>(memory)[5] == 45.0f);
  for (size_t i = 24; i < sizeof memory; ++i) CHECK(memory[i] == 0);
  const Initializer asking[] = {{settings, 0, 0, nullptr}, {zero, 0, 0, nullptr}, {zero, 0, 0, nullptr}};
  const Initializers with_settings{&parameters, asking};
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | _MM_ROUND_UP);
  const int32_t status = tel_initialize(&with_settings, memory, 40, &error);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  CHECK(status == TEL_OK);
  CHECK(after == (before | _MM_ROUND_UP));
  CHECK(*reinterpret_cast<unsigned*>(memory) == 0x1f80);  // the same seed gives the same bits
  CHECK(tel_initialize(&all, nullptr, 40, &error) == TEL_INVALID_ARGUMENT);
  CHECK(tel_initialize(&all, memory + 4, 40, &error) == TEL_INVALID_ARGUMENT);
}

// ------------------------------------------------------------------------------------- names in files

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
