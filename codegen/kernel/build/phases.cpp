#include "codegen/kernel/build/phases.h"

#include <bit>
#include <ranges>

namespace codegen::kernel {

using dlvm::Instruction;
using dlvm::Value;

std::vector<const Value*> returned_values(const dlvm::Function& function) {
  const Instruction& end = *function.entry().terminator();
  if (end.operands().empty()) return {};
  const Value* result = end.operand(0);
  if (result->type().is_tensor()) return {result};
  const Instruction* tuple = dlvm::as_instruction(result);
  if (tuple == nullptr || tuple->opcode() != dlvm::Opcode::literal) return {};
  return {tuple->operands().begin(), tuple->operands().end()};
}

std::uint32_t sets_with(std::size_t result, const std::vector<ResultSet>& sets) {
  std::uint32_t bits = 0;
  for (std::size_t s = 0; s < sets.size(); ++s)
    if (sets[s][result]) bits |= std::uint32_t{1} << s;
  return bits;
}

std::unordered_map<const Value*, std::uint32_t> find_result_sets(const dlvm::Function& function,
                                                                 const std::vector<ResultSet>& sets) {
  std::unordered_map<const Value*, std::uint32_t> found;
  const std::vector<const Value*> results = returned_values(function);
  const std::uint32_t all = (std::uint32_t{1} << sets.size()) - 1;
  for (std::size_t r = 0; r < results.size(); ++r) found[results[r]] |= sets_with(r, sets);
  for (const auto& instruction : std::views::reverse(function.entry().instructions())) {
    std::uint32_t& own = found[instruction.get()];
    if (own == 0 && instruction->is(dlvm::Trait::may_fail)) own = all;
    const std::uint32_t needed = own;
    for (const Value* operand : instruction->operands()) found[operand] |= needed;
  }
  return found;
}

std::uint32_t phase_of(std::uint32_t sets) {
  return sets == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(sets));
}

}  // namespace codegen::kernel
