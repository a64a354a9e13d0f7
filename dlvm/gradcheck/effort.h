#pragma once

#include <functional>
#include <limits>
#include <span>

#include "dlvm/interpret/value.h"
#include "dlvm/ir/function.h"

namespace dlvm {

/// The amount that is interpreted: the elements that instructions read and write, and a part of the products
/// that they sum. Unlike time it is the same on every machine.
struct Effort {
  double spent = 0;
  double limit = std::numeric_limits<double>::infinity();
  /// The largest number of terms that an instruction has summed one after the other.
  double longest_sum = 1;
  std::function<void()> before_instruction;  ///< called if it is not empty

  bool is_over() const { return spent > limit; }
  /// Adds what the instruction takes, and returns whether that is within the limit;
  /// `InterpretOptions::proceed` of the runs that the limit is for.
  bool proceed(const Instruction& instruction, std::span<const RuntimeValue> operands,
               const Extent::Bindings& dimensions);
};

}  // namespace dlvm
