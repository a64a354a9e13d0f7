// The explicit forms allocate nothing: malloc and its kin, mmap and pthread_create are counted.
#include "mlp.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

#include <vector>

#include "check.h"

static int calls = 0;
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) { return ++calls, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++calls, __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return ++calls, __libc_realloc(old, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return ++calls, __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  *result = __libc_memalign(alignment, size);
  return ++calls, 0;
}
void* mmap(void*, std::size_t, int, int, int, off_t) noexcept { return ++calls, MAP_FAILED; }
int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept { return ++calls, 1; }
}

int main() {
  const mlp::Parameters parameters(1);
  mlp::Gradients gradients;
  std::vector<float> x(7 * 784, 1.0f);
  const std::vector<std::int32_t> labels(7, 3);
  tel::Workspace workspace(mlp::gradient_workspace(7));
  tel::Tensor<float, tel::dynamic, 10> y(7);
  CHECK(calls > 0);
  calls = 0;
  for (int i = 0; i < 3; ++i) {
    mlp::forward({.x = {x.data(), 7}}, parameters, workspace);
    mlp::forward({.x = {x.data(), 7}}, parameters, {.y = y}, workspace);
    mlp::gradient({.x = {x.data(), 7}, .label = labels}, parameters, gradients, workspace);
    mlp::gradient({.x = {x.data(), 7}, .label = labels}, parameters, gradients, {.y = y}, workspace);
  }
  CHECK(calls == 0);
  mlp::forward({.x = {x.data(), 7}}, parameters);
  CHECK(calls > 0);
}
