#include "dlvm/analysis/induction.h"

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

std::optional<std::int64_t> integer(const Value* value) {
  const Literal* literal = as_literal(value);
  if (literal == nullptr || !is_integer(value->type().element()) || !literal->is_splat()) return std::nullopt;
  return literal->data().integer(0);
}

/// The value as an extent, where it is one.
std::optional<Extent> extent_of(const Value* value) {
  if (!value->type().is_scalar()) return std::nullopt;
  if (const auto constant = integer(value)) return Extent(*constant);
  // Narrower integers do not hold every extent.
  const bool is_wide = value->type().is_scalar(ElementType::i32) || value->type().is_scalar(ElementType::i64);
  const Instruction* instruction = as_instruction(value);
  if (instruction == nullptr || !is_wide) return std::nullopt;
  if (instruction->opcode() == Opcode::extent) return std::get<Shape>(instruction->attributes()[0])[0];
  if (instruction->opcode() != Opcode::dataTypeCast) return std::nullopt;
  const Value* wider = instruction->operand(0);
  return wider->type().is_scalar(ElementType::i32) ? extent_of(wider) : std::nullopt;
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

/// Not less than the extent, and not negative: the extent without what is subtracted. An invalid extent if
/// that is not known.
Extent without_negative_terms(const Extent& extent) {
  if (extent.lower_bound() && *extent.lower_bound() >= 0) return extent;
  Extent sum;
  for (const auto& term : extent.terms()) {
    if (term.coefficient < 0) continue;
    Extent product(term.coefficient);
    for (const auto& atom : term.atoms)
      product = product * (atom.floor != nullptr
                               ? Extent::floor_divide(atom.floor->numerator, atom.floor->denominator)
                               : Extent::dimension(atom.name));
    sum = sum + product;
  }
  const auto least = sum.lower_bound();
  return least && *least >= 0 ? sum : Extent::invalid();
}

/// Whether a variable that stops at `end` passes it by less than what 32 bits hold.
bool stops_in_time(std::int64_t step, const Extent& end) {
  constexpr std::int64_t most_step = 1 << 16, most = INT32_MAX - most_step;
  if (step > most_step || step < -most_step) return false;
  const auto constant = end.constant();
  return !constant || (*constant <= most && *constant >= -most);
}

/// The number of times that `condition` can be true: where it says that an induction variable that grows is
/// below an extent, or is the conjunction of such with others. It looks at no more than `left` conditions.
std::optional<Extent> times_true(const Loop& loop, const Value* condition, int& left) {
  if (--left < 0) return std::nullopt;
  const Instruction* test = as_instruction(condition);
  if (test == nullptr || !test->type().is_scalar() || test->operands().size() != 2) return std::nullopt;
  const Value *low = test->operand(0), *high = test->operand(1);
  if (test->opcode() == Opcode::and_) {
    const auto first = times_true(loop, low, left);
    return first ? first : times_true(loop, high, left);
  }
  bool inclusive = false;
  switch (test->opcode()) {
    case Opcode::lessThanOrEqual:
      inclusive = true;
      [[fallthrough]];
    case Opcode::lessThan:
      break;
    case Opcode::greaterThanOrEqual:
      inclusive = true;
      [[fallthrough]];
    case Opcode::greaterThan:
      std::swap(low, high);
      break;
    default:
      return std::nullopt;
  }
  for (const auto& argument : loop.header->arguments()) {
    const auto found = induction(loop, *argument);
    if (!found) continue;
    const Value* next = loop.latches.front().passed()[argument->index()];
    if (low != argument.get() && low != next && high != argument.get() && high != next) continue;
    const bool grows = low == argument.get() || low == next;
    if ((found->step > 0) != grows || found->step == 0) continue;
    const auto start = extent_of(found->start), end = extent_of(grows ? high : low);
    if (!start || !end || !stops_in_time(found->step, *end)) continue;
    const Extent distance = (grows ? *end - *start : *start - *end) + Extent(inclusive ? 1 : 0);
    const Extent times = without_negative_terms(distance);
    if (times.valid()) return times;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Induction> induction(const Loop& loop, const Argument& argument) {
  if (loop.entries.size() != 1 || loop.latches.size() != 1) return std::nullopt;
  // Narrower integers wrap before they reach an extent.
  if (!argument.type().is_scalar(ElementType::i32) && !argument.type().is_scalar(ElementType::i64))
    return std::nullopt;
  const auto step = step_between(argument, loop.latches.front().passed()[argument.index()]);
  if (!step) return std::nullopt;
  return Induction{loop.entries.front().passed()[argument.index()], *step};
}

std::optional<TripBound> trip_bound(const Loop& loop, const DominatorTree& dominators) {
  if (loop.latches.size() != 1) return std::nullopt;
  for (const BlockEdge& exit : loop.exits) {
    const auto conditional = as<Conditional>(exit.terminator);
    // Only what leaves where the condition is false, each time round.
    if (!conditional || exit.successor != 1 || !loop.contains(conditional.where_true())) continue;
    if (!dominators.dominates(exit.from(), loop.latches.front().from())) continue;
    int left = 64;
    if (auto times = times_true(loop, conditional.condition(), left))
      return TripBound{std::move(*times), exit.from(), conditional.where_true()};
  }
  return std::nullopt;
}

std::optional<Extent> most_runs(const BasicBlock& block, const LoopNest& loops,
                                const DominatorTree& dominators) {
  // A cycle with several entries is no loop of the nest.
  if (loops.is_irreducible()) return std::nullopt;
  Extent times(1);
  for (const Loop* loop = loops.innermost(&block); loop != nullptr; loop = loop->parent) {
    const auto bound = trip_bound(*loop, dominators);
    if (!bound) return std::nullopt;
    const bool inside = dominators.dominates(bound->inside, &block);
    times = times * (inside ? bound->times : bound->times + Extent(1));
  }
  return times.valid() ? std::optional(times) : std::nullopt;
}

}  // namespace dlvm
