#include <string.h>

#include "runtime/entry.h"
#include "runtime/support/arithmetic.h"
#include "runtime/support/text.h"
#include "runtime/weights/compute_tensor.h"

namespace runtime {
namespace {

/// Computes one initial value. Returns false if there is no memory for the workspace.
bool compute(const Initializer& initializer, void* result, uint64_t seed) {
  uint64_t key = seed + initializer.stream;
  return compute_tensor({initializer.compute, initializer.argument_count ? &key : nullptr, result,
                         initializer.slot_count, initializer.slots});
}

}  // namespace
}  // namespace runtime

using namespace runtime;

extern "C" int32_t tel_initialize(const Initializers* initializers, void* store, uint64_t seed,
                                  tel_error* error) {
  const Store& tensors = *initializers->store;
  if (!store || reinterpret_cast<uintptr_t>(store) % buffer_alignment != 0) {
    Failure failure(error, TEL_INVALID_ARGUMENT, tensors.name);
    failure.text() << (store ? "the memory is not aligned to 64 bytes" : "the pointer is null");
    return failure;
  }
  const DefaultArithmetic arithmetic;
  memset(store, 0, static_cast<size_t>(tensors.size));
  for (int64_t i = 0; i < tensors.count; ++i) {
    const Initializer& initializer = initializers->initializers[i];
    if (!compute(initializer, static_cast<char*>(store) + tensors.offsets[i], seed)) {
      Failure failure(error, TEL_MEMORY, tensors.name);
      failure.text() << "no memory for the initial value of '" << tensors.tensors[i].name << "'";
      return failure;
    }
  }
  return success(error);
}
