// Stores and files for the tests of loading and saving.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/entry.h"

namespace weights {
using namespace runtime;
namespace fs = std::filesystem;

inline const Extent matrix[] = {{nullptr, 2}, {nullptr, 3}};
inline const Extent vector[] = {{nullptr, 4}};
inline const Tensor trained[] = {{"W", f32, 2, matrix}, {"b", f16, 1, vector}, {"s", f64, 0, nullptr}};
inline const int64_t trained_offsets[] = {0, 64, 128};
inline const Store parameters{"m::Parameters", 3, trained, trained_offsets, 192};
inline const Tensor fixed[] = {{"mask", boolean, 1, vector}};
inline const int64_t fixed_offsets[] = {0};
inline const Store constants{"m::Constants", 1, fixed, fixed_offsets, 64};
inline const Store none{"m::State", 0, nullptr, nullptr, 0};

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

}  // namespace weights
