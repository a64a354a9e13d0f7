#pragma once

#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/loops.h"
#include "dlvm/analysis/minimum_cut.h"

namespace dlvm {

/// Chooses which values a derivative keeps and which it computes again from these: those that are kept take
/// the least memory. Elementwise instructions that cost less than a transcendental function may be computed
/// again; all else that is needed is kept. The choice is a minimum cut of the graph in which values flow from
/// those that only the tape has to those that are needed.
class LeastTape {
 public:
  explicit LeastTape(const LoopNest& loops) : loops_(loops) {}

  /// Says that the value is needed, kept or computed.
  void need(const Value& value);
  /// Adds a value on which a needed one may depend; `free` if it is never kept. Returns whether it may be
  /// computed from its operands, of which those that are not there in any case are then added.
  bool add(const Value& value, bool free);
  void add_operand(const Value& operand, const Value& user);
  /// Returns the instructions that are computed again. `blocks` are those of the function, in reverse post
  /// order. Each use of a value computes anew what other blocks have, so that the chains from block to block
  /// are short: of nested conditionals, each of which has a value made of that of the one around, some are
  /// kept.
  std::unordered_set<const Instruction*> computed_again(const std::vector<BasicBlock*>& blocks);

 private:
  /// The edge between a value's two nodes is cut where the value is kept.
  struct Nodes {
    std::size_t in = 0, out = 0;
    bool is_added = false, is_free = false, may_be_computed = false;
  };
  Nodes& nodes(const Value& value);
  void end_long_chains(const std::vector<BasicBlock*>& blocks);
  std::int64_t bytes(const Value& value) const;

  const LoopNest& loops_;
  FlowNetwork network_;
  std::unordered_map<const Value*, Nodes> nodes_;
};

}  // namespace dlvm
