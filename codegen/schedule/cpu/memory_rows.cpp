// Rows of memory that are a product's columns.
#include "codegen/schedule/cpu/memory_rows.h"

#include <algorithm>

namespace codegen::schedule::cpu {
namespace {

using Kind = Index::Quotient::Kind;

/// Vectors in a row of memory from which on a test whether a vector is in one row costs less than an access
/// to the next row under a mask without lanes.
constexpr std::int64_t long_row_vectors = 4;

}  // namespace

MemoryRows::MemoryRows(const AxisGroup& n, AxisGroup line, std::int64_t lanes)
    : lanes_(lanes), line_(std::move(line)) {
  for (std::size_t i = 0; i + line_.axes.size() < n.axes.size(); ++i) rows_.add(*n.axes[i]);
}

std::vector<Bound> MemoryRows::bind(const Index& first, const Index& lane, std::int64_t number,
                                    Renaming& renaming) const {
  const std::int64_t column = number == 0 ? 0 : number * (lanes_ - 1) / (per_vector() - 1);
  const Index at = first + constant_index(column);
  const Index inside =
      kernel::quotient_index({Kind::modulo, at, line_.extent}) + lane + constant_index(-column);
  const Index row = kernel::quotient_index({Kind::floor, at, line_.extent});
  // Behind the last column is row 0 again: no address is outside of memory, which would be slow though
  // masked.
  if (!rows_.axes.empty()) rows_.bind(kernel::quotient_index({Kind::modulo, row, rows_.extent}), renaming);
  line_.bind(inside, renaming);
  return {{inside, line_.extent}, {row, rows_.extent}};
}

std::int64_t MemoryRows::per_vector() const {
  const std::int64_t length = *line_.extent.constant();
  return rows_.extent.is(1) ? 1 : (lanes_ + length - 2) / length + 1;
}

bool MemoryRows::are_long() const { return *line_.extent.constant() >= long_row_vectors * lanes_; }

Bound MemoryRows::crosses(const Index& first) const {
  const Index inside = kernel::quotient_index({Kind::modulo, first, line_.extent});
  return {inside + constant_index(lanes_ - 1 - *line_.extent.constant()), lanes_};
}

Body MemoryRows::prefetch(ProductNest& nest, const Access& result, const Index& first_row,
                          const Index& column) const {
  Loop i = nest.builder.open("row", LoopKind::serial, nest.plan.rows);
  const Index row = first_row + variable(i.id);
  i.bounds.push_back({row, nest.axes.m.extent});
  Renaming renaming = nest.builder.outer;
  nest.axes.m.bind(row, renaming);
  const Layout& layout = nest.lowering.schedule.buffers[result.buffer].layout;
  const auto step = stride(offset(result, layout), nest.axes.n.axes.back()->id);
  const std::int64_t lines = step && step->constant() == 2 ? 2 : 1;  // of a vector
  const std::int64_t elements = std::max<std::int64_t>(lanes_ / lines, 1);
  Loop part = nest.builder.open("part", LoopKind::unrolled, nest.plan.columns, elements);
  bind(column + variable(part.id), constant_index(0), 0, renaming);
  Body body;
  body.push_back({Prefetch{rename(result, renaming), true}});
  return around(std::move(i), around(std::move(part), std::move(body)));
}

Body MemoryRows::pack(ContractionBuilder& builder, const PackedOperand& p, bool ragged) const {
  Loop part = builder.open("part", LoopKind::serial, p.block / p.size);
  Loop copy = builder.open("copy", LoopKind::unrolled, p.size / lanes_);
  const Index first_of_part = p.first + variable(part.id) * Extent(p.size);
  const Index first_column = first_of_part + variable(copy.id) * Extent(lanes_);
  part.bounds.push_back({first_of_part, p.other.extent});
  Renaming renaming = builder.outer;
  std::vector<Loop> taps;
  Index term = constant_index(0);
  for (const kernel::Axis* axis : p.split->inner) {
    taps.push_back(builder.open(axis->name.c_str(), LoopKind::serial, axis->extent));
    renaming.axes[axis->id] = variable(taps.back().id);
    term = term * axis->extent + variable(taps.back().id);
  }
  Loop step = builder.open("step", LoopKind::serial, Extent::floor_divide(p.depth, p.split->size));
  const Index at = kernel::floor_divide(p.first_k, p.split->size, {}) + variable(step.id);
  if (ragged) step.bounds.push_back({at, p.split->outer.extent});
  p.split->outer.bind(at, renaming);
  Loop lane = builder.open("lane", LoopKind::vector, lanes_);
  Body body;
  const auto& load = std::get<Scalar::Load>(builder.stage.body[p.operand].definition);
  ValueId value = builder.let({builder.type, Scalar::Literal{dlvm::Tensor(builder.type, {})}}, body);
  for (std::int64_t row = 0; row < per_vector(); ++row) {
    std::vector<Bound> bounds = bind(first_column, variable(lane.id), row, renaming);
    Scalar::Load one{rename(load.access, renaming), rename(load.bounds, renaming), value};
    one.bounds.insert(one.bounds.end(), bounds.begin(), bounds.end());
    value = builder.let({builder.type, std::move(one)}, body);
  }
  const Index place = p.first_term + variable(step.id) * Extent(p.split->size) + term;
  const Index inside = variable(copy.id) * Extent(lanes_) + variable(lane.id);
  body.push_back(
      {Store{{p.panel, {p.first_part + variable(part.id), place, inside}}, {}, value, std::nullopt}});
  // A whole part at once, so that more of each line of memory is used when it is there; of many rows a
  // vector, so that their masks stay in registers.
  std::vector<Loop> nest{std::move(part)};
  std::ranges::move(taps, std::back_inserter(nest));
  nest.push_back(std::move(step));
  nest.insert(per_vector() <= 2 ? nest.end() : nest.begin() + 1, std::move(copy));
  nest.push_back(std::move(lane));
  return nested(std::move(nest), std::move(body));
}

}  // namespace codegen::schedule::cpu
