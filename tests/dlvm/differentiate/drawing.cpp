#include "tests/dlvm/differentiate/drawing.h"

#include <algorithm>
#include <numeric>

namespace derivatives {

namespace {
constexpr std::int64_t max_elements = 18;
}

Drawing::Drawing(std::uint64_t seed) : random_(seed) {
  element = floating();
  n_ = below(4);
  m_ = 1 + below(2);
}

ElementType Drawing::floating() {
  constexpr ElementType types[]{ElementType::f64, ElementType::f64, ElementType::f32, ElementType::f16,
                                ElementType::bf16};
  return pick(types);
}

Axis Drawing::axis() {
  switch (below(6)) {
    case 0:
      return {Extent::dimension("N"), n_};
    case 1:
      return {Extent::dimension("M"), m_};
    case 2:
      return {1, 1};
    default: {
      const std::int64_t extent = one_in(12) ? 0 : 1 + below(3);
      return {extent, extent};
    }
  }
}

Axes Drawing::axes(std::size_t min_rank, std::size_t max_rank) {
  const std::size_t rank =
      min_rank + static_cast<std::size_t>(below(static_cast<std::int64_t>(max_rank - min_rank) + 1));
  for (;;) {
    Axes made(rank);
    for (Axis& each : made) each = axis();
    if (element_count(made) <= max_elements) return made;
  }
}

Axes Drawing::stretching(const Axes& whole) {
  Axes made = whole;
  if (one_in(3)) made.erase(made.begin(), made.begin() + below(static_cast<std::int64_t>(whole.size()) + 1));
  for (Axis& each : made)
    if (one_in(4)) each = {1, 1};
  return made;
}

Integers Drawing::some_axes(std::size_t rank) {
  Integers all(rank);
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), random_);
  all.resize(1 + static_cast<std::size_t>(below(static_cast<std::int64_t>(rank))));
  return all;
}

void Drawing::add_input(const Axes& axes, double low, double high) { add_input(element, axes, low, high); }

void Drawing::add_input(ElementType of, const Axes& axes, double low, double high) {
  draw.parameters.push_back(Type::tensor(of, shape_of(axes)));
  draw.inputs.push_back(
      derivatives::draw(random_, is_floating(of) ? ElementType::f64 : of, actual_extents(axes), low, high));
}

void Drawing::add_dimensions(const Axes& axes) { add_input(ElementType::boolean, axes, 0, 1); }

Shape shape_of(const Axes& axes) {
  Shape shape;
  for (const Axis& axis : axes) shape.push_back(axis.extent);
  return shape;
}

std::vector<std::int64_t> actual_extents(const Axes& axes) {
  std::vector<std::int64_t> extents;
  for (const Axis& axis : axes) extents.push_back(axis.actual);
  return extents;
}

std::int64_t element_count(const Axes& axes) {
  std::int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.actual;
  return count;
}

std::vector<Drawer> drawers() {
  std::vector<Drawer> all;
  for (const auto& part : {elementwise_drawers(), shape_drawers(), aggregation_drawers()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace derivatives
