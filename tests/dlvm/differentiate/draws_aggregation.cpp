// Reductions, scans, sorts, contractions and convolutions.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/dlvm/differentiate/drawing.h"
#include "tests/support/random_windows.h"

namespace derivatives {
namespace {

Value* log_of_sum(Builder& b, const Values& x) {
  return b.unary(Opcode::log, b.add(b.unary(Opcode::exp, x[0]), b.unary(Opcode::exp, x[1])));
}
Value* first(Builder&, const Values& x) { return x[0]; }
Value* second(Builder&, const Values& x) { return x[1]; }

/// An instruction or an associative function that combines two elements.
struct CombinatorChoice {
  Opcode opcode = Opcode::add;
  Value* (*function)(Builder&, const Values&) = nullptr;

  Combinator in(Module& module, ElementType element) const {
    if (function == nullptr) return {opcode, nullptr};
    const Type scalar = Type::scalar(element);
    return {Opcode::add, define(module, module.fresh_name("combine"), {scalar, scalar}, function)};
  }
};
CombinatorChoice combinator(Drawing& d) {
  constexpr CombinatorChoice choices[]{{Opcode::add},        {Opcode::multiply},        {Opcode::max},
                                       {Opcode::min},        {Opcode::add, log_of_sum}, {Opcode::add, first},
                                       {Opcode::add, second}};
  return d.pick(choices);
}

/// The initial value: the last input, a literal, or what changes nothing.
using Initial = std::function<Value*(Builder&, const Values&)>;
Initial initial(Drawing& d, const CombinatorChoice& by, bool may_be_empty) {
  d.add_input({});
  const std::int64_t kind = d.below(3);
  double number = 0.3;
  if (kind == 1 && by.function == nullptr && by.opcode == Opcode::add) number = 0;
  if (kind == 1 && by.opcode == Opcode::multiply) number = 1;
  // An extremum of nothing would be infinite.
  if (kind == 1 && !may_be_empty && by.opcode == Opcode::max) number = -INFINITY;
  if (kind == 1 && !may_be_empty && by.opcode == Opcode::min) number = INFINITY;
  return [=](Builder& b, const Values& x) {
    return kind == 0 ? x.back() : b.constant(x.back()->type().element(), number);
  };
}

void reduce(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  const Integers along = d.some_axes(axes.size());
  const CombinatorChoice by = combinator(d);
  const Initial init = initial(d, by, element_count(axes) == 0);
  d.draw.body = [=](Module& module, Builder& b, const Values& x) {
    return b.reduce(x[0], by.in(module, x[0]->type().element()), init(b, x), along);
  };
}

void reduce_window(Drawing& d, Opcode) {
  test::RandomWindow window;
  std::int64_t count = 0;
  do {
    window = test::random_window(d.random(), 4);
    count = 1;
    for (const auto extent : window.input) count *= extent;
  } while (count > 24);
  Axes axes;
  for (const auto extent : window.input) axes.push_back({extent, extent});
  d.add_input(axes);
  constexpr CombinatorChoice choices[]{
      {Opcode::add}, {Opcode::add}, {Opcode::max}, {Opcode::min}, {Opcode::multiply}};
  CombinatorChoice by = d.pick(choices);
  std::int64_t taps = 1;
  for (const WindowAxis& axis : window.axes) taps *= axis.taps.constant().value_or(1);
  if (by.opcode == Opcode::multiply && taps > 4) by.opcode = Opcode::add;  // step by step, long code
  const Initial init = initial(d, by, true);
  d.draw.body = [=](Module& module, Builder& b, const Values& x) {
    return b.reduce_window(x[0], by.in(module, x[0]->type().element()), init(b, x), window.axes);
  };
}

void scan(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  const std::int64_t along = d.axis_of(axes);
  const CombinatorChoice by = combinator(d);
  d.draw.body = [=](Module& module, Builder& b, const Values& x) {
    return b.scan(x[0], by.in(module, x[0]->type().element()), along);
  };
}

void recurrence(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  d.add_input(axes);
  const std::int64_t along = d.axis_of(axes);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::recurrence, {x[0], x[1]}, {Integers{along}});
  };
}

void sort(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  const std::int64_t along = d.axis_of(axes);
  constexpr Opcode comparisons[]{Opcode::lessThan, Opcode::greaterThan};
  const Attribute by = d.one_in(3) ? Attribute() : Attribute(Combinator{d.pick(comparisons), nullptr});
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::sort, {x[0]}, {by, Integers{along}});
  };
}

