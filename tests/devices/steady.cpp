// In the steady state a step of training on a GPU allocates nothing, in the device's memory or in the
// processor's: the stand-in counts the one, this program the other. What the stand-in allocates for itself is
// not counted.
#include <dlfcn.h>

#include <cstdio>
#include <vector>

#include "net.hpp"

static int calls = 0;
static const int* inside = nullptr;  // the stand-in's
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
static void note() { calls += !inside || *inside == 0; }
void* malloc(std::size_t size) { return note(), __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return note(), __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return note(), __libc_realloc(old, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return note(), __libc_memalign(alignment, size);
}
}

int main() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  inside = static_cast<const int*>(dlsym(library, "stand_in_inside"));
  auto* count = reinterpret_cast<std::int64_t (*)(const char*)>(dlsym(library, "stand_in_count"));
  const tel::Execution where = tel::cuda();
  const std::vector<float> values(4 * 6, 0.5f);
  const std::vector<std::int32_t> labels(6, 2);
  tel::DeviceTensor<float, tel::dynamic, 4> x({values.data(), 6}, where);
  tel::DeviceTensor<std::int32_t, tel::dynamic> label(labels, where);
  auto parameters = net::Parameters(1).to(where);
  auto constants = net::Constants(tel::zeros).to(where);
  auto gradients = net::Gradients().to(where);
  tel::Workspace workspace(net::gradient_workspace(6, {.execution = where}), where);
  int before = 0;
  std::int64_t allocated = 0, launched = 0;
  for (int i = 0; i < 6; ++i) {
    if (i == 3) allocated = count("cuMemAlloc"), launched = count("cuGraphLaunch"), before = calls;
    net::gradient({.x = x.view(), .label = label.view()}, parameters, constants, gradients, workspace);
    net::gradient({.x = x.rows(1, 4), .label = label.rows(1, 4)}, parameters, constants, gradients,
                  workspace);
    tel::add(parameters, gradients, -0.1);
    net::start_gradient({.x = x.view(), .label = label.view()}, parameters, constants, gradients, {},
                        workspace)
        .wait();
  }
  const bool steady =
      calls == before && count("cuMemAlloc") == allocated && count("cuGraphLaunch") == launched + 9;
  std::printf("%s: %d allocations of the processor's memory, %d of the device's\n", steady ? "ok" : "FAILED",
              calls - before, static_cast<int>(count("cuMemAlloc") - allocated));
  return !steady || !inside;
}
