#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::cpu {

/// Describes one core, as far as the choice of a schedule depends on it. Equal targets get equal schedules.
struct CpuTarget {
  std::int64_t vector_bytes = 32;      ///< of a register; 0: there are no vectors
  std::int64_t vector_registers = 16;  ///< that a product's tile may fill
  std::int64_t line_bytes = 64;        ///< of the caches

  /// Returns how many elements of that type a vector holds.
  std::int64_t lanes(ElementType type) const { return vector_bytes / dlvm::info(type).bytes; }
};

}  // namespace codegen::schedule::cpu
