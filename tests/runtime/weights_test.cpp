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

#include "tests/runtime/weights_fixture.h"
#include "tests/support/safetensors_files.h"

using namespace runtime;
using namespace weights;

namespace {

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

TEST_CASE_FIXTURE(Fixture, "counters of batches in files of PyTorch are passed over") {
  const auto file_with = [&](const std::string& name, const std::string& type, const std::string& shape) {
    std::string header = whole;
    header.back() = ',';
    write(header + "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape +
              R"(,"data_offsets":[40,48]}})",
          48);
  };
  file_with("norm.num_batches_tracked", "I64", "[]");
  CHECK(load(memory) == TEL_OK);
  CHECK(reported == "l:W l:b l:s p:norm.num_batches_tracked ");
  for (const auto& [type, shape] : {std::pair("I64", "[1]"), std::pair("F64", "[]")}) {
    file_with("num_batches_tracked", type, shape);
    CHECK(load(memory) == TEL_TENSORS);
    CHECK(message() == "'num_batches_tracked' is unknown");
  }
  file_with("tracked", "I64", "[]");
  CHECK(load(memory) == TEL_TENSORS);
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
  const Initializer initial[] = {{seeded, 1, 2, 1, slot}, {zero, 0, 0, 0, nullptr}, {zero, 0, 0, 0, nullptr}};
  const Initializers all{&parameters, initial};
  REQUIRE(tel_initialize(&all, memory, 38, &error) == TEL_OK);
  CHECK(reinterpret_cast<float*>(memory)[5] == 45.0f);
  for (size_t i = 24; i < sizeof memory; ++i) CHECK(memory[i] == 0);
  const Initializer asking[] = {
      {settings, 0, 0, 0, nullptr}, {zero, 0, 0, 0, nullptr}, {zero, 0, 0, 0, nullptr}};
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
