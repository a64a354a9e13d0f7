#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::cpu {

/// The properties of a core on which the choice of a schedule depends. Equal targets get equal schedules.
struct CpuTarget {
  std::int64_t vector_bytes = 32;             ///< the size of a vector register; 0 if there are none
  std::int64_t vector_registers = 16;         ///< the registers that a product's tile may fill
  std::int64_t line_bytes = 64;               ///< the size of a cache line
  std::int64_t first_cache_bytes = 32 << 10;  ///< the size of the cache of data nearest to a core

  /// Returns the number of elements of that type in a vector.
  std::int64_t lanes(ElementType type) const { return vector_bytes / dlvm::info(type).bytes; }
};

}  // namespace codegen::schedule::cpu
