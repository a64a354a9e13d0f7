#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "runtime/entry.h"

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

struct Fixture {
  fs::path folder = fs::temp_directory_path() / ("tel_weights_" + std::to_string(getpid()));
  std::string path = folder / "m.safetensors";
  alignas(64) unsigned char memory[192];
  alignas(64) unsigned char flags[64];
  tel_error error{};

  Fixture() {
    fs::create_directories(folder);
    for (size_t i = 0; i < sizeof memory; ++i) memory[i] = static_cast<unsigned char>(i + 1);
    std::memset(flags, 1, sizeof flags);
  }
  ~Fixture() { fs::remove_all(folder); }

  int32_t save(bool with_constants = true) {
    tel_file_arguments arguments{sizeof arguments, path.c_str(), memory, with_constants ? flags : nullptr, 0};
    return tel_save(&parameters, &constants, &arguments, &error);
  }
  int32_t load(void* to, void* flags_to = nullptr, bool partial = false) {
    tel_file_arguments arguments{sizeof arguments, path.c_str(), to, flags_to, partial};
    return tel_load(&parameters, &constants, &arguments, &error);
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
  write(R"( { "__metadata__" : {"a" : "b}", "c": [1, {"d": {}}, []]},
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
        "'W' is float32[3 x 2], expected float32[2 x 3]; 'b' is missing; 's' is of another type[8], expected "
        "float64[]; 'x?y' is unknown");
  CHECK(memory[0] == 1);
  CHECK(load(memory, nullptr, true) == TEL_TENSORS);
  CHECK(message() ==
        "'W' is float32[3 x 2], expected float32[2 x 3]; 's' is of another type[8], expected float64[]");
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

TEST_CASE_FIXTURE(Fixture, "files that are none are refused") {
  const std::string good = whole;
  const auto refused = [&](const std::string& header, size_t data, const char* what) {
    INFO(header);
    write(header, data);
    CHECK(load(memory) == TEL_FORMAT);
    CHECK(message() == what);
    CHECK(memory[0] == 1);
  };
  const auto with = [&](const char* from, const char* to) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), std::strlen(from), to);
  };
  write(good, 40);
  CHECK(load(memory) == TEL_OK);
  for (size_t i = 0; i < sizeof memory; ++i) memory[i] = static_cast<unsigned char>(i + 1);

  refused("", 0, "its header is not the JSON of the format");
  refused("{}", 1, "its tensors do not cover it");
  refused(good, 39, "it ends early");
  refused(good, 41, "its tensors do not cover it");
  refused(good + "x", 40, "its header has text after its end");
  refused(good.substr(0, 30), 40, "its header is not the JSON of the format");
  refused(with("24,32", "25,33"), 40, "its tensors overlap or leave gaps");
  refused(with("24,32", "24,31"), 40, "a tensor's bytes do not fit its shape");
  refused(with("24,32", "32,24"), 40, "its header is not that of a safetensors file");
  refused(with("24,32", "24,99999999999999999999"), 40, "its header has a number that is too large");
  refused(with("24,32", "24,-1"), 40, "its header has something else where a number belongs");
  refused(with("24,32", "24,03"), 40, "its header has a bad number");
  refused(with("\"shape\":[4]", "\"shape\":[4611686018427387904,4]"), 40,
          "its header is not that of a safetensors file");
  refused(with("\"shape\":[4],", ""), 40, "its header is not that of a safetensors file");
  refused(with("\"shape\":[4]", "\"shape\":[4],\"shape\":[4]"), 40,
          "its header is not that of a safetensors file");
  refused(with("\"b\"", "\"W\""), 40, "it has two tensors of one name");
  refused(with("\"b\"", "\"\\q\""), 40, "its header has a bad escape");
  refused(with("\"b\"", "\"\\ud800\""), 40, "its header has a bad escape");
  refused(with("\"b\"", "\"b"), 40, "its header is not the JSON of the format");
  refused("{\"__metadata__\":" + std::string(100000, '['), 0, "its header is nested too deep");
  std::ofstream(path, std::ios::binary) << "short";
  CHECK(load(memory) == TEL_FORMAT);
  CHECK(message() == "it is too short for a safetensors file");
  std::ofstream(path, std::ios::binary) << std::string(8, '\xff') << "{}";
  CHECK(load(memory) == TEL_FORMAT);
  CHECK(message() == "its header is longer than the file or than the format allows");
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

}  // namespace

TEST_CASE_FIXTURE(Fixture, "initializers fill the tensors, zeros what is between") {
  const Extent size[] = {{nullptr, 24}};
  const Slot slot[] = {{1, size}};
  const Initializer initial[] = {{seeded, 1, 1, slot}, {zero, 0, 0, nullptr}, {zero, 0, 0, nullptr}};
  const Initializers all{&parameters, initial};
  REQUIRE(tel_initialize(&all, memory, 40, &error) == TEL_OK);
  CHECK(reinterpret_cast<float*>(memory)[5] == 45.0f);
  for (size_t i = 24; i < sizeof memory; ++i) CHECK(memory[i] == 0);
  CHECK(tel_initialize(&all, nullptr, 40, &error) == TEL_INVALID_ARGUMENT);
  CHECK(tel_initialize(&all, memory + 4, 40, &error) == TEL_INVALID_ARGUMENT);
}
