// The stacks of a function that can be numbers of stacks in a pool: see dlvm/transform/stack_numbering.h.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// The stacks that may meet: one of them is what a block takes, or what is on a stack or in a tuple.
struct StackPool {
  /// One `createStack`.
  struct Stack {
    Instruction* instruction = nullptr;
    Extent capacity;
    std::int64_t runs = 1;  ///< at most so often in a call of the function
    bool repeats = false;   ///< it is in a loop
  };
  std::vector<Stack> stacks;
  std::vector<Instruction*> accesses;  ///< what pushes, peeks and pops, in the order of the function
  std::vector<Type> types;             ///< of what is on the stacks, with numbers in the place of stacks
};

/// The pools of a function.
class NumberedStacks {
 public:
  static constexpr ElementType number = ElementType::i64;

  /// Finds the pools. There are none where no stacks meet, where the function does something with them that
  /// numbers cannot do, or where there may be too many.
  explicit NumberedStacks(Function& function);

  bool empty() const { return pools_.empty(); }
  const std::vector<StackPool>& pools() const { return pools_; }
  /// Returns whether the value is a stack in a pool.
  bool is_numbered(const Value& stack) const;
  /// Returns the type of a value that holds stacks, with numbers in the place of these, and tuples in the
  /// place of structs.
  static Type mapped(const Type& type);
  static bool holds_stack(const Type& type);

 private:
  const Value* root(const Value* stack) const;
  void join(const Value* left, const Value* right);
  bool can_be_numbered() const;
  void find_meetings();
  bool find_pools();

  Function& function_;
  std::unordered_map<const Value*, const Value*>
      parents_;                                            ///< of stacks that meet; null is all that are held
  std::unordered_map<const Value*, std::size_t> pool_of_;  ///< by root
  std::vector<StackPool> pools_;
};

}  // namespace dlvm
