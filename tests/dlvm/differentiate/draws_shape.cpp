// Instructions that move elements, tuples and calls.
#include <algorithm>
#include <numeric>

#include "dlvm/ir/replacement.h"
#include "tests/dlvm/differentiate/drawing.h"

namespace derivatives {
namespace {

void pad_shape(Drawing& d, Opcode) {
  const Axes axes = d.axes(0, 4);
  d.add_input(axes);
  const std::int64_t at = d.below(static_cast<std::int64_t>(axes.size()) + 1);
  d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.pad_shape(x[0], at); };
}

void squeeze_shape(Drawing& d, Opcode) {
  Axes axes = d.axes(0, 4);
  const std::int64_t at = d.below(static_cast<std::int64_t>(axes.size()) + 1);
  axes.insert(axes.begin() + at, Axis{1, 1});
  d.add_input(axes);
  d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.squeeze_shape(x[0], at); };
}

/// Joins some axes with the next ones, and adds axes of extent 1.
void shape_cast(Drawing& d, Opcode) {
  const Axes axes = d.axes();
  d.add_input(axes);
  Shape to;
  for (const Axis& axis : axes) {
    if (d.one_in(6)) to.emplace_back(1);
    if (!to.empty() && d.one_in(2))
      to.back() = to.back() * axis.extent;
    else
      to.push_back(axis.extent);
  }
  if (d.one_in(4)) std::erase_if(to, [](const Extent& extent) { return extent.is(1); });
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::shapeCast, {x[0]}, {to});
  };
}

void transpose(Drawing& d, Opcode) {
  const Axes axes = d.axes();
  d.add_input(axes);
  Integers permutation(axes.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), d.random());
  const Attribute by = d.one_in(3) ? Attribute() : Attribute(permutation);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::transpose, {x[0]}, {by});
  };
}

void reverse(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  const Integers along = d.some_axes(axes.size());
  d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.reverse(x[0], along); };
}

void slice(Drawing& d, Opcode) {
  const Axes axes = d.axes(1);
  d.add_input(axes);
  Shape first, end;
  Integers steps;
  for (const Axis& axis : axes) {
    const auto extent = axis.extent.constant();
    const std::int64_t from = extent ? d.below(*extent + 1) : 0;
    first.emplace_back(from);
    end.push_back(extent ? Extent(from + d.below(*extent - from + 1)) : axis.extent);
    steps.push_back(1 + d.below(3));
  }
  const Attribute by = d.one_in(2) ? Attribute() : Attribute(steps);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::slice, {x[0]}, {first, end, by});
  };
}

void concatenate(Drawing& d, Opcode) {
  Axes axes = d.axes(1);
  const std::int64_t along = d.axis_of(axes);
  for (std::int64_t count = 1 + d.below(3); count > 0; --count) {
    d.add_input(axes);
    axes[static_cast<std::size_t>(along)] = d.axis();
  }
  const bool twice = d.one_in(4);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    Values parts = x;
    if (twice) parts.push_back(x[0]);
    return b.concatenate(parts, along);
  };
}

void pad(Drawing& d, Opcode) {
  const Axes axes = d.axes();
  d.add_input(axes);
  d.add_input({});
  ExtentPairs amounts;
  for (std::size_t i = 0; i < axes.size(); ++i) amounts.emplace_back(d.below(3), d.below(3));
  if (d.one_in(2))
    std::ranges::replace_if(
        amounts, [&](const auto&) { return d.one_in(2); }, std::pair<Extent, Extent>{0, 0});
  const bool literal = d.one_in(3);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.pad(x[0], amounts, literal ? b.constant(x[0]->type().element(), 0.5) : x[1]);
  };
}

void broadcast(Drawing& d, Opcode) {
  const Axes whole = d.axes();
  d.add_input(d.stretching(whole));
  d.add_dimensions(whole);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.create(Opcode::broadcast, {x[0]}, {shape_of(whole)});
  };
}

