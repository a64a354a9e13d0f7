#pragma once

#include <cstdint>

namespace codegen::schedule::gpu {

/// What schedules know of a GPU. Chips of equal capabilities get equal schedules.
struct Chip {
  int architecture = 75;             ///< the least that has all of this: 80 for sm_80
  bool asynchronous_copies = false;  ///< from global to shared memory, 4, 8 or 16 bytes each
  bool tensor_cores = false;         ///< products of f16, bf16 and tf32, summed in f32
  std::int64_t shared_memory = 0;    ///< bytes that a block may have
};

/// Of the chips from this architecture on, up to the next class.
const Chip& chip_of(int architecture);

}  // namespace codegen::schedule::gpu
