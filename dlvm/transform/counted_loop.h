#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// Holds the values that each round of a loop takes from the one before, and their names.
struct CarriedValues {
  std::vector<Value*> values;
  std::vector<std::string> names;
};

/// Builds a round at the builder of its loop, which it may move to other blocks: it takes the number of the
/// round (i64) and what the round before handed on, and returns what it hands on itself.
using LoopRound = std::function<std::vector<Value*>(Value*, const std::vector<Value*>&)>;

/// Builds a loop of `count` rounds at the end of the builder's block, and moves the builder behind it.
/// Returns what the last round handed on. A single round is no loop.
std::vector<Value*> build_loop(Builder& builder, const Extent& count, const CarriedValues& first,
                               const LoopRound& round);

/// Returns the extent as a value (i64).
Value* number_of(Builder& builder, const Extent& extent);

/// Moves the builder to the end of a block.
void move_to(Builder& builder, BasicBlock& block);

/// Returns the position of element `number` (i64) in a tensor of that shape, in row-major order: an index for
/// each axis.
std::vector<Value*> delinearize(Builder& builder, Value* number, std::span<const Extent> shape);

/// Moves what stands behind the instruction to a block of its own, which nothing goes to yet. Returns it.
BasicBlock* split_behind(Instruction& instruction);

}  // namespace dlvm
