#pragma once

#include <optional>
#include <unordered_map>

#include "dlvm/analysis/loops.h"

namespace dlvm {

/// The numbers of rounds of loops that are known exactly, where `Bounds` knows upper bounds. They hold for
/// dimensions up to `max_dimension`. The blocks must stay as they were when the analyses were made.
class TripCounts {
 public:
  TripCounts(const ControlFlow& flow, const LoopNest& loops) : flow_(flow), loops_(loops) {}

  /// Returns how many times the loop goes round each time it is entered. It is known of loops that are left
  /// in one place, in the header, where a counter is compared. Nothing where it is no extent.
  std::optional<Extent> rounds(const Loop& loop) { return left_ = max_values, find_rounds(loop); }
  /// Returns what an integer scalar is whenever `at` begins, or is passed to it: behind a loop, what it
  /// carried last. Nothing where that is no extent, or not always the same one.
  std::optional<Extent> value(const Value& value, const BasicBlock& at) {
    return left_ = max_values, find(value, at);
  }

 private:
  static constexpr int max_values = 1000;  ///< that an answer may cost

  std::optional<Extent> find_rounds(const Loop& loop);
  std::optional<Extent> find(const Value& value, const BasicBlock& at);
  std::optional<Extent> of_argument(const Argument& argument, const BasicBlock& at);
  std::optional<Extent> of_instruction(const Instruction& instruction, const BasicBlock& at);
  std::optional<Extent> rounds_while(const Value& test, bool holds, const Loop& loop);

  const ControlFlow& flow_;
  const LoopNest& loops_;
  std::unordered_map<const Loop*, std::optional<Extent>> rounds_;
  int left_ = 0;
};

}  // namespace dlvm
