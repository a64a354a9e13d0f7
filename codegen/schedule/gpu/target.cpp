#include "codegen/schedule/gpu/target.h"

#include <array>

namespace codegen::schedule::gpu {
namespace {

// Sizes: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", the smallest of the
// class (sm_86 and sm_120 have 99 KiB a block, sm_80 has 163).
constexpr std::array classes{
    GpuTarget{.capability = 75, .shared_bytes = 64 * 1024},
    GpuTarget{.capability = 80,
              .asynchronous_copies = true,
              .matrix_instruction = MatrixInstruction{},
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
