#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dlvm/ir/tensor.h"

namespace dlvm {

class Function;
struct MemoryPointer;
struct RuntimeStack;

/// A concrete value: a tensor, an aggregate of values (a tuple, array or struct), a case of an enum with its
/// payload, a pointer or box, a stack, or a function. Cheap to copy (contents are shared), and immutable but
/// for the contents of a stack.
class RuntimeValue {
 public:
  /// Makes the empty tuple, which is also the null pointer, an enum of no case and an undefined function.
  RuntimeValue() = default;
  RuntimeValue(Tensor tensor)  // NOLINT: a tensor is a value
      : tensor_(std::make_shared<const Tensor>(std::move(tensor))) {}
  RuntimeValue(std::vector<RuntimeValue> elements);  // NOLINT: so is an aggregate
  /// Makes a value of the case at that position.
  static RuntimeValue enumerator(std::int64_t enum_case, std::vector<RuntimeValue> payload);
  static RuntimeValue pointer(std::shared_ptr<const MemoryPointer> pointer);
  static RuntimeValue function(const Function* function);

  RuntimeValue(std::shared_ptr<RuntimeStack> stack) : stack_(std::move(stack)) {}  // NOLINT

  bool is_tensor() const { return tensor_ != nullptr; }
  bool is_stack() const { return stack_ != nullptr; }
  const Tensor& tensor() const { return *tensor_; }
  /// Returns the components of an aggregate or the payload of an enum; there are none if it is empty.
  std::span<const RuntimeValue> elements() const;
  /// Returns the position of the case of an enum, or -1.
  std::int64_t enum_case() const;
  /// Returns where a pointer or box points, or null.
  const MemoryPointer* pointer() const { return pointer_.get(); }
  RuntimeStack& stack() const { return *stack_; }
  /// Returns the function that the value is, or null.
  const Function* function() const { return function_; }
  /// Returns the size of all tensors in it; one that is there several times counts each time. It is at most
  /// `most_bytes`.
  std::int64_t byte_count() const;
  static constexpr std::int64_t most_bytes = std::int64_t{1} << 60;

 private:
  struct Aggregate;
  std::shared_ptr<const Tensor> tensor_;
  std::shared_ptr<const Aggregate> aggregate_;
  std::shared_ptr<const MemoryPointer> pointer_;
  std::shared_ptr<RuntimeStack> stack_;
  const Function* function_ = nullptr;
};

/// The values on a stack; the last one is on top.
struct RuntimeStack {
  std::vector<RuntimeValue> values;
  std::optional<std::int64_t> capacity;  ///< the largest number of values, where it is bounded
  bool zeros_below = false;              ///< an empty one gives zeros
};

}  // namespace dlvm
