#include "codegen/schedule/gpu/chip.h"

#include <array>

namespace codegen::schedule::gpu {
namespace {

// Sizes: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", the least of the
// class (sm_86 and sm_120 have 99 KiB a block, sm_80 has 163).
constexpr std::array classes{
    // architecture, copies, tensor cores, shared memory
    Chip{75, false, false, 64 * 1024},
    Chip{80, true, true, 99 * 1024},
};

}  // namespace

const Chip& chip_of(int architecture) {
  const Chip* best = classes.data();
  for (const Chip& chip : classes)
    if (chip.architecture <= architecture) best = &chip;
  return *best;
}

}  // namespace codegen::schedule::gpu
