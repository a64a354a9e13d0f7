#include "dlvm/analysis/induction.h"

namespace dlvm {
namespace {

std::optional<std::int64_t> integer(const Value* value) {
  const Literal* literal = as_literal(value);
  if (literal == nullptr || !is_integer(value->type().element()) || !literal->is_splat()) return std::nullopt;
  return literal->data().integer(0);
}

/// The step, where `next` is `argument` and a literal.
std::optional<std::int64_t> step_between(const Argument& argument, const Value* next) {
  const Instruction* sum = as_instruction(next);
  if (sum == nullptr) return std::nullopt;
  const auto& operands = sum->operands();
  if (sum->opcode() == Opcode::add && operands[0] == &argument) return integer(operands[1]);
  if (sum->opcode() == Opcode::add && operands[1] == &argument) return integer(operands[0]);
  if (sum->opcode() != Opcode::subtract || operands[0] != &argument) return std::nullopt;
  const auto less = integer(operands[1]);
  if (!less || *less == INT64_MIN) return std::nullopt;
  return -*less;
}

}  // namespace

std::optional<Induction> induction(const Loop& loop, const Argument& argument) {
  if (loop.entries.size() != 1 || loop.latches.size() != 1) return std::nullopt;
  if (!argument.type().is_scalar() || !is_integer(argument.type().element())) return std::nullopt;
  const auto step = step_between(argument, loop.latches.front().passed()[argument.index()]);
  if (!step) return std::nullopt;
  return Induction{loop.entries.front().passed()[argument.index()], *step};
}

}  // namespace dlvm
