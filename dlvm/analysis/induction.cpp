#include "dlvm/analysis/induction.h"

#include <algorithm>

#include "dlvm/analysis/integer_bounds.h"

namespace dlvm {
namespace {

std::optional<std::int64_t> integer(const Value* value) {
  const Literal* literal = as_literal(value);
  if (literal == nullptr || !is_integer(value->type().element()) || !literal->is_splat()) return std::nullopt;
  return literal->data().integer(0);
}

std::optional<Steps> either(const std::optional<Steps>& a, const std::optional<Steps>& b) {
  if (!a || !b) return std::nullopt;
  return Steps{std::min(a->least, b->least), std::max(a->most, b->most)};
}

/// Nothing where a sum is not one of the type.
std::optional<Steps> sum(const std::optional<Steps>& steps, const std::optional<std::int64_t>& more,
                         ElementType type) {
  if (!steps || !more) return std::nullopt;
  const IntegerBounds all = IntegerBounds::of_type(type);
  const WideInteger least = WideInteger{steps->least} + *more, most = WideInteger{steps->most} + *more;
  if (least < std::min<WideInteger>(all.least, -all.most) || most > all.most) return std::nullopt;
  if (least < INT64_MIN || most > INT64_MAX) return std::nullopt;
  return Steps{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

/// Follows values back to the argument, through no more than a fixed number of them.
class Ways {
 public:
  Ways(const Argument& argument, const Loop& loop, const ControlFlow& flow)
      : argument_(argument), loop_(loop), flow_(flow) {}

  std::optional<Steps> from(const Value* value) {
    if (value == &argument_) return Steps{};
    const BasicBlock* block = defining_block(value);
    const bool is_open = std::ranges::find(open_, value) != open_.end();
    if (is_open || block == nullptr || !loop_.contains(block) || --left_ < 0) return std::nullopt;
    open_.push_back(value);
    const Argument* met = as_argument(value);
    auto found = met != nullptr ? through(*met) : through(*as_instruction(value));
    open_.pop_back();
    return found;
  }

 private:
  static constexpr int most_values = 64;

  /// A value that an inner loop passes unchanged is the one from before that loop.
  std::optional<Steps> through(const Argument& met) {
    if (met.block() == loop_.header) return std::nullopt;
    std::optional<Steps> all;
    for (const BlockEdge& edge : flow_.predecessors(met.block())) {
      if (edge.terminator->supplies_arguments()) return std::nullopt;
      const Value* passed = edge.passed()[met.index()];
      if (passed == &met || !flow_.is_reachable(edge.from())) continue;
      const auto steps = from(passed);
      if (!steps) return std::nullopt;
      all = all ? either(all, steps) : steps;
    }
    return all;
  }

  std::optional<Steps> through(const Instruction& made) {
    const ElementType type = made.type().element();
    const auto& operands = made.operands();
    if (made.opcode() == Opcode::add) {
      const auto first = integer(operands[0]);
      return first ? sum(from(operands[1]), first, type) : sum(from(operands[0]), integer(operands[1]), type);
    }
    if (made.opcode() == Opcode::select) return either(from(operands[0]), from(operands[1]));
    if (made.opcode() != Opcode::subtract) return std::nullopt;
    const auto less = integer(operands[1]);
    if (!less || *less == INT64_MIN) return std::nullopt;
    return sum(from(operands[0]), -*less, type);
  }

  const Argument& argument_;
  const Loop& loop_;
  const ControlFlow& flow_;
  std::vector<const Value*> open_;
  int left_ = most_values;
};

}  // namespace

std::optional<Steps> steps_to(const Value* value, const Argument& argument, const Loop& loop,
                              const ControlFlow& flow) {
  if (!value->type().is_scalar() || !is_integer(value->type().element())) return std::nullopt;
  if (!(value->type() == argument.type())) return std::nullopt;
  return Ways(argument, loop, flow).from(value);
}

std::optional<Steps> steps_of(const Argument& argument, const Loop& loop, const ControlFlow& flow) {
  std::optional<Steps> all;
  for (const BlockEdge& latch : loop.latches) {
    if (latch.terminator->supplies_arguments()) return std::nullopt;
    const auto steps = steps_to(latch.passed()[argument.index()], argument, loop, flow);
    if (!steps) return std::nullopt;
    all = all ? either(all, steps) : steps;
  }
  return all;
}

std::optional<Induction> induction(const Argument& argument, const Loop& loop, const ControlFlow& flow) {
  if (loop.entries.size() != 1 || loop.entries.front().terminator->supplies_arguments()) return std::nullopt;
  const auto steps = steps_of(argument, loop, flow);
  if (!steps || steps->least != steps->most) return std::nullopt;
  return Induction{loop.entries.front().passed()[argument.index()], steps->least};
}

}  // namespace dlvm
