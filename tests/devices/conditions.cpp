// A network with loops whose conditions the device decides. The stand-in's kernels of networks do nothing, so
// in memory of zeros every condition is false; what counts is that the graph is made, launched and kept.
#include <dlfcn.h>

#include <cstdio>
#include <vector>

#include "control_flow.hpp"

int main() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  auto* count = reinterpret_cast<std::int64_t (*)(const char*)>(dlsym(library, "stand_in_count"));
  auto* clear = reinterpret_cast<void (*)(void*, std::size_t)>(dlsym(library, "stand_in_clear"));
  auto* complaints = reinterpret_cast<std::int32_t (*)()>(dlsym(library, "stand_in_complaints"));
  const tel::Execution where = tel::cuda();
  const std::vector<float> values(5000, 0.5f);
  std::vector<float> y(5000);
  const std::size_t bytes = control_flow::repeat_workspace(5000, {.execution = where});
  tel::Workspace workspace(bytes, where);
  clear(workspace.data(), bytes);
  for (int i = 0; i < 3; ++i) control_flow::repeat({.x = values, .count = 3}, {.y = y}, workspace);
  const bool good = count("cuGraphLaunch") == 2 && count("cuGraphInstantiate") == 1 &&
                    count("cuGraphAddNode") == 3 && complaints() == 0;
  std::printf("%s: %d conditional nodes\n", good ? "ok" : "FAILED",
              static_cast<int>(count("cuGraphAddNode")));
  return !good;
}
