#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/device_memory.h"

/// The device of tests that use a generated header, which they include before this file: TEL_TEST_DEVICE says
/// `emulator` or `cuda`.
namespace gpu_test {

inline bool is_cuda() {
  const char* name = std::getenv("TEL_TEST_DEVICE");
  return name != nullptr && std::strcmp(name, "cuda") == 0;
}

inline codegen::jit::DeviceMemory& memory() {
  static std::string why;
  static const auto memory = test::device_memory(
      is_cuda() ? codegen::jit::CallTarget::Kind::gpu : codegen::jit::CallTarget::Kind::emulator, why);
  REQUIRE_MESSAGE(memory != nullptr, why);
  return *memory;
}

/// A stream of its own on the GPU; null on the emulator.
class Stream {
 public:
  Stream() {
    if (!is_cuda()) return;
    memory().free(memory().allocate(1));  // makes the device's context current
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    const auto create = reinterpret_cast<int (*)(void**, unsigned)>(dlsym(driver, "cuStreamCreate"));
    destroy_ = reinterpret_cast<int (*)(void*)>(dlsym(driver, "cuStreamDestroy_v2"));
    constexpr unsigned non_blocking = 1;
    REQUIRE(create(&stream_, non_blocking) == 0);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (stream_ != nullptr) destroy_(stream_);
  }
  void* get() const { return stream_; }

 private:
  void* stream_ = nullptr;
  int (*destroy_)(void*) = nullptr;
};

/// Bytes of the device's memory.
class Bytes {
 public:
  explicit Bytes(std::size_t count) : memory_(memory().allocate(count)), count_(count) {
    REQUIRE(memory_ != nullptr);
  }
  template <typename T>
  explicit Bytes(const std::vector<T>& from) : Bytes(from.size() * sizeof(T)) {
    set(from.data());
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { memory().free(memory_); }

  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(memory_);
  }
  void set(const void* from) {
    REQUIRE(memory().upload(memory_, static_cast<const std::byte*>(from), count_));
  }
  template <typename T>
  std::vector<T> get() const {
    std::vector<T> result(count_ / sizeof(T));
    REQUIRE(memory().download(reinterpret_cast<std::byte*>(result.data()), memory_, count_));
    return result;
  }

 private:
  std::byte* memory_;
  std::size_t count_;
};

inline tel_execution execution(void* stream = nullptr, std::uint64_t order = 0) {
  return {sizeof(tel_execution), is_cuda() ? TEL_CUDA : TEL_EMULATOR, 0, stream, order};
}

}  // namespace gpu_test
