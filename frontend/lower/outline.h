// A part of a function's body as a function of its own.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "dlvm/ir/function.h"

namespace frontend::lower {

/// The part of a body that computes a value from others, up to an instruction: what depends on them, with all
/// that stands between them and the instruction. Values that do not depend on them are taken from outside.
///
/// A value stands for what it is when the instruction is reached. Of a loop in which both stand, only the
/// round at hand is looked at.
class Outline {
 public:
  enum class Problem : std::uint8_t {
    none,
    independent,  ///< the value does not depend on them
    through_loop  ///< it does through earlier rounds of a loop in which the instruction stands, but they do
                  ///< not
  };
  /// What is differentiated by must stand in one block. An instruction in `same` is taken for its operand.
  Outline(dlvm::Function& function, const dlvm::Instruction& place, std::vector<dlvm::Value*> by,
          const std::unordered_set<dlvm::Instruction*>& same);
  ~Outline();
  Outline(const Outline&) = delete;
  Outline& operator=(const Outline&) = delete;

  /// Finds the part that computes the value.
  Problem find(dlvm::Value* value);
  /// Returns the values that the part takes: first those to differentiate by, then those from outside.
  const std::vector<dlvm::Value*>& arguments() const;
  /// Builds the part in a function with these parameters, which returns the value.
  void build(dlvm::Function& function) const;

 private:
  class Part;
  friend class PartBuilder;
  std::unique_ptr<Part> part_;
};

}  // namespace frontend::lower