void topk(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  const std::int64_t along = d.axis_of(axes);
  const Extent& extent = axes[static_cast<std::size_t>(along)].extent;
  const Extent count = extent.constant() ? Extent(d.below(*extent.constant() + 1)) : extent;
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.extract(b.create(Opcode::topk, {x[0]}, {Shape{count}, Integers{along}}), 0);
  };
}

/// The axes of one operand of a dot: each is contracted (0), of the batch (1) or free (2).
struct Labelled {
  int kind;
  Axis axis;
};
std::int64_t position(const std::vector<Labelled>& operand, int kind, std::int64_t number) {
  for (std::size_t i = 0; i < operand.size(); ++i)
    if (operand[i].kind == kind && number-- == 0) return static_cast<std::int64_t>(i);
  return -1;
}

using Sides = std::array<std::vector<Labelled>, 2>;

/// Up to two axes of each kind in each operand; those that belong together are alike and in the same order.
Sides labelled_axes(Drawing& d, std::array<std::int64_t, 3>& counts) {
  Sides sides;
  for (int kind = 0; kind < 3; ++kind)
    for (std::size_t side = 0; side < 2; ++side) {
      if (kind == 2 || side == 0) counts[static_cast<std::size_t>(kind)] = d.below(3);
      for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(kind)]; ++i) {
        const bool partner = kind < 2 && side == 1;
        sides[side].push_back(
            {kind,
             partner ? sides[0][static_cast<std::size_t>(position(sides[0], kind, i))].axis : d.axis()});
      }
    }
  return sides;
}

/// Mixes the axes; those of a kind stay in order.
std::vector<Labelled> mixed(Drawing& d, const std::vector<Labelled>& side) {
  std::vector<Labelled> out;
  for (const Labelled& each : side) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i].kind == each.kind) last = static_cast<std::int64_t>(i) + 1;
    out.insert(out.begin() + last + d.below(static_cast<std::int64_t>(out.size()) - last + 1), each);
  }
  return out;
}

Axes axes_of(const std::vector<Labelled>& side) {
  Axes axes;
  for (const Labelled& each : side) axes.push_back(each.axis);
  return axes;
}

void dot(Drawing& d, Opcode) {
  std::array<std::int64_t, 3> counts{};
  Sides sides = labelled_axes(d, counts);
  const auto fits = [](const auto& side) { return side.size() <= 5 && element_count(axes_of(side)) <= 18; };
  while (!fits(sides[0]) || !fits(sides[1])) sides = labelled_axes(d, counts);
  for (auto& side : sides) {
    side = mixed(d, side);
    d.add_input(axes_of(side));
  }
  AxisPairs pairs[2];
  for (int kind = 0; kind < 2; ++kind) {
    for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(kind)]; ++i)
      pairs[kind].emplace_back(position(sides[0], kind, i), position(sides[1], kind, i));
    std::shuffle(pairs[kind].begin(), pairs[kind].end(), d.random());
  }
  const AxisPairs usual{{static_cast<std::int64_t>(sides[0].size()) - 1, 0}};
  const bool is_usual = pairs[0] == usual && pairs[1].empty();
  const Attribute contract = is_usual && d.one_in(2) ? Attribute() : Attribute(pairs[0]);
  const Attribute batch = pairs[1].empty() && d.one_in(2) ? Attribute() : Attribute(pairs[1]);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::dot, {x[0], x[1]}, {contract, batch});
  };
}

void convolve(Drawing& d, Opcode) {
  test::RandomConvolution c;
  Axes input, kernel;
  do {
    c = test::random_convolution(d.random(), 2);
    input.clear();
    kernel.clear();
    for (const auto extent : c.input) input.push_back({extent, extent});
    for (const auto extent : c.kernel) kernel.push_back({extent, extent});
  } while (element_count(input) > 30 || element_count(kernel) > 24);
  d.add_input(input, -1, 1);
  d.add_input(kernel, -1, 1);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.convolve(x[0], x[1], c.axes, c.groups);
  };
}

constexpr Drawer all[]{
    {Opcode::reduce, reduce}, {Opcode::reduceWindow, reduce_window},
    {Opcode::scan, scan},     {Opcode::recurrence, recurrence},
    {Opcode::sort, sort},     {Opcode::topk, topk},
    {Opcode::dot, dot},       {Opcode::convolve, convolve},
};

}  // namespace

std::span<const Drawer> aggregation_drawers() { return all; }

}  // namespace derivatives
