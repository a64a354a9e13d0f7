#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/integer_relation.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Whether every integer of one type is one of the other.
bool widens(ElementType from, ElementType to) {
  return is_integer(from) && is_integer(to) && IntegerBounds::of_type(from).fit(to);
}

/// Several tests of which each round meets one: all compare what the loop carries as this argument.
struct CommonCounter {
  const Argument* carried = nullptr;
  std::optional<Steps> offsets = {};  ///< to the argument, of all that is compared
};

/// The tests of a loop, and what is known of the values in them.
struct Tests {
  const Loop& loop;
  const ControlFlow& flow;
  const DominatorTree& dominators;
  Bounds& bounds;
  CommonCounter* common = nullptr;  ///< null where one test is met in each round
};

/// A counter that grows or shrinks each time round: a number that the loop carries, and an offset to it.
/// `first`, which the type holds, is the sum of its first value and any of the offsets.
struct Counter {
  IntegerBounds first;
  Steps steps;          ///< of what the loop carries
  std::int64_t spread;  ///< between the least offset and the largest
  IntegerBounds range;  ///< of the type, to which all is wrapped
};

std::optional<Counter> counter(const Tests& in, const Value* value) {
  const Instruction* instruction = as_instruction(value);
  while (instruction != nullptr && instruction->opcode() == Opcode::dataTypeCast &&
         widens(instruction->operand(0)->type().element(), instruction->type().element())) {
    value = instruction->operand(0);
    instruction = as_instruction(value);
  }
  for (const auto& carried : in.loop.header->arguments()) {
    if (in.common != nullptr && in.common->carried != carried.get()) continue;
    const auto offset = steps_to(value, *carried, in.loop, in.flow);
    const auto steps = offset ? steps_of(*carried, in.loop, in.flow) : std::nullopt;
    const auto start = steps ? in.bounds.at_entry(in.loop, *carried) : std::nullopt;
    if (!start) continue;
    const ElementType type = value->type().element();
    IntegerBounds first =
        *start + either(IntegerBounds::exactly(offset->least), IntegerBounds::exactly(offset->most));
    Steps all = *offset;
    if (in.common != nullptr) {
      const Steps others = in.common->offsets.value_or(all);
      all = {std::min(all.least, others.least), std::max(all.most, others.most)};
      in.common->offsets = all;
    }
    const WideInteger spread = WideInteger{all.most} - all.least;
    if (!first.fit(type) || spread > INT64_MAX) continue;
    return Counter{std::move(first), *steps, static_cast<std::int64_t>(spread), IntegerBounds::of_type(type)};
  }
  return std::nullopt;
}

/// How many steps of `step` a distance holds that is begun, where it is known.
std::optional<Extent> steps(const std::optional<Extent>& from, const std::optional<Extent>& to,
                            std::int64_t step) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  if (!from || !to || step > most) return std::nullopt;
  const Extent distance = without_negative_terms(*to - *from + Extent(step - 1));
  Extent times = Extent::floor_divide(distance, Extent(step));
  // A constant that is no dimension is not worth the memory.
  if (!times.valid() || times.constant().value_or(0) > max_dimension) return std::nullopt;
  return times;
}

/// How often a counter that grows is below the end, where it does not wrap before it is not: from one round
/// to the next, it grows by no more than the largest step and the spread.
std::optional<Extent> times_below(const Counter& counter, const IntegerBounds& end, bool inclusive) {
  const WideInteger last = end.most - (inclusive ? 0 : 1);
  const auto [least, most] = counter.steps;
  if (least <= 0 || last + most + counter.spread > counter.range.most || !end.upper) return std::nullopt;
  return steps(counter.first.lower, *end.upper + Extent(inclusive ? 1 : 0), least);
}

std::optional<Extent> times_above(const Counter& counter, const IntegerBounds& end, bool inclusive) {
  const WideInteger last = end.least + (inclusive ? 0 : 1);
  const auto [least, most] = counter.steps;
  if (most >= 0 || last + least - counter.spread < counter.range.least || !end.lower) return std::nullopt;
  if (most == INT64_MIN) return std::nullopt;
  return steps(*end.lower - Extent(inclusive ? 1 : 0), counter.first.upper, -most);
}

/// How often a counter differs from the end, which is the same all the time, where it does not jump over it.
std::optional<Extent> times_different(const Counter& counter, const IntegerBounds& end) {
  const std::int64_t each = counter.steps.least;
  if (each != counter.steps.most || each == 0 || counter.spread != 0) return std::nullopt;
  const bool grows = each > 0;
  const IntegerBounds &low = grows ? counter.first : end, &high = grows ? end : counter.first;
  if (each == INT64_MIN || end.least < counter.range.least || end.most > counter.range.most)
    return std::nullopt;
  if (!low.upper || !high.lower || provably_at_most(*low.upper, *high.lower) != Proof::yes)
    return std::nullopt;
  const std::int64_t step = grows ? each : -each;
  const auto from = low.exact(), to = high.exact();
  if (step != 1 && !(from && to && Extent::exact_divide(*to - *from, Extent(step)))) return std::nullopt;
  return steps(low.lower, high.upper, step);
}

bool is_invariant(const Value* value, const Loop& loop) {
  const BasicBlock* block = defining_block(value);
  return block == nullptr || !loop.contains(block);
}

