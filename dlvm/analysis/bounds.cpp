#include "dlvm/analysis/bounds.h"

#include <algorithm>
#include <functional>

#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr int max_values = 2000, max_depth = 200;

bool is_integer_scalar(const Value& value) {
  return value.type().is_scalar() && !is_floating(value.type().element());
}

IntegerBounds bounds_of(const Extent& extent, ElementType type) {
  return extent.valid() ? IntegerBounds::exactly(extent) : IntegerBounds::of_type(type);
}

IntegerBounds of_literal(const Literal& literal) {
  const ElementType type = literal.type().element();
  const std::int64_t value = literal.data().integer(0);
  const bool is_held = value >= 0 || type != ElementType::u64;
  return is_held && literal.is_splat() ? IntegerBounds::exactly(value) : IntegerBounds::of_type(type);
}

/// Returns the bounds of what the instruction gives if no integer is too large for its type; nothing where
/// they are not known.
using Rule = std::optional<IntegerBounds> (*)(const Instruction&, Bounds&);

template <auto combine>
std::optional<IntegerBounds> binary(const Instruction& i, Bounds& bounds) {
  return combine(bounds.of(*i.operand(0)), bounds.of(*i.operand(1)));
}

std::optional<IntegerBounds> same(const Instruction& i, Bounds& bounds) {
  if (!is_integer_scalar(*i.operand(0))) return std::nullopt;
  return bounds.of(*i.operand(0));
}

std::optional<IntegerBounds> negated(const Instruction& i, Bounds& bounds) {
  return -bounds.of(*i.operand(0));
}

std::optional<IntegerBounds> absolute(const Instruction& i, Bounds& bounds) {
  IntegerBounds of = bounds.of(*i.operand(0));
  return of.least >= 0 ? of : maximum(of, -of);
}

std::optional<IntegerBounds> selected(const Instruction& i, Bounds& bounds) {
  return either(bounds.of(*i.operand(0)), bounds.of(*i.operand(1)));
}

/// Towards zero is towards the smaller where nothing is negative.
std::optional<IntegerBounds> truncated(const Instruction& i, Bounds& bounds) {
  const IntegerBounds a = bounds.of(*i.operand(0)), b = bounds.of(*i.operand(1));
  if (a.least < 0 || b.least < 0) return std::nullopt;
  return floor_divided(a, b);
}

std::optional<IntegerBounds> extent_value(const Instruction& i, Bounds&) {
  return bounds_of(ExtentValue(i).extent(), i.type().element());
}

std::optional<IntegerBounds> unit_count_value(const Instruction& i, Bounds&) {
  return bounds_of(unit_count(i.operand(0)->type().shape()), i.type().element());
}

std::optional<IntegerBounds> rank_value(const Instruction& i, Bounds&) {
  return IntegerBounds::exactly(static_cast<std::int64_t>(i.operand(0)->type().rank()));
}

/// An element of `shape of`.
std::optional<IntegerBounds> gathered(const Instruction& i, Bounds&) {
  const Gather gather(i);
  const Instruction* of = match(gather.input(), Opcode::shape);
  const Literal* at = gather.indices().size() == 1 ? as_literal(gather.indices()[0]) : nullptr;
  if (of == nullptr || at == nullptr || !at->is_splat()) return std::nullopt;
  const Shape& shape = of->operand(0)->type().shape();
  const auto axis = static_cast<std::uint64_t>(at->data().integer(0));
  if (axis >= shape.size()) return std::nullopt;
  return bounds_of(shape[axis], i.type().element());
}

/// An index outside ends the call.
std::optional<IntegerBounds> checked(const Instruction& i, Bounds& bounds) {
  const CheckIndex check(i);
  IntegerBounds of = bounds.of(*check.indices());
  const Extent last = check.end() - Extent(1);
  if (!last.valid() || !check.first().valid()) return of;
  return minimum(maximum(of, IntegerBounds::exactly(check.first())), IntegerBounds::exactly(last));
}

std::optional<IntegerBounds> popped(const Instruction& i, Bounds& bounds) {
  return bounds.of_component(i, {}, i.type().element());
}

