#include "dlvm/analysis/trip_counts.h"

#include "dlvm/analysis/induction.h"
#include "dlvm/analysis/integer_bounds.h"
#include "dlvm/analysis/integer_relation.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

std::optional<Extent> if_fits(const Extent& extent, const Type& type) {
  if (!extent.valid() || !IntegerBounds::exactly(extent).fit(type.element())) return std::nullopt;
  return extent;
}

}  // namespace

std::optional<Extent> TripCounts::find(const Value& value, const BasicBlock& at) {
  if (--left_ < 0 || !value.type().is_scalar() || !is_integer(value.type().element())) return std::nullopt;
  if (const Literal* literal = as_literal(&value)) {
    if (!literal->is_splat()) return std::nullopt;
    return if_fits(Extent(literal->data().integer(0)), value.type());
  }
  if (const Argument* argument = as_argument(&value)) return of_argument(*argument, at);
  return of_instruction(*as_instruction(&value), at);
}

std::optional<Extent> TripCounts::of_argument(const Argument& argument, const BasicBlock& at) {
  if (!flow_.is_reachable(argument.block())) return std::nullopt;
  const Loop* loop = loops_.innermost(argument.block());
  if (loop == nullptr || loop->header != argument.block()) {
    const auto& edges = flow_.predecessors(argument.block());
    if (edges.size() != 1 || edges.front().terminator->supplies_arguments()) return std::nullopt;
    return find(*edges.front().passed()[argument.index()], *argument.block());
  }
  if (loop->contains(&at)) return std::nullopt;
  const auto counter = induction(argument, *loop, flow_);
  const auto times = counter ? find_rounds(*loop) : std::nullopt;
  const auto start = times ? find(*counter->start, *loop->header) : std::nullopt;
  return start ? if_fits(*start + *times * Extent(counter->step), argument.type()) : std::nullopt;
}

std::optional<Extent> TripCounts::of_instruction(const Instruction& instruction, const BasicBlock& at) {
  if (const auto extent = as<ExtentValue>(instruction)) return if_fits(extent.extent(), instruction.type());
  const bool sum = instruction.opcode() == Opcode::add, difference = instruction.opcode() == Opcode::subtract;
  if (!sum && !difference && instruction.opcode() != Opcode::dataTypeCast) return std::nullopt;
  const auto a = find(*instruction.operand(0), at);
  if (!a || (!sum && !difference)) return a ? if_fits(*a, instruction.type()) : std::nullopt;
  const auto b = find(*instruction.operand(1), at);
  return b ? if_fits(sum ? *a + *b : *a - *b, instruction.type()) : std::nullopt;
}

std::optional<Extent> TripCounts::find_rounds(const Loop& loop) {
  // A loop whose rounds follow from themselves has none that are known.
  const auto [known, is_new] = rounds_.try_emplace(&loop);
  if (!is_new) return known->second;
  if (loop.exits.size() != 1 || loop.entries.size() != 1) return std::nullopt;
  const BlockEdge& exit = loop.exits.front();
  const auto conditional = as<Conditional>(exit.terminator);
  if (!conditional || exit.from() != loop.header) return std::nullopt;
  return rounds_[&loop] = rounds_while(*conditional.condition(), exit.successor == 1, loop);
}

/// Returns how many rounds begin with a test whose result is `holds`, if the loop ends with the first other
/// result.
std::optional<Extent> TripCounts::rounds_while(const Value& test, bool holds, const Loop& loop) {
  const Instruction* comparison = as_instruction(&test);
  const auto relation = comparison != nullptr ? integer_relation(*comparison, holds) : std::nullopt;
  if (!relation || relation->kind == IntegerRelation::Kind::different) return std::nullopt;
  const Extent last(relation->kind == IntegerRelation::Kind::less_or_equal ? 1 : 0);
  for (const auto& argument : loop.header->arguments()) {
    const auto counter = induction(*argument, loop, flow_);
    if (!counter || counter->step == 0 || counter->step == INT64_MIN) continue;
    const bool grows = counter->step > 0;
    const Value &counted = grows ? *relation->low : *relation->high,
                &end = grows ? *relation->high : *relation->low;
    const auto offset = steps_to(&counted, *argument, loop, flow_);
    if (!offset || offset->least != offset->most) continue;
    const auto start = find(*counter->start, *loop.header), to = find(end, *loop.header);
    if (!start || !to) continue;
    const Extent step(grows ? counter->step : -counter->step), first = *start + Extent(offset->least);
    const Extent distance = (grows ? *to - first : first - *to) + last;
    const Extent times = Extent::floor_divide(distance + step - Extent(1), step);
    const bool may_be_negative = !distance.valid() || provably_at_most(0, distance) != Proof::yes;
    // The counter is a number of its type in all rounds, as it is in the first and behind the last one.
    if (may_be_negative || !times.valid() || !if_fits(first, counted.type()) ||
        !if_fits(first + times * Extent(counter->step), counted.type()))
      continue;
    return times;
  }
  return std::nullopt;
}

}  // namespace dlvm
