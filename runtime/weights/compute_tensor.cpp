#include "runtime/weights/compute_tensor.h"

#include <stdlib.h>

#include "runtime/support/extent.h"

namespace runtime {
namespace {

int64_t size_of(const Slot& slot) {
  int64_t largest = 0;
  for (int64_t i = 0; i < slot.count; ++i)
    if (slot.sizes[i].constant > largest) largest = slot.sizes[i].constant;
  return largest;
}

}  // namespace

bool compute_tensor(const TensorFunction& function) {
  int64_t size = 0;
  for (int64_t i = 0; i < function.slot_count; ++i)
    if (!add_aligned(size, size_of(function.slots[i]))) return false;
  char* workspace = nullptr;
  if (size > 0 &&
      !(workspace = static_cast<char*>(aligned_alloc(buffer_alignment, static_cast<size_t>(size)))))
    return false;
  auto** buffers = static_cast<void**>(__builtin_alloca(sizeof(void*) * (2 + function.slot_count)));
  void** next = buffers;
  if (function.argument) *next++ = const_cast<void*>(function.argument);
  *next++ = function.result;
  int64_t used = 0;
  for (int64_t i = 0; i < function.slot_count; ++i) {
    *next++ = workspace + used;
    add_aligned(used, size_of(function.slots[i]));
  }
  const tel_execution execution{sizeof execution, TEL_SERIAL, 0, nullptr, 0, 0};
  tel_context context{0, 0, 0, &execution};
  function.compute(buffers, nullptr, &context);
  free(workspace);
  return true;
}

}  // namespace runtime
