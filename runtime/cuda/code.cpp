#include "runtime/cuda/code.h"

#include <stdlib.h>

#include "runtime/support/unpack.h"

namespace runtime::cuda {
namespace {

constexpr int64_t shared_without_asking = 48 << 10;
constexpr int64_t literal_alignment = 256;

bool runs(const Image& image, int32_t architecture) {
  if (image.specific) return image.architecture == architecture;
  if (image.architecture > architecture) return false;
  return image.kind == image_ptx || image.architecture / 10 == architecture / 10;
}

bool better(const Image& a, const Image& b) {
  if (a.kind != b.kind) return a.kind == image_cubin;
  if (a.architecture != b.architecture) return a.architecture > b.architecture;
  return a.specific > b.specific;
}

/// `sm_90a`, `PTX for sm_80`.
void write_image(Text& text, const Image& image) {
  if (image.kind == image_ptx) text << "PTX for ";
  text << "sm_" << int64_t{image.architecture};
  if (image.specific) text << 'a';
}

int32_t no_code(const Calls& calls, const Device& device, const Devices& devices) {
  Failure failure = calls.fail(TEL_DEVICE);
  Text& text = failure.text() << "it is sm_" << int64_t{device.architecture} << ", there is code for ";
  const DeviceCode* listed = nullptr;
  const char* before = "";
  for (int64_t i = 0; i < devices.program_count; ++i) {
    const DeviceCode& code = *devices.programs[i].code;
    if (&code == listed) continue;
    listed = &code;
    for (int64_t j = 0; j < code.image_count; ++j, before = ", ") write_image(text << before, code.images[j]);
  }
  return failure;
}

/// The bytes of an image while this lives; null where there is no memory.
class ImageBytes {
 public:
  explicit ImageBytes(const Image& image) : data_(image.data) {
    if (image.packed == 0) return;
    data_ = memory_ = malloc(static_cast<size_t>(image.size));
    if (memory_ && !unpack(image.data, image.packed, memory_, image.size)) data_ = nullptr;
  }
  ~ImageBytes() { free(memory_); }
  ImageBytes(const ImageBytes&) = delete;
  ImageBytes& operator=(const ImageBytes&) = delete;
  const void* data() const { return data_; }

 private:
  const void* data_;
  void* memory_ = nullptr;
};

int32_t load_module(const Calls& calls, const Image& image, Module& module) {
  char what[32], log[256] = "";
  Text name(what, sizeof what);
  write_image(name, image);
  const LoadOption options[] = {error_log, error_log_size};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log - 1)};
  const ImageBytes bytes(image);
  if (!bytes.data()) return calls.no_memory();
  const Code code = calls.driver().cuModuleLoadDataEx(&module, bytes.data(), 2, options, values);
  return calls.result(code, &Driver::cuModuleLoadDataEx, what, log[0] ? log : nullptr);
}

int32_t find_kernel(const Calls& calls, const Device& device, Module module, const Kernel& kernel,
                    Function& function) {
  if (const int32_t status =
          calls.about(kernel.name, &Driver::cuModuleGetFunction, &function, module, kernel.name))
    return status;
  if (kernel.shared > device.shared_limit) {
    Failure failure = calls.fail(TEL_DEVICE);
    failure.text() << kernel.name << " needs " << kernel.shared << " bytes of shared memory, a block has "
                   << device.shared_limit;
    return failure;
  }
  if (kernel.shared <= shared_without_asking) return TEL_OK;
  return calls.about(kernel.name, &Driver::cuFuncSetAttribute, function, dynamic_shared_memory,
                     static_cast<int32_t>(kernel.shared));
}

int32_t find_kernels(const Calls& calls, const Device& device, Loaded& loaded) {
  const DeviceCode& code = *loaded.code;
  for (int64_t i = 0; i < code.kernel_count; ++i)
    if (const int32_t status = find_kernel(calls, device, loaded.module, code.kernels[i], loaded.kernels[i]))
      return status;
  const auto find = [&](const char* name, Function& function) {
    return calls.about(name, &Driver::cuModuleGetFunction, &function, loaded.module, name);
  };
  if (const int32_t status = find(words_kernel, loaded.words)) return status;
  for (const CombineKernel& kernel : combine_kernels)
    if (const int32_t status = find(kernel.name, loaded.combine[kernel.type])) return status;
  return TEL_OK;
}

