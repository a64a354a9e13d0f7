#pragma once

#include <unordered_map>
#include <vector>

#include "dlvm/analysis/liveness.h"

namespace dlvm {

/// When the values of a body are needed for the last time, whatever way a run takes.
class LastUses {
 public:
  explicit LastUses(const Function& function);

  /// Returns the operands that nothing uses after the instruction.
  const std::vector<const Value*>& at(const Instruction& instruction) const;
  /// Returns the values of other blocks that are used in the block or behind it; null if the body is one
  /// block.
  const Liveness::Values* live_in(const BasicBlock& block) const;

 private:
  void add(const BasicBlock& block, const Liveness::Values& live_out);

  std::unordered_map<const Instruction*, std::vector<const Value*>> last_;
  std::unordered_map<const BasicBlock*, Liveness::Values> live_in_;
};

}  // namespace dlvm
