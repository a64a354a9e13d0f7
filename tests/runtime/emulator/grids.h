#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/emulator/emulator.h"
#include "runtime/emulator/operations.h"

/// Kernels written in C++ as the compiler would instrument them, and grids of them.
namespace test {

/// A line of `kernel.tel`.
template <int line>
inline constexpr runtime::Site at{"kernel.tel", line, runtime::access_read, 0, 1};

template <int line, typename T>
T load(const T* from) {
  static constexpr runtime::Site site{"kernel.tel", line, runtime::access_read, sizeof(T), alignof(T)};
  tel_emulator_access(from, &site);
  return *from;
}

template <int line, typename T>
void store(T* to, T value) {
  static constexpr runtime::Site site{"kernel.tel", line, runtime::access_write, sizeof(T), alignof(T)};
  tel_emulator_access(to, &site);
  *to = value;
}

struct alignas(16) Four {
  float x[4];
};

/// The buffer at a kernel's i-th position.
template <typename T>
T* buffer(const std::int64_t* words, const std::int32_t* positions, int i) {
  return reinterpret_cast<T*>(words[positions[i]]);
}
template <typename T>
T* shared(std::int64_t bytes = 0) {
  return reinterpret_cast<T*>(static_cast<char*>(tel_device_shared()) + bytes);
}

using Emulated = void (*)(const std::int64_t* words, const std::int32_t* positions);

/// Buffers in the order of their positions, which count from 1: there are no dimensions.
class Grids {
 public:
  template <typename T>
  T* add(runtime::emulator::BufferKind kind, const char* name, const std::vector<T>& values) {
    memory_.emplace_back(values.size() * sizeof(T) + 128);
    void* start = memory_.back().data();
    std::size_t space = memory_.back().size();
    auto* data = static_cast<char*>(std::align(64, 1, start, space));
    std::memcpy(data, values.data(), values.size() * sizeof(T));
    buffers_.push_back({kind, static_cast<std::int32_t>(buffers_.size()), name, data,
                        static_cast<std::int64_t>(values.size() * sizeof(T))});
    return reinterpret_cast<T*>(data);
  }
  template <typename T>
  T* argument(const char* name, const std::vector<T>& values) {
    return add(runtime::emulator::argument, name, values);
  }
  template <typename T>
  T* result(const char* name, std::size_t count) {
    return add(runtime::emulator::result, name, std::vector<T>(count));
  }
  template <typename T>
  T* slot(std::size_t count) {
    return add(runtime::emulator::slot, nullptr, std::vector<T>(count));
  }

  /// The kernel's number; its positions are all buffers.
  int kernel(const char* name, Emulated code, int threads, std::int64_t shared = 0) {
    kernels_.push_back({name, 0, threads, shared, code});
    return static_cast<int>(kernels_.size()) - 1;
  }

  struct Launch {
    int kernel;
    std::int64_t blocks;
  };
  /// Runs the grids; the error's text, empty where there is none. `whole`: all results must be written.
  std::string run(const std::vector<Launch>& launches, std::uint64_t order = 0, int workers = 1,
                  bool whole = false) {
    std::vector<std::int32_t> positions;
    for (std::size_t i = 0; i < buffers_.size(); ++i) positions.push_back(static_cast<std::int32_t>(i) + 1);
    for (auto& kernel : kernels_) kernel.argument_count = static_cast<std::int32_t>(positions.size());
    tel_error error{};
    auto* session = runtime::emulator::open(
        {kernels_.data(), static_cast<std::int64_t>(kernels_.size()), nullptr, 0, buffers_.data(),
         static_cast<std::int64_t>(buffers_.size()), order, workers, "m::f", &error});
    REQUIRE(session != nullptr);
    std::int32_t status = TEL_OK;
    for (const Launch& one : launches)
      if (status == TEL_OK)
        status = runtime::emulator::launch(*session, one.kernel, one.blocks, positions.data());
    if (status == TEL_OK && whole) status = runtime::emulator::finish(*session);
    counters = runtime::emulator::counters(*session, 0);
    runtime::emulator::close(session);
    CHECK(status == error.code);
    CHECK((status == TEL_OK || status == TEL_DEVICE));
    return error.text;
  }

  runtime::emulator::Counters counters{};  ///< of kernel 0, in the last run

 private:
  std::vector<std::vector<char>> memory_;
  std::vector<runtime::emulator::Buffer> buffers_;
  std::vector<runtime::Kernel> kernels_;
};

}  // namespace test
