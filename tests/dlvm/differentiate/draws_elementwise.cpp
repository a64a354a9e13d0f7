// Elementwise instructions, conversions and random numbers.
#include <algorithm>

#include "tests/dlvm/differentiate/drawing.h"
#include "tests/dlvm/differentiate/elementwise_ranges.h"

namespace derivatives {
namespace {

OperandRange range_of(Drawing& d, Opcode opcode, std::span<const OperandRange> ranges) {
  std::vector<OperandRange> fitting;
  for (const OperandRange& range : ranges)
    if (range.opcode == opcode) fitting.push_back(range);
  return d.pick(fitting);
}

void unary(Drawing& d, Opcode opcode) {
  const OperandRange range = range_of(d, opcode, unary_ranges);
  d.add_input(d.axes(), range.low, range.high);
  d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.unary(opcode, x[0]); };
}

/// The base of a constant exponent may be negative.
void power_by_constant(Drawing& d) {
  const double exponent = static_cast<double>(d.below(9) - 3), side = d.one_in(2) ? 1 : -1;
  d.add_input(d.axes(), side > 0 ? 0.5 : -2, side > 0 ? 2 : -0.5);
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    return b.add(b.binary(Opcode::power, x[0], b.constant(x[0]->type().element(), exponent)), x[0]);
  };
}

/// Of two values that stretch, of one value twice, or of a value and a literal.
void binary(Drawing& d, Opcode opcode) {
  if (opcode == Opcode::power && d.one_in(3)) return power_by_constant(d);
  const OperandRange range = range_of(d, opcode, binary_ranges);
  const Axes whole = d.axes();
  d.add_input(d.stretching(whole), range.low, range.high);
  const std::int64_t kind = d.below(6);
  if (kind == 0 && opcode != Opcode::modulo) {  // which is at a step everywhere
    d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.binary(opcode, x[0], x[0]); };
  } else if (kind == 1) {
    const double number = d.uniform(range.low, range.high);
    const bool left = d.one_in(2);
    d.draw.body = [=](Module&, Builder& b, const Values& x) {
      Value* literal = b.constant(x[0]->type().element(), number);
      return left ? b.binary(opcode, literal, x[0]) : b.binary(opcode, x[0], literal);
    };
  } else {
    d.add_input(d.stretching(whole), range.low, range.high);
    d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.binary(opcode, x[0], x[1]); };
  }
}

void select(Drawing& d, Opcode) {
  const Axes whole = d.axes();
  for (int i = 0; i < 2; ++i) d.add_input(d.stretching(whole));
  d.add_input(ElementType::boolean, d.stretching(whole), 0, 2);
  d.draw.body = [](Module&, Builder& b, const Values& x) { return b.select(x[0], x[1], x[2]); };
}

void cast(Drawing& d, Opcode) {
  d.add_input(d.axes());
  const ElementType to = d.floating();
  d.draw.body = [=](Module&, Builder& b, const Values& x) { return b.cast(x[0], to); };
}

void random(Drawing& d, Opcode) {
  const Axes axes = d.axes();
  d.add_input({}, -2, 0);
  d.add_input({}, 1, 2);
  d.add_dimensions(axes);
  const std::int64_t words = d.below(3);  // no key, a key, or a key and a counter
  d.draw.body = [=](Module&, Builder& b, const Values& x) {
    Values operands{x[0], x[1]};
    for (std::int64_t i = 0; i < words; ++i) operands.push_back(b.constant(ElementType::u64, 5));
    return b.create(Opcode::random, operands, {shape_of(axes)});
  };
}

}  // namespace

std::span<const Drawer> elementwise_drawers() {
  static const std::vector<Drawer> all = [] {
    std::vector<Drawer> rows;
    const auto add = [&](Opcode opcode, void (*draw)(Drawing&, Opcode)) {
      if (rows.empty() ||
          std::none_of(rows.begin(), rows.end(), [&](const Drawer& row) { return row.opcode == opcode; }))
        rows.push_back({opcode, draw});
    };
    for (const OperandRange& range : unary_ranges) add(range.opcode, unary);
    for (const OperandRange& range : binary_ranges) add(range.opcode, binary);
    add(Opcode::select, select);
    add(Opcode::dataTypeCast, cast);
    add(Opcode::random, random);
    return rows;
  }();
  return all;
}

}  // namespace derivatives
