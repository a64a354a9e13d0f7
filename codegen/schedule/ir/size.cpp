#include "codegen/schedule/ir/size.h"

#include <algorithm>
#include <limits>

namespace codegen::schedule {
namespace {

/// Estimates saturate here, far above all limits.
constexpr std::int64_t max_estimate = std::numeric_limits<std::int32_t>::max();

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? max_estimate : std::min(product, max_estimate);
}
std::int64_t plus(std::int64_t a, std::int64_t b) { return std::min(a + b, max_estimate); }

/// Extents that are not constant are those of loops that remain.
std::int64_t elements(const Shape& sizes) {
  std::int64_t count = 1;
  for (const Extent& size : sizes)
    count = times(count, std::max<std::int64_t>(size.constant().value_or(1), 1));
  return count;
}

std::int64_t estimate(const Loop& loop) {
  const bool is_copied = loop.kind == LoopKind::unrolled || loop.kind == LoopKind::vector;
  const std::int64_t extent = is_copied ? loop.extent.constant().value_or(1) : 1;
  const std::int64_t trips = extent / loop.step + (extent % loop.step != 0);
  return plus(1, times(trips, instruction_estimate(loop.body)));
}
std::int64_t estimate(const Fill& fill) { return elements(fill.to.sizes); }
std::int64_t estimate(const Copy& copy) { return elements(copy.to.sizes); }
std::int64_t estimate(const Convert& convert) { return elements(convert.to.sizes); }
std::int64_t estimate(const MultiplyAccumulate& product) {
  return times(elements(product.to.sizes), elements({product.left.sizes.front()}));
}
std::int64_t estimate(const Reduce& reduce) {
  std::int64_t count = 0;
  for (const Tile& from : reduce.from) count = plus(count, elements(from.sizes));
  return count;
}
template <typename Single>
std::int64_t estimate(const Single&) {
  return 1;
}

}  // namespace

std::int64_t instruction_estimate(const Body& body) {
  std::int64_t count = 0;
  for (const Statement& statement : body)
    count = plus(count, std::visit([](const auto& node) { return estimate(node); }, statement.node));
  return count;
}

}  // namespace codegen::schedule
