#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dlvm/ir/tensor.h"

namespace dlvm {

/// A concrete value: a tensor, or a tuple of values. Immutable and cheap to copy (contents are shared).
class RuntimeValue {
 public:
  /// Makes the empty tuple.
  RuntimeValue() = default;
  RuntimeValue(Tensor tensor)  // NOLINT: a tensor is a value
      : tensor_(std::make_shared<const Tensor>(std::move(tensor))) {}
  RuntimeValue(std::vector<RuntimeValue> elements)  // NOLINT: so is a tuple
      : elements_(std::make_shared<const std::vector<RuntimeValue>>(std::move(elements))) {}

  bool is_tensor() const { return tensor_ != nullptr; }
  const Tensor& tensor() const { return *tensor_; }
  /// Returns the elements of a tuple; there are none if it is empty.
  std::span<const RuntimeValue> elements() const {
    if (elements_ == nullptr) return {};
    return *elements_;
  }

 private:
  std::shared_ptr<const Tensor> tensor_;
  std::shared_ptr<const std::vector<RuntimeValue>> elements_;
};

}  // namespace dlvm
