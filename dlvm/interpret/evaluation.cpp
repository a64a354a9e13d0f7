#include "dlvm/interpret/evaluation.h"

#include <fmt/format.h>

#include <array>

#include "dlvm/ir/spelling.h"

namespace dlvm {
namespace evaluation {

Rule rule(Opcode opcode) {
  constexpr std::array<Rule, opcode_count> table{
#define INSTRUCTION(enumerator, row) &rules::enumerator,
#include "dlvm/ir/instructions.def"
  };
  return table[static_cast<std::size_t>(opcode)];
}

namespace {

std::string missing(const Extent& extent) {
  return fmt::format("nothing gives the extent {}; -D gives dimensions values", extent.text());
}

}  // namespace

std::optional<Extents> concrete_shape(const Shape& shape, ElementType element,
                                      const Extent::Bindings& dimensions, std::int64_t byte_limit,
                                      InterpretError& error) {
  const auto fail = [&](InterpretError::Kind kind, std::string text) {
    error.kind = kind;
    error.text = std::move(text);
    return std::nullopt;
  };
  Extents extents;
  bool empty = false;
  for (const Extent& extent : shape) {
    const auto value = extent.evaluate(dimensions);
    if (!value) return fail(InterpretError::Kind::argument, missing(extent));
    if (*value < 0)
      return fail(InterpretError::Kind::extent, fmt::format("the extent {} is {}", extent.text(), *value));
    empty |= *value == 0;
    extents.push_back(*value);
  }
  std::int64_t bytes = empty ? 0 : info(element).bytes;
  for (const auto extent : extents)
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > byte_limit)
      return fail(InterpretError::Kind::memory, fmt::format("a tensor {}[{}] is over the memory limit",
                                                            spelling(element), fmt::join(extents, " x ")));
  return extents;
}

std::nullopt_t Evaluation::fail(InterpretError::Kind kind, std::string text) {
  error.kind = kind;
  error.text = std::move(text);
  return std::nullopt;
}

std::optional<std::int64_t> Evaluation::extent(const Extent& extent) {
  if (const auto value = extent.evaluate(dimensions)) return value;
  return fail(InterpretError::Kind::argument, missing(extent));
}

std::optional<Extents> Evaluation::extents() {
  const Type& type = instruction.type();
  return concrete_shape(type.shape(), interpreted(type.element()), dimensions, byte_limit, error);
}

std::optional<Tensor> Evaluation::result() {
  auto concrete = extents();
  if (!concrete) return std::nullopt;
  return Tensor(interpreted(instruction.type().element()), std::move(*concrete));
}

}  // namespace evaluation

std::optional<Tensor> fold(const Instruction& instruction, std::span<const Tensor> operands,
                           std::int64_t byte_limit) {
  if (!instruction.type().is_tensor() || instruction.is(Trait::terminator)) return std::nullopt;
  std::vector<RuntimeValue> values(operands.begin(), operands.end());
  const Extent::Bindings none;
  const evaluation::Caller no_calls = [](const Function&, const std::vector<RuntimeValue>&,
                                         InterpretError&) -> evaluation::Outcome { return std::nullopt; };
  evaluation::Evaluation e{instruction, values, none, false, byte_limit, no_calls};
  auto result = evaluation::rule(instruction.opcode())(e);
  if (!result || !result->is_tensor()) return std::nullopt;
  return result->tensor();
}

}  // namespace dlvm
