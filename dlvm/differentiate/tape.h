#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/induction.h"
#include "dlvm/ir/builder.h"

namespace dlvm {

/// Gives adjoint blocks the values of the body that they need. A value is on the tape if it may have changed
/// between its use and the end of the body: all such values of a block are a record, which the block pushes
/// to a stack of its own and the adjoint of the block pops. The adjoints of other blocks peek at it.
class Tape {
 public:
  /// An adjoint block: its block in the body, and the counts of the loops around that block.
  struct Adjoint {
    const BasicBlock* of = nullptr;
    BasicBlock* block = nullptr;
    std::unordered_map<const Loop*, Value*> counts;
  };

  /// `exit` is the last block of the body; `count_of` the argument of each loop's header that counts the
  /// times round.
  Tape(const ControlFlow& flow, const DominatorTree& dominators, const LoopNest& loops,
       const BasicBlock& exit, const std::unordered_map<const Loop*, const Value*>& count_of);

  /// Replaces in the adjoint blocks, and in `tests`, which follow one of them, all uses of the body's values
  /// that may have changed. `tests` are the blocks in which an adjoint block goes on.
  void replace_uses(const std::vector<Adjoint>& adjoints,
                    const std::unordered_map<const BasicBlock*, std::vector<BasicBlock*>>& tests);
  /// Ends the use of the stacks.
  void destroy_stacks(Builder& builder) const;

 private:
  enum class Source : std::uint8_t { direct, count, induction, computed, taped };
  struct Found {
    Source source = Source::direct;
    const Loop* loop = nullptr;  ///< of a count or an induction variable
    Induction induction;
  };
  struct Record {
    std::vector<const Value*> values;
    std::unordered_map<const Value*, std::size_t> places;
    Value* stack = nullptr;
    Type type;
  };

  void find_components();
  bool is_unchanged(const Value& value, const BasicBlock& use) const;
  Found find(const Value& value, const BasicBlock& use) const;
  void need(const Value& value, const BasicBlock& use);
  void push_records();
  void read_record(const BasicBlock& home, const Adjoint& adjoint, Builder& builder);
  std::optional<Extent> capacity(const BasicBlock& block) const;
  Value* get(const Value& value, const Adjoint& adjoint, Builder& builder);
  Value* compute(const Instruction& instruction, const Adjoint& adjoint, Builder& builder);

  const ControlFlow& flow_;
  const DominatorTree& dominators_;
  const LoopNest& loops_;
  const BasicBlock& exit_;
  const std::unordered_map<const Loop*, const Value*>& count_of_;
  std::unordered_set<const BasicBlock*> body_;
  /// The blocks that lie on a cycle, each with the number of its strongly connected component.
  std::unordered_map<const BasicBlock*, std::size_t> cycles_;
  std::map<std::size_t, Record> records_;  ///< by the position of the block that pushes
  std::map<std::pair<const Value*, const BasicBlock*>, Value*> known_;
};

}  // namespace dlvm
