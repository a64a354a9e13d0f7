#include "runtime/cuda/images.h"

#include <stdlib.h>

#include "runtime/support/unpack.h"

namespace runtime::cuda {
namespace {

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

/// The unpacked bytes of an image, for the lifetime of an object; null where there is no memory for them.
class ImageBytes {
 public:
  explicit ImageBytes(const Image& image) : data_(image.data) {
    if (image.packed == 0) return;
    data_ = memory_ = malloc(static_cast<size_t>(image.size));
    damaged_ = memory_ && !unpack(image.data, image.packed, memory_, image.size);
  }
  ~ImageBytes() { free(memory_); }
  ImageBytes(const ImageBytes&) = delete;
  ImageBytes& operator=(const ImageBytes&) = delete;
  const void* data() const { return data_; }
  /// Whether the bytes in the object are not what the compiler packed.
  bool damaged() const { return damaged_; }

 private:
  const void* data_;
  bool damaged_ = false;
  void* memory_ = nullptr;
};

/// Whether the driver refuses the image itself, so that another image may do.
bool is_refusal(Code code) {
  constexpr Code refusals[] = {
      200,  // CUDA_ERROR_INVALID_IMAGE
      209,  // CUDA_ERROR_NO_BINARY_FOR_GPU
      218,  // CUDA_ERROR_INVALID_PTX
      221,  // CUDA_ERROR_JIT_COMPILER_NOT_FOUND
      222,  // CUDA_ERROR_UNSUPPORTED_PTX_VERSION
      223,  // CUDA_ERROR_JIT_COMPILATION_DISABLED
      300,  // CUDA_ERROR_INVALID_SOURCE
  };
  for (const Code refusal : refusals)
    if (code == refusal) return true;
  return false;
}

}  // namespace

int32_t load_part(const Calls& calls, const Image& part, Module& module, Text& refusals, const char* before) {
  char what[32], log[256] = "";
  Text name(what, sizeof what);
  write_image(name, part);
  const LoadOption options[] = {error_log, error_log_size};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log - 1)};
  const ImageBytes bytes(part);
  if (!bytes.data()) return calls.no_memory();
  if (bytes.damaged()) {
    Failure failure = calls.fail(TEL_DEVICE);
    failure.text() << "the object's code for " << what << " is damaged";
    return failure;
  }
  const Code code = calls.driver().cuModuleLoadDataEx(&module, bytes.data(), 2, options, values);
  if (!is_refusal(code)) return calls.result(code, &Driver::cuModuleLoadDataEx, what, log[0] ? log : nullptr);
  module = nullptr;
  calls.write_code(refusals << before << what << ": ", code);
  if (log[0]) refusals << ": " << log;
  return TEL_OK;
}

namespace {

/// Loads all parts of an image, or none of them.
int32_t load_image(const Calls& calls, const Image& image, Loaded& loaded, Text& refusals) {
  for (const Image* part = &image; part; part = part->beside) {
    Module& module = loaded.modules[loaded.module_count];
    module = nullptr;
    const int32_t status = load_part(calls, *part, module, refusals, loaded.refusals[0] ? "; " : "");
    if (status != TEL_OK || !module) {
      unload_modules(calls.driver(), loaded);
      return status;
    }
    ++loaded.module_count;
  }
  loaded.image = &image;
  return TEL_OK;
}

}  // namespace

void write_image(Text& text, const Image& image) {
  if (image.kind == image_ptx) text << "PTX for ";
  text << "sm_" << int64_t{image.architecture};
  if (image.specific) text << 'a';
}

const Image* next_image(const DeviceCode& code, int32_t architecture, const Image* last) {
  const Image* best = nullptr;
  for (int64_t i = 0; i < code.image_count; ++i) {
    const Image& image = code.images[i];
    if (!runs(image, architecture) || (last && !better(*last, image))) continue;
    if (!best || better(image, *best)) best = &image;
  }
  return best;
}

int64_t max_parts(const DeviceCode& code) {
  int64_t most = 0;
  for (int64_t i = 0; i < code.image_count; ++i) {
    int64_t count = 0;
    for (const Image* part = &code.images[i]; part; part = part->beside) ++count;
    if (count > most) most = count;
  }
  return most;
}

int32_t load_modules(const Calls& calls, const Device& device, Loaded& loaded) {
  Text refusals(loaded.refusals, sizeof loaded.refusals);
  const Image* image = nullptr;
  while (!loaded.image && (image = next_image(*loaded.code, device.architecture, image)) != nullptr)
    if (const int32_t status = load_image(calls, *image, loaded, refusals)) return status;
  return TEL_OK;
}

void unload_modules(const Driver& driver, Loaded& loaded) {
  while (loaded.module_count > 0) driver.cuModuleUnload(loaded.modules[--loaded.module_count]);
  loaded.image = nullptr;
}

}  // namespace runtime::cuda