std::optional<IntegerBounds> extracted(const Instruction& i, Bounds& bounds) {
  const auto extract = as<Extract>(i);
  if (!extract) return std::nullopt;
  Integers path{static_cast<std::int64_t>(extract.position())};
  return bounds.of_component(*extract.aggregate(), path, i.type().element());
}

struct Row {
  Opcode opcode;
  Rule rule;
};
constexpr Row rules[]{
    {Opcode::add, binary<std::plus<>{}>},
    {Opcode::subtract, binary<std::minus<>{}>},
    {Opcode::multiply, binary<std::multiplies<>{}>},
    {Opcode::min, binary<minimum>},
    {Opcode::max, binary<maximum>},
    {Opcode::floorDivide, binary<floor_divided>},
    {Opcode::truncateDivide, truncated},
    {Opcode::modulo, binary<modulo>},
    {Opcode::negate, negated},
    {Opcode::abs, absolute},
    {Opcode::detach, same},
    {Opcode::dataTypeCast, same},
    {Opcode::select, selected},
    {Opcode::extent, extent_value},
    {Opcode::unitCount, unit_count_value},
    {Opcode::rank, rank_value},
    {Opcode::gather, gathered},
    {Opcode::checkIndex, checked},
    {Opcode::extract, extracted},
    {Opcode::pop, popped},
    {Opcode::peek, popped},
};

std::optional<IntegerBounds> of_instruction(const Instruction& instruction, Bounds& bounds) {
  const Row* row = std::ranges::find(rules, instruction.opcode(), &Row::opcode);
  if (row == std::end(rules)) return std::nullopt;
  auto found = row->rule(instruction, bounds);
  if (!found) return found;
  return found->wrapped_to(instruction.type().element());
}

bool takes_from_stack(const Instruction& instruction) {
  return instruction.opcode() == Opcode::pop || instruction.opcode() == Opcode::peek;
}

}  // namespace

bool Bounds::begin(const void* what) {
  if (open_.empty()) left_ = max_values, is_cut_ = false;
  const bool goes_on = left_ > 0 && open_.size() < max_depth && open_.insert(what).second;
  --left_;
  is_cut_ = is_cut_ || !goes_on;
  return goes_on;
}

IntegerBounds Bounds::of(const Value& value) {
  if (!is_integer_scalar(value)) return {std::nullopt, std::nullopt, 0, 0};
  if (const Literal* literal = as_literal(&value)) return of_literal(*literal);
  if (const Instruction* named = as_instruction(&value); named && named->opcode() == Opcode::literal)
    return of(*named->operand(0));
  if (const auto known = values_.find(&value); known != values_.end()) return known->second;
  IntegerBounds all = IntegerBounds::of_type(value.type().element());
  if (!begin(&value)) return all;
  const bool was_cut = std::exchange(is_cut_, false);
  const Argument* argument = as_argument(&value);
  IntegerBounds found = argument != nullptr ? of_argument(*argument)
                                            : of_instruction(*as_instruction(&value), *this).value_or(all);
  open_.erase(&value);
  if (!is_cut_ || open_.empty()) values_.emplace(&value, found);
  is_cut_ = is_cut_ || was_cut;
  return found;
}

/// A counter, or what is passed to the argument: what a loop passes unchanged is what it was before.
IntegerBounds Bounds::of_argument(const Argument& argument) {
  const BasicBlock* block = argument.block();
  IntegerBounds all = IntegerBounds::of_type(argument.type().element());
  if (!flow_.is_reachable(block)) return all;
  const Loop* loop = loops_.innermost(block);
  if (loop != nullptr && loop->header == block)
    if (const auto counter = of_counter(*loop, argument)) return *counter;
  std::optional<IntegerBounds> found;
  for (const BlockEdge& edge : flow_.predecessors(block)) {
    if (!flow_.is_reachable(edge.from())) continue;
    if (edge.terminator->supplies_arguments()) return all;
    const Value* value = edge.passed()[argument.index()];
    if (value == &argument) continue;
    const IntegerBounds passed = of(*value);
    found = found ? either(*found, passed) : passed;
  }
  return found.value_or(all);
}

