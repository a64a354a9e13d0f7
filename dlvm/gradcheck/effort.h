#pragma once

#include <functional>
#include <span>

#include "dlvm/interpret/value.h"
#include "dlvm/ir/function.h"

namespace dlvm {

/// The amount that was interpreted: the elements that instructions read and wrote, and a part of the products
/// that they summed. Unlike time it is the same on every machine. It is an observer of `interpret`.
struct Effort {
  double spent = 0;
  std::function<void()> after_instruction;  ///< called if it is not empty

  void observe(const Instruction& instruction, std::span<const RuntimeValue> operands,
               const RuntimeValue& result);
};

}  // namespace dlvm
