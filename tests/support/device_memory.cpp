#include "tests/support/device_memory.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace test {
namespace {

/// What is called of the driver; all give 0 where they succeed.
struct Driver {
  int (*cuInit)(unsigned flags);
  int (*cuDevicePrimaryCtxRetain)(void** context, int device);
  int (*cuCtxSetCurrent)(void* context);
  int (*cuMemAlloc)(std::byte** memory, std::size_t bytes);
  int (*cuMemFree)(std::byte* memory);
  int (*cuMemcpyHtoD)(std::byte* to, const void* from, std::size_t bytes);
  int (*cuMemcpyDtoH)(void* to, const std::byte* from, std::size_t bytes);

  bool open(std::string& why) {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) return why = dlerror(), false;
    return find(library, "cuInit", cuInit, why) &&
           find(library, "cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain, why) &&
           find(library, "cuCtxSetCurrent", cuCtxSetCurrent, why) &&
           find(library, "cuMemAlloc_v2", cuMemAlloc, why) && find(library, "cuMemFree_v2", cuMemFree, why) &&
           find(library, "cuMemcpyHtoD_v2", cuMemcpyHtoD, why) &&
           find(library, "cuMemcpyDtoH_v2", cuMemcpyDtoH, why);
  }

 private:
  template <typename Function>
  static bool find(void* library, const char* name, Function& function, std::string& why) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) why = dlerror();
    return function != nullptr;
  }
};

class CudaMemory final : public codegen::jit::DeviceMemory {
 public:
  bool open(std::string& why) {
    if (!driver_.open(why)) return false;
    int code = driver_.cuInit(0);
    if (code == 0) code = driver_.cuDevicePrimaryCtxRetain(&context_, 0);
    if (code != 0) why = "the driver refuses device 0: error " + std::to_string(code);
    return code == 0;
  }
  std::byte* allocate(std::size_t bytes) override {
    std::byte* memory = nullptr;
    return enter() && driver_.cuMemAlloc(&memory, bytes) == 0 ? memory : nullptr;
  }
  void free(std::byte* memory) override {
    if (enter()) driver_.cuMemFree(memory);
  }
  bool upload(std::byte* to, const std::byte* from, std::size_t bytes) override {
    return enter() && driver_.cuMemcpyHtoD(to, from, bytes) == 0;
  }
  bool download(std::byte* to, const std::byte* from, std::size_t bytes) override {
    return enter() && driver_.cuMemcpyDtoH(to, from, bytes) == 0;
  }

 private:
  bool enter() { return driver_.cuCtxSetCurrent(context_) == 0; }

  Driver driver_{};
  void* context_ = nullptr;
};

class ProcessorMemory final : public codegen::jit::DeviceMemory {
 public:
  std::byte* allocate(std::size_t bytes) override {
    return static_cast<std::byte*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  }
  void free(std::byte* memory) override { std::free(memory); }
  bool upload(std::byte* to, const std::byte* from, std::size_t bytes) override {
    return std::memcpy(to, from, bytes) != nullptr;
  }
  bool download(std::byte* to, const std::byte* from, std::size_t bytes) override {
    return std::memcpy(to, from, bytes) != nullptr;
  }
};

}  // namespace

std::unique_ptr<codegen::jit::DeviceMemory> device_memory(codegen::jit::CallTarget::Kind kind,
                                                          std::string& why) {
  if (kind != codegen::jit::CallTarget::Kind::gpu) return std::make_unique<ProcessorMemory>();
  auto memory = std::make_unique<CudaMemory>();
  if (!memory->open(why)) return nullptr;
  return memory;
}

}  // namespace test
