#include "codegen/kernel/build/index_facts.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::as_instruction;
using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Trait;
using dlvm::Value;

/// Returns whether the index's element is its position along `axis`.
bool counts_axis(const Graph& graph, const Value* index, std::size_t axis) {
  const Instruction* instruction = as_instruction(graph.resolve(index));
  while (instruction != nullptr &&
         (instruction->opcode() == Opcode::checkIndex || instruction->opcode() == Opcode::detach ||
          instruction->opcode() == Opcode::dataTypeCast))
    instruction = as_instruction(graph.resolve(instruction->operand(0)));
  // Positions wrap in narrow types.
  if (instruction == nullptr || dlvm::info(instruction->type().element()).bytes < 4 ||
      dlvm::info(index->type().element()).bytes < 4)
    return false;
  if (const auto iota = dlvm::as<dlvm::Iota>(instruction)) return iota.axis() == axis;
  if (instruction->opcode() == Opcode::broadcast) {
    const Value* inner = graph.resolve(instruction->operand(0));
    const std::size_t missing = instruction->type().rank() - inner->type().rank();
    return axis >= missing && inner->type().shape()[axis - missing] == instruction->type().shape()[axis] &&
           counts_axis(graph, inner, axis - missing);
  }
  if (const auto padded = dlvm::as<dlvm::PadShape>(instruction))
    return padded.axis() != axis &&
           counts_axis(graph, padded.input(), axis < padded.axis() ? axis : axis - 1);
  return false;
}

/// Returns whether the value is select(i < 0, i + n, i), of an i that was checked from -n upto n = end.
bool wraps_checked(const Graph& graph, const Instruction& select, const Extent& end) {
  const Instruction* sum = as_instruction(graph.resolve(select.operand(0)));
  const Instruction* negative = as_instruction(graph.resolve(select.operand(2)));
  const Value* plain = graph.resolve(select.operand(1));
  const auto check = dlvm::as<dlvm::CheckIndex>(plain);
  if (sum == nullptr || negative == nullptr || !check || sum->opcode() != Opcode::add ||
      negative->opcode() != Opcode::lessThan || graph.resolve(negative->operand(0)) != plain ||
      graph.resolve(sum->operand(0)) != plain)
    return false;
  const auto* zero = dlvm::as_literal(negative->operand(1));
  const auto extent = dlvm::as<dlvm::ExtentValue>(graph.resolve(sum->operand(1)));
  const auto* number = dlvm::as_literal(graph.resolve(sum->operand(1)));
  const bool adds_end = (extent && extent.extent() == end) ||
                        (number != nullptr && number->is_splat() && Extent(number->data().integer(0)) == end);
  return adds_end && zero != nullptr && zero->is_splat() && zero->data().integer(0) == 0 &&
         check.first() == Extent(-1) * end && check.end() == end;
}

}  // namespace

std::optional<PointwiseScatter> as_pointwise(const Graph& graph, const Instruction& scatter) {
  const dlvm::Scatter view(scatter);
  const auto indices = view.indices();
  const dlvm::Shape& counted = indices[0]->type().shape();
  const dlvm::Shape& result = scatter.type().shape();
  const auto first = static_cast<std::size_t>(view.axes()[0]);
  PointwiseScatter found;
  std::vector<bool> taken(indices.size());
  for (std::size_t axis = 0; axis < counted.size(); ++axis) {
    std::size_t i = 0;
    while (i < taken.size() &&
           (taken[i] || result[first + i] != counted[axis] || !counts_axis(graph, indices[i], axis)))
      ++i;
    if (i == taken.size()) return std::nullopt;
    taken[i] = true;
    found.counted.push_back(i);
  }
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) found.compared.push_back(i);
  return found;
}

bool names_distinct_elements(const Graph& graph, const Instruction& scatter) {
  const auto indices = dlvm::Scatter(scatter).indices();
  if (dlvm::unit_count(indices[0]->type().shape()).is(1)) return true;
  std::optional<std::size_t> sorted;
  for (std::size_t k = 0; k < indices.size() && !sorted; ++k) {
    const Instruction* i = as_instruction(graph.resolve(indices[k]));
    while (i != nullptr && i->opcode() == Opcode::slice) i = as_instruction(graph.resolve(i->operand(0)));
    if (i == nullptr || i->opcode() != Opcode::argsort) continue;
    sorted = dlvm::Sort(*i).axis();
  }
  if (!sorted) return false;
  for (std::size_t axis = 0; axis < indices[0]->type().rank(); ++axis) {
    const auto counts = [&](const Value* index) { return counts_axis(graph, index, axis); };
    if (axis != *sorted && std::ranges::none_of(indices, counts)) return false;
  }
  return true;
}

bool is_in_bounds(const Graph& graph, const Value* index, const Extent& end) {
  constexpr int max_steps = 16;
  for (int step = 0; step < max_steps; ++step) {
    const Instruction* i = as_instruction(graph.resolve(index));
    if (i == nullptr) return graph.is_checked(graph.resolve(index));
    if (const auto check = dlvm::as<dlvm::CheckIndex>(i))
      return provably_at_most(0, check.first()) == dlvm::Proof::yes &&
             provably_at_most(check.end(), end) == dlvm::Proof::yes;
    if (i->opcode() == Opcode::argsort)
      return provably_at_most(i->type().shape()[dlvm::Sort(*i).axis()], end) == dlvm::Proof::yes;
    if (i->opcode() == Opcode::select) return wraps_checked(graph, *i, end);
    const bool shows = i->is(Trait::view) && i->operands().size() == 1;
    const ElementType from = i->operands().empty() ? i->type().element() : i->operand(0)->type().element();
    const int before = dlvm::info(from).bytes, after = dlvm::info(i->type().element()).bytes;
    const bool widens = i->opcode() == Opcode::dataTypeCast && dlvm::is_integer(from) &&
                        dlvm::is_integer(i->type().element()) &&
                        (after > before || (after == before && after >= 4));
    if (!shows && !widens && i->opcode() != Opcode::detach) return false;
    index = i->operand(0);
  }
  return false;
}

}  // namespace codegen::kernel
