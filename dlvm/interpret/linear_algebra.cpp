// The rule of contractions: sums of products in float64 (or wrapping 64-bit integers), rounded once.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/products.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation {
namespace {

/// The element numbers of all positions of some axes of a tensor, in row-major order of those axes.
std::vector<std::size_t> offsets(const Extents& extents, const Integers& axes) {
  const auto strides = strides_of(extents);
  std::vector<std::size_t> all{0};
  for (const auto axis : axes) {
    std::vector<std::size_t> next;
    for (const std::size_t base : all)
      for (std::int64_t i = 0; i < extents[static_cast<std::size_t>(axis)]; ++i)
        next.push_back(base + static_cast<std::size_t>(i * strides[static_cast<std::size_t>(axis)]));
    all = std::move(next);
  }
  return all;
}

Integers side(const AxisPairs& pairs, bool left) {
  Integers axes;
  for (const auto& [l, r] : pairs) axes.push_back(left ? l : r);
  return axes;
}

/// result[b, m, n] = sum over k of left[b, m, k] * right[b, k, n], each list the positions of one operand.
struct Contraction {
  std::vector<std::size_t> left_batch, right_batch, m, n, left_k, right_k;
};

template <typename Number>
void contract(const Contraction& c, const std::vector<Number>& x, const std::vector<Number>& y,
              Tensor& result) {
  constexpr std::size_t widest = Panel<Number>::widest;
  const std::size_t depth = c.left_k.size();
  std::vector<Number> rows(c.m.size() * depth);
  for (std::size_t b = 0; b < c.left_batch.size(); ++b) {
    for (std::size_t m = 0; m < c.m.size(); ++m)
      for (std::size_t k = 0; k < depth; ++k) rows[m * depth + k] = x[c.left_batch[b] + c.m[m] + c.left_k[k]];
    for (std::size_t first = 0; first < c.n.size(); first += widest) {
      const std::size_t width = std::min(widest, c.n.size() - first);
      Panel<Number> panel(depth, width);
      for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t n = 0; n < width; ++n)
          panel.at(k, n) = y[c.right_batch[b] + c.right_k[k] + c.n[first + n]];
      for (std::size_t m = 0; m < c.m.size(); ++m) {
        std::array<Number, widest> sums{};
        panel.add_products(rows.data() + m * depth, 0, depth, sums.data());
        for (std::size_t n = 0; n < width; ++n)
          result.set((b * c.m.size() + m) * c.n.size() + first + n, sums[n]);
      }
    }
  }
}

}  // namespace

namespace rules {

RULE(dot) {
  const Tensor &left = e.operand(0), &right = e.operand(1);
  const DotAxes axes = Dot(e.instruction).axes();
  for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
    for (const auto& [l, r] : *pairs)
      if (left.extents()[static_cast<std::size_t>(l)] != right.extents()[static_cast<std::size_t>(r)])
        return e.fail(InterpretError::Kind::extent,
                      fmt::format("axis {} of the left has extent {}, axis {} of the right {}", l,
                                  left.extents()[static_cast<std::size_t>(l)], r,
                                  right.extents()[static_cast<std::size_t>(r)]));
  auto result = e.result();
  if (!result) return std::nullopt;
  const Contraction c{offsets(left.extents(), side(axes.batch, true)),
                      offsets(right.extents(), side(axes.batch, false)),
                      offsets(left.extents(), axes.left_free),
                      offsets(right.extents(), axes.right_free),
                      offsets(left.extents(), side(axes.contract, true)),
                      offsets(right.extents(), side(axes.contract, false))};
  if (result->size() == 0) return RuntimeValue(std::move(*result));
  if (is_floating(left.element()))
    contract(c, reals(left), reals(right), *result);
  else
    contract(c, integers(left), integers(right), *result);
  return RuntimeValue(std::move(*result));
}

}  // namespace rules
}  // namespace dlvm::evaluation
