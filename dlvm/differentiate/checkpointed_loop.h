#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/loops.h"
#include "dlvm/ir/builder.h"

namespace dlvm {

/// A loop of calls that keeps the states before a few of its rounds on a stack
/// (dlvm/analysis/checkpoint_schedule.h). The adjoint of its header runs the rounds from the last one of
/// these states up to its own again, and leaves states on the stack where there is room. A state is what the
/// adjoint needs of the header's arguments, with what the following rounds need to compute that.
class CheckpointedLoop {
 public:
  /// Returns the loop if it has a header that calls a function with checkpoints, and no other block than the
  /// latch; else nothing, as where so few checkpoints would repeat steps more than 64 times. `count` is the
  /// argument of the header that counts the rounds from 0; `rounds` is how often the header runs at most.
  static std::optional<CheckpointedLoop> of(const Loop& loop, const Argument& count, std::int64_t rounds);

  const Loop& loop() const { return *loop_; }
  /// Returns how many states are on the stack at most in one run of the loop.
  std::int64_t most_states() const { return kept_; }

  /// Makes an argument of the header, other than the count, part of the state.
  void need(const Argument& argument);
  bool is_needed() const { return !state_.empty(); }
  /// Returns the values from outside of the loop from which the rounds compute the states.
  const std::vector<const Value*>& outside() const { return outside_; }
  /// Makes the state empty.
  void clear();

  /// Gives the value from outside of the loop where an adjoint block can use it.
  using AtHand = std::function<Value*(const Value&)>;
  /// Runs rounds again in front of `first` in the adjoint of the header, up to the one of that number. What
  /// stands from `first` on is in the returned block afterwards, where `restored` has the state.
  BasicBlock* build_adjoint(BasicBlock& adjoint, Instruction* first, Value* number, Value* stack,
                            const AtHand& at_hand);
  Value* restored(const Argument& argument) const { return restored_.at(&argument); }
  /// Then lets the loop push states. The instructions of the header are in another block afterwards.
  void build_pushes() const;

 private:
  using Values = std::vector<Value*>;
  CheckpointedLoop(const Loop& loop, const Argument& count, std::int64_t kept, std::int64_t rounds)
      : loop_(&loop), count_(&count), kept_(kept), rounds_(rounds) {}

  /// The number of a round, how many states are on the stack before it, and the number of the round before
  /// which the next one is pushed.
  struct Position {
    Value *round, *depth, *next;
  };

  Value* number(Builder& in, std::int64_t value) const;
  Type record() const;
  Value* next_after(Builder& in, Value* round, Value* end, Value* depth) const;
  void push_where_due(BasicBlock& at, BasicBlock& behind, const Position& here, const Values& state,
                      Value* end) const;
  Values run_round(Builder& in, Value* round, const Values& state, const AtHand& at_hand) const;

  const Loop* loop_;
  const Argument* count_;
  std::int64_t kept_, rounds_;
  std::vector<const Argument*> state_;
  std::unordered_set<const Value*> seen_;
  std::unordered_set<const Instruction*> run_again_;
  std::vector<const Value*> outside_;
  Value* stack_ = nullptr;
  std::unordered_map<const Argument*, Value*> restored_;
};

}  // namespace dlvm
