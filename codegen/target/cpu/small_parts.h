#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "codegen/schedule/ir/scheduled_program.h"

namespace codegen::target::cpu {

/// The small parts of loops: their kernels are copied into the compute function, and the values of few
/// elements that they pass to each other are variables of it, so that LLVM makes one loop of them, whose
/// carried values are in registers. A loop whose copies would be too long has calls instead; the loops inside
/// of it may still be copied.
class SmallParts {
 public:
  explicit SmallParts(const schedule::ScheduledProgram& scheduled);

  std::set<const kernel::Launch*> inlined;
  std::set<kernel::ValueId> variables;

 private:
  void add_loop(const kernel::Scope& loop);
  void add_variable(kernel::ValueId id);
  void add_exchanged();
  bool inline_if_fits(const std::vector<const kernel::Launch*>& launches);

  const schedule::ScheduledProgram& scheduled_;
  std::vector<std::optional<std::int64_t>> sizes_;  ///< the estimated instructions of kernels that are small
  std::int64_t copied_ = 0;                         ///< the estimated instructions of all copies
};

}  // namespace codegen::target::cpu
