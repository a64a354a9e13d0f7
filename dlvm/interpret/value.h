#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dlvm/ir/tensor.h"

namespace dlvm {

struct RuntimeStack;

/// A concrete value: a tensor, a tuple of values, or a stack. Cheap to copy (contents are shared), and
/// immutable but for the contents of a stack.
class RuntimeValue {
 public:
  /// Makes the empty tuple.
  RuntimeValue() = default;
  RuntimeValue(Tensor tensor)  // NOLINT: a tensor is a value
      : tensor_(std::make_shared<const Tensor>(std::move(tensor))) {}
  RuntimeValue(std::vector<RuntimeValue> elements)  // NOLINT: so is a tuple
      : elements_(std::make_shared<const std::vector<RuntimeValue>>(std::move(elements))) {}

  RuntimeValue(std::shared_ptr<RuntimeStack> stack) : stack_(std::move(stack)) {}  // NOLINT

  bool is_tensor() const { return tensor_ != nullptr; }
  bool is_stack() const { return stack_ != nullptr; }
  const Tensor& tensor() const { return *tensor_; }
  /// Returns the elements of a tuple; there are none if it is empty.
  std::span<const RuntimeValue> elements() const {
    if (elements_ == nullptr) return {};
    return *elements_;
  }
  RuntimeStack& stack() const { return *stack_; }

 private:
  std::shared_ptr<const Tensor> tensor_;
  std::shared_ptr<RuntimeStack> stack_;
  std::shared_ptr<const std::vector<RuntimeValue>> elements_;
};

/// What is on a stack; the last value is on top.
struct RuntimeStack {
  std::vector<RuntimeValue> values;
  std::optional<std::int64_t> capacity;  ///< the largest number of values, where it is bounded
};

}  // namespace dlvm
