#pragma once

#include <stddef.h>
#include <sys/mman.h>

namespace runtime::emulator {

/// Returns zeroed memory for `count` elements, which the system provides on first access, or null if there is
/// none.
template <typename T>
T* map(size_t count) {
  void* memory = mmap(nullptr, count * sizeof(T) + 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

template <typename T>
void unmap(T* memory, size_t count) {
  if (memory) munmap(memory, count * sizeof(T) + 1);
}

/// Sets the elements to zero again.
template <typename T>
void clear(T* memory, size_t count) {
  if (memory) madvise(memory, count * sizeof(T) + 1, MADV_DONTNEED);
}

}  // namespace runtime::emulator
