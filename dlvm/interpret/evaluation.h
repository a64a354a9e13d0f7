#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dlvm/interpret/interpret.h"
#include "dlvm/interpret/memory.h"
#include "dlvm/ir/elements.h"

/// One instruction's evaluation. The value of a terminator is the number of the successor that follows (i64),
/// or, where there are none, the result of the function. The rules (`rules::add` …) are one function an
/// instruction, declared from the list of instructions, so that a missing one does not link; the families
/// have a file each.
namespace dlvm::evaluation {

using namespace elements;

using Outcome = std::optional<RuntimeValue>;
using Extents = std::vector<std::int64_t>;
using Caller = std::function<Outcome(const Function&, std::vector<RuntimeValue>, InterpretError&)>;

/// The context of a rule. Operands already have the interpreted element types (f64 in float64 mode).
struct Evaluation {
  const Instruction& instruction;
  std::span<const RuntimeValue> operands;
  const Extent::Bindings& dimensions;
  bool float64 = false;
  std::int64_t byte_limit = 0;
  const Caller& call;
  InterpretError error = {};
  Memory* memory = nullptr;  ///< of the run; null where constants are folded

  const Tensor& operand(std::size_t i) const { return operands[i].tensor(); }
  std::nullopt_t fail(InterpretError::Kind kind, std::string text);
  /// Returns the interpreted type of elements of type `type`.
  ElementType interpreted(ElementType type) const {
    return float64 && is_floating(type) ? ElementType::f64 : type;
  }
  /// Returns an attribute's extent as a number.
  std::optional<std::int64_t> extent(const Extent& extent);
  /// Returns the result's extents.
  std::optional<Extents> extents();
  /// Returns a tensor of the result's type whose elements are zero.
  std::optional<Tensor> result();
};

using Rule = Outcome (*)(Evaluation&);
Rule rule(Opcode opcode);

/// Returns the shape's extents under `dimensions`, or nothing, and the reason in `why`, if a name is unbound,
/// an extent is negative, or `element`s of that shape need more than `byte_limit` bytes.
std::optional<Extents> concrete_shape(const Shape& shape, ElementType element,
                                      const Extent::Bindings& dimensions, std::int64_t byte_limit,
                                      InterpretError& error);

/// Returns the zero of the type: tensors of zeros and null pointers; an enum of no case.
Outcome zero_of(const Type& type, Evaluation& e);

namespace rules {
#define INSTRUCTION(enumerator, row) Outcome enumerator(Evaluation& e);
#include "dlvm/ir/instructions.def"
}  // namespace rules

/// Begins the definition of a rule, in namespace `rules`.
#define RULE(enumerator) Outcome enumerator([[maybe_unused]] Evaluation& e)

}  // namespace dlvm::evaluation
