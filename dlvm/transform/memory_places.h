// Memory that has been split into memory of tensors (memory_splitting.h), and what pointers into it point to.
#pragma once

#include <vector>

#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"

namespace dlvm {

struct SplitMemory {
  Instruction* allocation = nullptr;
  Extent count = 1;
  PointerUses uses;
  std::vector<Value*> tensors;  ///< pointers to them
};

/// The target of a pointer: some of the tensors, at a position in each.
struct Place {
  const SplitMemory* memory = nullptr;
  Type type;
  std::size_t tensor = 0;      ///< the first of its tensors
  std::vector<PathStep> path;  ///< into each of them
  bool is_list = false;        ///< the value is one of several, which are behind it
  PathStep first = {};         ///< the value's number in that list
};

/// Appends the tensors of a type; `axes` are those of the values and the arrays around it.
void append_tensors(const Type& type, Shape axes, std::vector<Type>& tensors);

/// Return the place of an allocation, and of an elementPointer that is made of a pointer to `place`.
Place place_of(const SplitMemory& memory);
Place place_of(const Instruction& element_pointer, Place place);
/// Goes from the list to the value in it. The only value of an allocation is no list.
void enter(Place& place);

/// Load and store the value at a place that is no list.
Value* load(Builder& b, const Place& place);
void store(Builder& b, Value* value, const Place& place);
/// Stores `count` values of the source in the target, and fails where there are fewer.
void copy(Builder& b, const Place& source, const Place& target, Value* count);

/// Returns a builder of instructions before this one, with its locations.
Builder builder_before(const Instruction& instruction);

}  // namespace dlvm