/// Axes of a tensor, adjacent and not empty, and the indices into them.
struct Indexed {
  Axes input, updates;
  Integers axes;
};
Indexed indexed(Drawing& d) {
  Indexed made;
  made.input = d.axes(1, 4);
  const std::int64_t first = d.axis_of(made.input), rank = static_cast<std::int64_t>(made.input.size());
  for (std::int64_t i = first; i < std::min(rank, first + 1 + d.below(2)); ++i) made.axes.push_back(i);
  for (const std::int64_t axis : made.axes) {
    Axis& each = made.input[static_cast<std::size_t>(axis)];
    if (each.actual == 0) each = {2, 2};
  }
  return made;
}
void add_indices(Drawing& d, Indexed& of) {
  Axes indices;
  while (element_count(indices) > 6 || indices.empty()) {
    indices = d.axes(0, 2);
    if (indices.empty()) break;
  }
  constexpr ElementType integers[]{ElementType::i32, ElementType::i64, ElementType::u8};
  for (const std::int64_t axis : of.axes)
    d.add_input(d.pick(integers), indices, 0,
                static_cast<double>(of.input[static_cast<std::size_t>(axis)].actual));
  of.updates = of.input;
  of.updates.erase(of.updates.begin() + of.axes.front(), of.updates.begin() + of.axes.back() + 1);
  of.updates.insert(of.updates.begin() + of.axes.front(), indices.begin(), indices.end());
}

void gather(Drawing& d, Opcode) {
  Indexed of = indexed(d);
  d.add_input(of.input);
  add_indices(d, of);
  d.draw.body = [axes = of.axes](Module&, Builder& b, const Values& x) {
    return b.gather(x[0], {x.begin() + 1, x.end()}, axes);
  };
}

void scatter(Drawing& d, Opcode) {
  Indexed of = indexed(d);
  d.add_input(of.input);
  add_indices(d, of);
  d.add_input(of.updates);
  // `literal` stands for the function that replaces.
  constexpr Opcode combinators[]{Opcode::add, Opcode::multiply, Opcode::max, Opcode::min, Opcode::literal};
  d.draw.body = [axes = of.axes, by = d.pick(combinators)](Module& module, Builder& b, const Values& x) {
    Combinator combinator{by, nullptr};
    if (by == Opcode::literal) combinator = {Opcode::add, replacement(module, x[0]->type().element())};
    return b.scatter(x.back(), x[0], {x.begin() + 1, x.end() - 1}, combinator, axes);
  };
}

void tuple(Drawing& d, Opcode opcode) {
  d.add_input(d.axes());
  d.add_input(d.axes());
  const std::int64_t position = d.below(2);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    Value* both = b.tuple({x[0], x[1]});
    if (opcode == Opcode::insert) both = b.create(Opcode::insert, {x[0], both}, {Integers{0}});
    return b.extract(both, position);
  };
}

void apply(Drawing& d, Opcode) {
  d.add_input(d.axes());
  d.draw.body = [](Module& module, Builder& b, const Values& x) {
    const Function* callee = define(module, module.fresh_name("callee"), {x[0]->type()},
                                    [](Builder& in, const Values& y) { return in.unary(Opcode::sin, y[0]); });
    return b.multiply(b.apply(callee, {x[0]}), b.apply(callee, {b.apply(callee, {x[0]})}));
  };
}

constexpr Drawer all[]{
    {Opcode::literal, tuple},
    {Opcode::extract, tuple},
    {Opcode::insert, tuple},
    {Opcode::apply, apply},
    {Opcode::padShape, pad_shape},
    {Opcode::squeezeShape, squeeze_shape},
    {Opcode::shapeCast, shape_cast},
    {Opcode::transpose, transpose},
    {Opcode::reverse, reverse},
    {Opcode::slice, slice},
    {Opcode::concatenate, concatenate},
    {Opcode::pad, pad},
    {Opcode::broadcast, broadcast},
    {Opcode::gather, gather},
    {Opcode::scatter, scatter},
};

}  // namespace

std::span<const Drawer> shape_drawers() { return all; }

}  // namespace derivatives
