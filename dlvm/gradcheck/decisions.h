#pragma once

#include <cstdint>
#include <span>

#include "dlvm/interpret/value.h"
#include "dlvm/ir/function.h"

namespace dlvm {

/// A fingerprint of every choice that an evaluation made: comparisons, the sides of `abs`, `min` and `max`,
/// positions of extrema, steps, integers. Two evaluations with the same one took the same smooth piece of the
/// function; between points with different ones there is a kink or a jump. An observer of `interpret`.
class Decisions {
 public:
  void observe(const Instruction& instruction, std::span<const RuntimeValue> operands,
               const RuntimeValue& result);
  std::uint64_t fingerprint() const { return hash_; }

 private:
  void add(std::uint64_t word);
  void add_elements(const Tensor& tensor);
  /// Adds which elements of the input are a result of a reduction of windows.
  void add_extrema(const Tensor& input, const Tensor& results);

  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace dlvm
