#pragma once

#include <map>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// Memory in which a value of any type made of tensors can be at any number: it takes a cell for each element
/// of its tensors, in order, and one behind them where a part may have no elements, so that the value and its
/// parts have a number all the same. There is a tensor of all cells for each element type, so that no bits
/// are read as another type, and one number leads to what is in a value and to the value.
class CellMemory {
 public:
  /// Makes memory for values of these types at the builder.
  CellMemory(Module& module, Builder& builder, const std::vector<Type>& types, const Extent& cells);

  const Extent& cells() const { return cells_; }
  /// Returns the number of elements of a value.
  static Extent size(const Type& type);
  /// Returns the number of cells from a value to the next one.
  static Extent step(const Type& type);

  Value* load(Builder& builder, const Type& type, Value* at) const;
  void store(Builder& builder, Value* value, Value* at) const;
  /// Copies `count` values of that type from one number to another, as if all were read before.
  void copy(Builder& builder, const Type& type, Value* from, Value* to, Value* count) const;

 private:
  Value* whole(Builder& builder, ElementType element) const;
  Value* load_tensor(Builder& builder, const Type& type, Value* at) const;
  void store_tensor(Builder& builder, Value* value, Value* at) const;

  Module& module_;
  Extent cells_;
  std::map<ElementType, Value*> memory_;
};

/// Returns the pointer to a cell in a tensor of all.
Value* cell_pointer(Builder& builder, Value* memory, Value* at);
/// Returns the cell at a number behind that one.
Value* cell_behind(Builder& builder, Value* at, const Extent& by);

}  // namespace dlvm
