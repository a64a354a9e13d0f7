#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/dominators.h"

namespace dlvm {

/// The dominance frontier of each block: the blocks that it does not strictly dominate, with a predecessor
/// that it dominates (Cytron et al.: Efficiently Computing Static Single Assignment Form and the Control
/// Dependence Graph, 1991). Blocks that the entry does not reach have none, and are in none.
class DominanceFrontiers {
 public:
  explicit DominanceFrontiers(const ControlFlow& flow);

  const ControlFlow& flow() const { return flow_; }
  const DominatorTree& dominators() const { return dominators_; }
  /// Returns the blocks where what these blocks define meets other definitions, one at the entry included:
  /// their iterated frontier.
  std::unordered_set<const BasicBlock*> iterated(std::vector<const BasicBlock*> blocks) const;

 private:
  const ControlFlow& flow_;
  const DominatorTree dominators_;
  std::unordered_map<const BasicBlock*, std::vector<const BasicBlock*>> frontiers_;
};

}  // namespace dlvm