/// With the process's lock.
int32_t load_code(const Calls& calls, Device& device, const DeviceCode& code, const Loaded*& found) {
  for (found = device.loaded; found; found = found->next)
    if (found->code == &code) return TEL_OK;
  const auto count = static_cast<size_t>(code.kernel_count);
  auto* made = static_cast<Loaded*>(calloc(1, sizeof(Loaded) + count * sizeof(Function)));
  if (!made) return calls.no_memory();
  made->code = &code;
  made->kernels = reinterpret_cast<Function*>(made + 1);
  int32_t status = load_module(calls, *best_image(code, device.architecture), made->module);
  if (status == TEL_OK) {
    status = find_kernels(calls, device, *made);
    if (status != TEL_OK) calls.driver().cuModuleUnload(made->module);
  }
  if (status != TEL_OK) {
    free(made);
    return status;
  }
  push(device.loaded, made);
  found = made;
  return TEL_OK;
}

int64_t place_literals(const DeviceProgram& program, Address* literals) {
  int64_t size = 0;
  for (int64_t i = 0; i < program.literal_count; ++i) {
    literals[i] = static_cast<Address>(size);
    size += (program.literals[i].size + literal_alignment - 1) / literal_alignment * literal_alignment;
  }
  return size;
}

int32_t copy_literals(const Calls& calls, const Ready& ready, Stream stream) {
  const DeviceProgram& program = *ready.program;
  for (int64_t i = 0; i < program.literal_count; ++i) {
    const Literal& literal = program.literals[i];
    if (literal.size == 0) continue;
    if (const int32_t status = calls(&Driver::cuMemcpyHtoDAsync, ready.literals[i], literal.data,
                                     static_cast<size_t>(literal.size), stream))
      return status;
  }
  return calls(&Driver::cuStreamSynchronize, stream);
}

int32_t upload_literals(const Calls& calls, Ready& ready, Stream stream) {
  const int64_t size = place_literals(*ready.program, ready.literals);
  if (size == 0) return TEL_OK;
  if (const int32_t status = calls.allocate(ready.memory, size)) return status;
  for (int64_t i = 0; i < ready.program->literal_count; ++i) ready.literals[i] += ready.memory;
  const int32_t status = copy_literals(calls, ready, stream);
  if (status != TEL_OK) calls.driver().cuMemFree(ready.memory);
  return status;
}

/// With the process's lock.
int32_t make_program(const Calls& calls, Device& device, const DeviceProgram& program, Stream stream,
                     const Ready*& ready) {
  const Loaded* loaded = nullptr;
  if (const int32_t status = load_code(calls, device, *program.code, loaded)) return status;
  const auto count = static_cast<size_t>(program.literal_count);
  auto* made = static_cast<Ready*>(calloc(1, sizeof(Ready) + count * sizeof(Address)));
  if (!made) return calls.no_memory();
  made->program = &program;
  made->loaded = loaded;
  made->literals = reinterpret_cast<Address*>(made + 1);
  if (const int32_t status = upload_literals(calls, *made, stream)) {
    free(made);
    return status;
  }
  push(device.ready, made);
  ready = made;
  return TEL_OK;
}

}  // namespace

const Image* best_image(const DeviceCode& code, int32_t architecture) {
  const Image* best = nullptr;
  for (int64_t i = 0; i < code.image_count; ++i) {
    const Image& image = code.images[i];
    if (runs(image, architecture) && (!best || better(image, *best))) best = &image;
  }
  return best;
}

const DeviceProgram* best_program(const Devices& devices, int32_t architecture) {
  for (int64_t i = 0; i < devices.program_count; ++i) {
    const DeviceProgram& program = devices.programs[i];
    if (program.architecture <= architecture && best_image(*program.code, architecture)) return &program;
  }
  return nullptr;
}

const Ready* find_ready(const Device& device, const DeviceProgram& program) {
  const Ready* ready = first(device.ready);
  while (ready && ready->program != &program) ready = ready->next;
  return ready;
}

int32_t make_ready(const Calls& calls, Device& device, const Devices& devices, Stream stream,
                   const Ready*& ready) {
  const DeviceProgram* program = best_program(devices, device.architecture);
  if (!program) return no_code(calls, device, devices);
  ready = find_ready(device, *program);
  if (ready) return TEL_OK;
  const Lock lock;
  ready = find_ready(device, *program);
  return ready ? static_cast<int32_t>(TEL_OK) : make_program(calls, device, *program, stream, ready);
}

void unload_code(const Driver& driver, Device& device) {
  while (Ready* ready = device.ready) {
    device.ready = ready->next;
    if (ready->memory != 0) driver.cuMemFree(ready->memory);
    free(ready);
  }
  while (Loaded* loaded = device.loaded) {
    device.loaded = loaded->next;
    driver.cuModuleUnload(loaded->module);
    free(loaded);
  }
}

}  // namespace runtime::cuda
