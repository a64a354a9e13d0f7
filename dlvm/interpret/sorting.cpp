// Sorts, and what follows from the order of a row.
#include "dlvm/interpret/sorting.h"

#include <algorithm>
#include <cmath>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/line.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Whether element a is below element b.
bool is_below(const Tensor& tensor, std::size_t a, std::size_t b) {
  if (is_floating(tensor.element())) {
    const double x = tensor.real(a), y = tensor.real(b);
    return !std::isnan(x) && (std::isnan(y) || x < y);
  }
  const std::int64_t x = tensor.integer(a), y = tensor.integer(b);
  if (tensor.element() == ElementType::u64)
    return static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(y);
  return x < y;
}

}  // namespace

std::vector<std::size_t> sorted(const Tensor& tensor, std::vector<std::size_t> row, bool descending) {
  std::ranges::stable_sort(row, [&](std::size_t a, std::size_t b) {
    return descending ? is_below(tensor, b, a) : is_below(tensor, a, b);
  });
  return row;
}

namespace evaluation {
namespace {

/// Calls `visit(o, i, order)` for each row along the axis: `order[k]` is the element that comes to place k.
template <typename Visit>
void for_each_order(const Tensor& input, const Line& l, bool descending, const Visit& visit) {
  for (std::size_t o = 0; o < l.outer; ++o)
    for (std::size_t i = 0; i < l.inner; ++i) {
      std::vector<std::size_t> row;
      for (std::size_t k = 0; k < l.along; ++k) row.push_back(l.at(o, k, i));
      visit(o, i, sorted(input, std::move(row), descending));
    }
}

/// The place along the axis at which element `at` stands.
std::int64_t place(const Line& l, std::size_t at) {
  return static_cast<std::int64_t>(at / l.inner % l.along);
}

void copy_element(const Tensor& from, std::size_t source, Tensor& to, std::size_t target) {
  const std::size_t bytes = info(to.element()).bytes;
  std::copy_n(from.data() + source * bytes, bytes, to.data() + target * bytes);
}

}  // namespace

namespace rules {

RULE(argsort) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Sort sort(e.instruction);
  const Line l = line(e.operand(0).extents(), sort.axis());
  for_each_order(e.operand(0), l, sort.is_descending(), [&](auto o, auto i, const auto& order) {
    for (std::size_t k = 0; k < order.size(); ++k) result->set(l.at(o, k, i), place(l, order[k]));
  });
  return RuntimeValue(std::move(*result));
}

RULE(sort) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Sort sort(e.instruction);
  const Line l = line(e.operand(0).extents(), sort.axis());
  for_each_order(e.operand(0), l, sort.is_descending(), [&](auto o, auto i, const auto& order) {
    for (std::size_t k = 0; k < order.size(); ++k)
      copy_element(e.operand(0), order[k], *result, l.at(o, k, i));
  });
  return RuntimeValue(std::move(*result));
}

RULE(topk) {
  const TopK topk(e.instruction);
  const Tensor& input = e.operand(0);
  const auto count = e.extent(topk.count());
  if (!count) return std::nullopt;
  Extents extents = input.extents();
  if (*count < 0 || *count > extents[topk.axis()])
    return e.fail(InterpretError::Kind::extent, "there are " + std::to_string(extents[topk.axis()]) +
                                                    " elements to take " + std::to_string(*count) + " of");
  extents[topk.axis()] = *count;
  Tensor values(input.element(), extents), positions(ElementType::i32, extents);
  const Line from = line(input.extents(), topk.axis()), to = line(extents, topk.axis());
  for_each_order(input, from, true, [&](auto o, auto i, const auto& order) {
    for (std::size_t k = 0; k < to.along; ++k) {
      copy_element(input, order[k], values, to.at(o, k, i));
      positions.set(to.at(o, k, i), place(from, order[k]));
    }
  });
  return RuntimeValue(std::vector<RuntimeValue>{std::move(values), std::move(positions)});
}

}  // namespace rules
}  // namespace evaluation
}  // namespace dlvm