std::optional<IntegerBounds> Bounds::at_entry(const Loop& loop, const Argument& argument) {
  std::optional<IntegerBounds> all;
  for (const BlockEdge& entry : loop.entries) {
    if (entry.terminator->supplies_arguments()) return std::nullopt;
    const IntegerBounds passed = of(*entry.passed()[argument.index()]);
    all = all ? either(*all, passed) : passed;
  }
  return all;
}

std::optional<IntegerBounds> Bounds::of_counter(const Loop& loop, const Argument& argument) {
  const auto steps = steps_of(argument, loop, flow_);
  auto start = steps ? at_entry(loop, argument) : std::nullopt;
  if (!start || (steps->least == 0 && steps->most == 0)) return start;
  const ElementType type = argument.type().element();
  const auto bound = rounds(loop);
  if (!bound) return IntegerBounds::of_type(type);
  // Where the counter stops before its last value, it is between that and the first.
  const auto after_all = [&](std::int64_t step) {
    return *start + IntegerBounds::exactly(bound->times) * IntegerBounds::exactly(step);
  };
  IntegerBounds all = steps->most > 0 ? after_all(steps->most) : *start;
  const IntegerBounds lowest = steps->least < 0 ? after_all(steps->least) : *start;
  all.lower = lowest.lower;
  all.least = lowest.least;
  return all.wrapped_to(type);
}

IntegerBounds Bounds::of_component(const Value& aggregate, Integers path, ElementType type) {
  const Instruction* instruction = as_instruction(&aggregate);
  IntegerBounds all = IntegerBounds::of_type(type);
  if (instruction == nullptr) return path.empty() ? of(aggregate) : all;
  if (takes_from_stack(*instruction)) return of_pushed(*instruction->operand(0), path, type);
  if (path.empty()) return of(aggregate);
  if (const auto extract = as<Extract>(instruction)) {
    path.push_back(static_cast<std::int64_t>(extract.position()));
    return of_component(*extract.aggregate(), std::move(path), type);
  }
  const auto composite = as<Composite>(instruction);
  if (!composite || composite.enum_case() != nullptr) return all;
  const Value* component = composite.components()[static_cast<std::size_t>(path.back())];
  path.pop_back();
  return of_component(*component, std::move(path), type);
}

/// The values that are pushed to the stack, and the zeros below them.
IntegerBounds Bounds::of_pushed(const Value& stack, const Integers& path, ElementType type) {
  if (!stack_record(stack) || !begin(&stack)) return IntegerBounds::of_type(type);
  std::optional<IntegerBounds> all;
  if (std::holds_alternative<Integers>(as_instruction(&stack)->attributes()[1]))
    all = IntegerBounds::exactly(0);
  for (const Instruction* user : stack.users()) {
    if (user->opcode() != Opcode::push) continue;
    const IntegerBounds pushed = of_component(*user->operand(0), path, type);
    all = all ? either(*all, pushed) : pushed;
  }
  open_.erase(&stack);
  return all.value_or(IntegerBounds::of_type(type));
}

std::optional<Extent> Bounds::most_runs(const BasicBlock& block) {
  // A cycle with several entries is no loop of the nest.
  if (loops_.is_irreducible()) return std::nullopt;
  Extent times(1);
  bool is_bounded = true;
  for (const Loop* loop = loops_.innermost(&block); loop != nullptr; loop = loop->parent) {
    const auto bound = rounds(*loop);
    if (!bound) {
      is_bounded = false;
      continue;
    }
    // The header also runs when the loop is entered.
    const bool inside = bound->inside != loop->header && dominators_.dominates(bound->inside, &block);
    const Extent runs = inside ? bound->times : bound->times + Extent(1);
    if (runs.is(0)) return Extent(0);  // whatever the loops in it do
    times = times * runs;
  }
  return is_bounded && times.valid() ? std::optional(times) : std::nullopt;
}

}  // namespace dlvm
