#include "codegen/schedule/gpu/target.h"

#include <array>

namespace codegen::schedule::gpu {
namespace {

// The sizes are the smallest of the class in NVIDIA's C++ Programming Guide, "Technical Specifications per
// Compute Capability": 8.6 and 12.0 have 99 KiB of shared memory a block, 8.0 has 163.
constexpr std::array classes{
    GpuTarget{.capability = 75, .shared_bytes = 64 * 1024},
    GpuTarget{.capability = 80,
              .asynchronous_copies = true,
              .matrix_instructions = true,
              .shared_bytes = 99 * 1024},
};

}  // namespace

const GpuTarget& target_of(int capability) {
  const GpuTarget* best = classes.data();
  for (const GpuTarget& target : classes)
    if (target.capability <= capability) best = &target;
  return *best;
}

}  // namespace codegen::schedule::gpu
