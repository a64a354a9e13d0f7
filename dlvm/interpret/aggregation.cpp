// Rules of reductions, scans and the positions of extrema.
#include <algorithm>
#include <cmath>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/line.h"
#include "dlvm/interpret/monoid.h"
#include "dlvm/interpret/operations.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation {
namespace {

/// The position of the first NaN, else of the first of those that no other `beats`; 0 along an empty axis.
template <typename Beats>
Outcome extremum(Evaluation& e, Beats beats) {
  const Tensor& input = e.operand(0);
  auto result = e.result();
  if (!result) return std::nullopt;
  const Line l = line(input.extents(), ArgExtremum(e.instruction).axis());
  const auto better = [&](std::size_t a, std::size_t b) {  // whether element a goes before element b
    if (is_floating(input.element())) {
      const double x = input.real(a), y = input.real(b);
      if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && !std::isnan(y);
      return beats(x, y);
    }
    const std::int64_t x = input.integer(a), y = input.integer(b);
    if (input.element() == ElementType::u64)
      return beats(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y));
    return beats(x, y);
  };
  for (std::size_t o = 0; o < l.outer; ++o)
    for (std::size_t i = 0; i < l.inner; ++i) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < l.along; ++k)
        if (better(l.at(o, k, i), l.at(o, best, i))) best = k;
      result->set(o * l.inner + i, static_cast<std::int64_t>(best));
    }
  return RuntimeValue(std::move(*result));
}

}  // namespace

namespace rules {

RULE(reduce) {
  const Tensor &input = e.operand(0), &initial = e.operand(1);
  auto result = e.result();
  if (!result) return std::nullopt;
  const Reduce reduce(e.instruction);
  Accumulators sums(e, reduce.combinator(), input.element(), result->size());
  for (std::size_t i = 0; i < result->size(); ++i) sums.start(i, initial, 0);
  const auto positions = reduced_positions(input.extents(), reduce.axes());
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!sums.step(positions[i], input, i)) return std::nullopt;
  for (std::size_t i = 0; i < result->size(); ++i) sums.write(i, *result, i);
  return RuntimeValue(std::move(*result));
}

RULE(scan) {
  const Tensor& input = e.operand(0);
  auto result = e.result();
  if (!result) return std::nullopt;
  const Scan scan(e.instruction);
  const Line l = line(input.extents(), scan.axis());
  Accumulators sums(e, scan.combinator(), input.element(), l.outer * l.inner);
  for (std::size_t o = 0; o < l.outer; ++o)
    for (std::size_t k = 0; k < l.along; ++k)
      for (std::size_t i = 0; i < l.inner; ++i) {
        const std::size_t sum = o * l.inner + i, at = l.at(o, k, i);
        if (k == 0)
          sums.start(sum, input, at);
        else if (!sums.step(sum, input, at))
          return std::nullopt;
        sums.write(sum, *result, at);
      }
  return RuntimeValue(std::move(*result));
}

RULE(recurrence) {
  const Tensor &factors = e.operand(0), &terms = e.operand(1);
  auto result = e.result();
  if (!result) return std::nullopt;
  const Line l = line(terms.extents(), Recurrence(e.instruction).axis());
  for (std::size_t o = 0; o < l.outer; ++o)
    for (std::size_t i = 0; i < l.inner; ++i) {
      double state = 0;
      for (std::size_t k = 0; k < l.along; ++k) {
        const std::size_t at = l.at(o, k, i);
        const double factor = factors.real(at);
        state = (factor == 0 || state == 0 ? 0 : factor * state) + terms.real(at);
        result->set(at, state);
      }
    }
  return RuntimeValue(std::move(*result));
}

RULE(argmax) {
  return extremum(e, [](auto x, auto y) { return x > y; });
}
RULE(argmin) {
  return extremum(e, [](auto x, auto y) { return x < y; });
}

}  // namespace rules
}  // namespace dlvm::evaluation
