#include <stdlib.h>
#include <string.h>

#include "runtime/entry.h"
#include "runtime/support/arithmetic.h"
#include "runtime/support/extent.h"
#include "runtime/support/text.h"

namespace runtime {
namespace {

int64_t size_of(const Slot& slot) {
  int64_t largest = 0;
  for (int64_t i = 0; i < slot.count; ++i)
    if (slot.sizes[i].constant > largest) largest = slot.sizes[i].constant;
  return largest;
}

/// The initializer's workspace in bytes, a multiple of 64; false where it cannot be held.
bool workspace_of(const Initializer& initializer, int64_t& total) {
  total = 0;
  for (int64_t i = 0; i < initializer.slot_count; ++i)
    if (!add_aligned(total, size_of(initializer.slots[i]))) return false;
  return true;
}

void compute(const Initializer& initializer, void* result, char* workspace, uint64_t seed) {
  uint64_t key = seed + initializer.stream;
  const int64_t count = initializer.argument_count + 1 + initializer.slot_count;
  auto** buffers = static_cast<void**>(__builtin_alloca(sizeof(void*) * count));
  void** next = buffers;
  if (initializer.argument_count) *next++ = &key;
  *next++ = result;
  int64_t used = 0;
  for (int64_t i = 0; i < initializer.slot_count; ++i) {
    *next++ = workspace + used;
    add_aligned(used, size_of(initializer.slots[i]));
  }
  const tel_execution execution{sizeof execution, TEL_SERIAL, 0, nullptr, 0, 0};
  tel_context context{0, 0, 0, &execution};
  initializer.compute(buffers, nullptr, &context);
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
    int64_t size;
    char* workspace = nullptr;
    if (!workspace_of(initializer, size) ||
        (size > 0 &&
         !(workspace = static_cast<char*>(aligned_alloc(buffer_alignment, static_cast<size_t>(size)))))) {
      Failure failure(error, TEL_MEMORY, tensors.name);
      failure.text() << "no memory for the initial value of '" << tensors.tensors[i].name << "'";
      return failure;
    }
    compute(initializer, static_cast<char*>(store) + tensors.offsets[i], workspace, seed);
    free(workspace);
  }
  return success(error);
}