/// How often the relation holds, with a counter of the loop on one of its sides.
std::optional<Extent> times_holding(const Tests& in, const IntegerRelation& relation) {
  const auto low = counter(in, relation.low), high = counter(in, relation.high);
  Bounds& bounds = in.bounds;
  if (relation.kind == IntegerRelation::Kind::different) {
    if (in.common != nullptr) return std::nullopt;  // in a round without the test it may jump over the end
    if (low && is_invariant(relation.high, in.loop)) return times_different(*low, bounds.of(*relation.high));
    if (high && is_invariant(relation.low, in.loop)) return times_different(*high, bounds.of(*relation.low));
    return std::nullopt;
  }
  const bool inclusive = relation.kind == IntegerRelation::Kind::less_or_equal;
  std::optional<Extent> times;
  if (low) times = times_below(*low, bounds.of(*relation.high), inclusive);
  if (high && !times) times = times_above(*high, bounds.of(*relation.low), inclusive);
  return times;
}

/// How often the condition can be as `holds` says: it compares a counter, or is made of such conditions and
/// others. The search looks at no more than `left` conditions.
std::optional<Extent> times_holding(const Tests& in, const Value* condition, bool holds, int& left) {
  const Instruction* test = as_instruction(condition);
  if (--left < 0 || test == nullptr || !test->type().is_scalar()) return std::nullopt;
  if (test->opcode() == Opcode::not_) return times_holding(in, test->operand(0), !holds, left);
  if (test->opcode() == (holds ? Opcode::and_ : Opcode::or_)) {
    const auto first = times_holding(in, test->operand(0), holds, left);
    const auto second = times_holding(in, test->operand(1), holds, left);
    return first && !(second && provably_at_most(*second, *first) == Proof::yes) ? first : second;
  }
  const auto compared = integer_relation(*test, holds);
  return compared ? times_holding(in, *compared) : std::nullopt;
}

/// How often the loop can go on at the exit.
std::optional<Extent> times_inside(const Tests& in, const BlockEdge& exit) {
  const auto conditional = as<Conditional>(exit.terminator);
  if (!conditional || !in.loop.contains(exit.terminator->successors()[1 - exit.successor].block))
    return std::nullopt;
  int left = 64;
  return times_holding(in, conditional.condition(), exit.successor == 1, left);
}

/// The bound that the exit keeps, if it is met in each round.
std::optional<TripBound> bound_of(const Tests& in, const BlockEdge& exit) {
  const bool is_met = std::ranges::all_of(in.loop.latches, [&](const BlockEdge& latch) {
    return in.dominators.dominates(exit.from(), latch.from());
  });
  if (!is_met) return std::nullopt;
  auto times = times_inside(in, exit);
  if (!times) return std::nullopt;
  return TripBound{std::move(*times), exit.terminator->successors()[1 - exit.successor].block};
}

/// Whether each round goes through one of the blocks.
bool is_one_met(const Loop& loop, const std::unordered_set<const BasicBlock*>& blocks) {
  std::unordered_set<const BasicBlock*> seen{loop.header};
  std::vector<const BasicBlock*> open{loop.header};
  while (!open.empty()) {
    const BasicBlock* block = open.back();
    open.pop_back();
    if (blocks.contains(block)) continue;
    for (const Successor& next : block->terminator()->successors()) {
      if (next.block == loop.header) return false;
      if (loop.contains(next.block) && seen.insert(next.block).second) open.push_back(next.block);
    }
  }
  return true;
}

/// The bound that several exits keep, of which each round meets one, and which compare the same counter: it
/// grows in every round, so that no test lets the loop go on later than its own bound.
std::optional<TripBound> common_bound(const Tests& in, const Argument& carried) {
  CommonCounter common{.carried = &carried};
  Tests tests = in;
  tests.common = &common;
  // The first search finds all offsets, with which the second one knows whether the counter wraps.
  for (const BlockEdge& exit : in.loop.exits) times_inside(tests, exit);
  if (!common.offsets) return std::nullopt;
  std::unordered_set<const BasicBlock*> met;
  std::optional<Extent> most;
  for (const BlockEdge& exit : in.loop.exits) {
    const auto times = times_inside(tests, exit);
    if (!times) continue;
    met.insert(exit.from());
    if (!most || provably_at_most(*most, *times) == Proof::yes)
      most = times;
    else if (provably_at_most(*times, *most) != Proof::yes)
      most = *most + *times;
  }
  if (!most || !most->valid() || !is_one_met(in.loop, met)) return std::nullopt;
  return TripBound{std::move(*most), in.loop.header};
}

}  // namespace

std::optional<TripBound> Bounds::rounds(const Loop& loop) {
  if (const auto known = rounds_.find(&loop); known != rounds_.end()) return known->second;
  if (!begin(&loop)) return std::nullopt;
  const bool was_cut = std::exchange(is_cut_, false);
  const Tests tests{loop, flow_, dominators_, *this};
  std::optional<TripBound> best;
  for (const BlockEdge& exit : loop.exits) {
    auto bound = bound_of(tests, exit);
    const auto at_most = [](const TripBound& a, const TripBound& b) {
      return provably_at_most(a.times, b.times) == Proof::yes;
    };
    if (bound && (!best || (at_most(*bound, *best) && !at_most(*best, *bound)))) best = std::move(bound);
  }
  for (const auto& carried : loop.header->arguments()) {
    if (best || loop.exits.size() < 2) break;
    best = common_bound(tests, *carried);
  }
  open_.erase(&loop);
  if (!is_cut_ || open_.empty()) rounds_.emplace(&loop, best);
  is_cut_ = is_cut_ || was_cut;
  return best;
}

bool Bounds::ends(const Loop& loop) {
  return !loops_.is_irreducible() && std::ranges::all_of(loop.blocks, [&](const BasicBlock* block) {
    const Loop* inner = loops_.innermost(block);
    return inner->header != block || rounds(*inner).has_value();
  });
}

}  // namespace dlvm
