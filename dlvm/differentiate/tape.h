#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/bounds.h"
#include "dlvm/differentiate/checkpointed_loop.h"
#include "dlvm/ir/builder.h"

namespace dlvm {

/// Gives adjoint blocks the values of the body that they need. A value is on the tape if it may have changed
/// between its use and the end of the body: all such values of a block are a record, which the block pushes
/// to a stack of its own and the adjoint of the block pops. The adjoints of other blocks peek at it. Of what
/// the header of a loop with checkpoints takes, the tape has that of a few rounds (checkpointed_loop.h).
class Tape {
 public:
  /// An adjoint block: its block in the body, and the counts of the loops around that block.
  struct Adjoint {
    const BasicBlock* of = nullptr;
    BasicBlock* block = nullptr;
    std::unordered_map<const Loop*, Value*> counts;
  };

  /// `exit` is the last block of the body; `count_of` the argument of each loop's header that counts the
  /// iterations.
  Tape(const ControlFlow& flow, const DominatorTree& dominators, const LoopNest& loops,
       const BasicBlock& exit, const std::unordered_map<const Loop*, const Value*>& count_of);

  /// Replaces in the adjoint blocks, and in `tests`, which follow one of them, all uses of the body's values
  /// that may have changed. `tests` are the blocks in which an adjoint block goes on.
  void replace_uses(const std::vector<Adjoint>& adjoints,
                    const std::unordered_map<const BasicBlock*, std::vector<BasicBlock*>>& tests);
  /// Ends the use of the stacks.
  void destroy_stacks(Builder& builder) const;

 private:
  /// `direct`: the value itself. `restored`: from a checkpoint. `passed`: what the next block's adjoint has
  /// for its argument.
  enum class Source : std::uint8_t { direct, count, induction, restored, computed, passed, taped };
  struct Found {
    Source source = Source::direct;
    const Loop* loop = nullptr;  ///< of a count or an induction variable
    Induction induction;
    const Argument* argument = nullptr;  ///< as which the value was passed
  };
  /// An adjoint block, and where what is read from the tape is put.
  struct Place {
    const Adjoint* adjoint = nullptr;
    BasicBlock* block = nullptr;
    Instruction* before = nullptr;
  };
  struct Record {
    std::vector<const Value*> values;
    std::unordered_map<const Value*, std::size_t> places;
    Value* stack = nullptr;
    Type type;
  };

  void find_components();
  void find_short_chains();
  void find_checkpointed_loops();
  bool is_unchanged(const Value& value, const BasicBlock& use) const;
  Found find(const Value& value, const BasicBlock& use) const;
  bool is_at_hand(const Instruction& instruction, const BasicBlock& use) const;
  const Argument* passed_as(const Value& value, const BasicBlock& use) const;
  void need(const Value& value, const BasicBlock& use);
  void find_least_tape();
  void push_records();
  Value* create_stack(std::optional<Extent> capacity);
  Value* create_stack_of(const BasicBlock& block);
  void restore_states();
  void read_record(const BasicBlock& home, const BasicBlock& use);
  Value* get(const Value& value, const BasicBlock& use);
  Value* compute(const Instruction& instruction, const BasicBlock& use);
  Builder builder_at(const BasicBlock& use) const;

  const ControlFlow& flow_;
  const DominatorTree& dominators_;
  const LoopNest& loops_;
  Bounds bounds_;
  const BasicBlock& exit_;
  const std::unordered_map<const Loop*, const Value*>& count_of_;
  std::unordered_set<const BasicBlock*> body_;
  /// The blocks that lie on a cycle, each with the number of its strongly connected component.
  std::unordered_map<const BasicBlock*, std::size_t> cycles_;
  std::unordered_set<const Instruction*> is_short_;
  std::unordered_set<const Instruction*> computed_again_;  ///< and so need not be on the tape
  mutable std::map<std::pair<const Value*, const BasicBlock*>, bool> at_hand_;
  std::set<std::pair<const Value*, const BasicBlock*>> needed_;
  /// Values that are on the tape whatever is passed; null while they are being found.
  std::unique_ptr<std::unordered_set<const Value*>> surely_taped_;
  std::map<std::size_t, Record> records_;                 ///< by the position of the block that pushes
  std::map<std::size_t, CheckpointedLoop> checkpointed_;  ///< by the position of the header
  std::vector<Value*> stacks_;
  std::map<std::pair<const Value*, const BasicBlock*>, Value*> known_;
  std::unordered_map<const BasicBlock*, Place> places_;
};

}  // namespace dlvm
