// How operands are packed that are contiguous along k: squares of vectors are transposed into the panel.
#include "codegen/schedule/cpu/operand_packer.h"

namespace codegen::schedule::cpu {

/// Returns the number of terms, as many as the last axes of k have, that are neighbours in memory; 1 if the
/// extents are not known.
std::int64_t OperandPacker::contiguous_terms(const Access& access) const {
  std::int64_t terms = 1;
  for (std::size_t first = k_.axes.size(); first-- > 0;) {
    AxisGroup last;
    for (std::size_t i = first; i < k_.axes.size(); ++i) last.add(*k_.axes[i]);
    const auto step = collapsed_step(lowering_.schedule.buffers, access, last);
    if (!last.extent.constant() || !step || !step->is(1)) break;
    terms = *last.extent.constant();
  }
  return terms;
}

/// Returns whether the operand's buffer has room for whole squares at the end of both axes.
bool OperandPacker::is_padded(const PackedOperand& p) const {
  const Access* access = builder_.plain(p.operand, builder_.type);
  return access != nullptr && lowering_.padded.contains(access->buffer);
}

/// Returns whether the operand is squares of vectors along k, and at least half of what they read is of the
/// part.
bool OperandPacker::can_transpose(const PackedOperand& p) const {
  const Access* access = builder_.plain(p.operand, builder_.type);
  const std::int64_t lanes = lowering_.target.lanes(builder_.type), whole = whole_vectors(p.size);
  return access != nullptr && lanes > 1 && p.depth.constant().value_or(1) % lanes == 0 &&
         ((is_padded(p) && runs_along_k(p)) || contiguous_terms(*access) % lanes == 0) && !runs_across_k(p) &&
         whole <= 2 * p.size &&
         lowering_.schedule.buffers[p.panel].shape.back().constant().value_or(0) >= whole &&
         collapsed_step(lowering_.schedule.buffers, *access, p.other);
}

/// Packs squares of vectors, which are read along k and written across: those of as many rows of memory as
/// fill vectors, of which the next part has the last ones, too.
Body OperandPacker::transpose(const PackedOperand& p, LoopId part, const Index& first) {
  const Buffers buffers = lowering_.schedule.buffers;
  const Access& access = *builder_.plain(p.operand, builder_.type);
  const std::int64_t lanes = lowering_.target.lanes(builder_.type);
  Loop k = builder_.open("k", LoopKind::serial, p.depth, lanes);
  Loop row = builder_.open("row", LoopKind::unrolled, whole_vectors(p.size), lanes);
  bound_k(p, k, variable(k.id));
  Renaming renaming = builder_.outer;
  k_.bind(p.first_k + variable(k.id), renaming);
  p.other.bind(first + variable(row.id), renaming);
  const Tile from{access.buffer,
                  rename(access, renaming).indices,
                  {lanes, lanes},
                  {*collapsed_step(buffers, access, p.other), 1}};
  const Tile to{p.panel,
                place(p, part, variable(k.id), variable(row.id)),
                {lanes, lanes},
                {1, buffers[p.panel].shape.back()}};
  Body body;
  body.push_back({Copy{from, to, false, {}}});
  return around(std::move(k), around(std::move(row), std::move(body)));
}

/// Returns whether the operand is contiguous along the last axis of k, which is at least half a vector long,
/// and the panel has room for squares of vectors.
bool OperandPacker::has_lines_along_k(const PackedOperand& p) const {
  const auto* load = std::get_if<Scalar::Load>(&builder_.stage.body[p.operand].definition);
  const std::int64_t lanes = lowering_.target.lanes(builder_.type);
  if (load == nullptr || has_loaded(load->access) || p.split->inner.empty() || lanes == 1) return false;
  const auto* fill = std::get_if<Scalar::Literal>(&builder_.stage.body[load->fill].definition);
  if (!load->bounds.empty() && (fill == nullptr || fill->value.real(0) != 0)) return false;
  const Buffers buffers = lowering_.schedule.buffers;
  if (buffers[load->access.buffer].element != builder_.type) return false;
  const kernel::Axis& last = *p.split->inner.back();
  const auto step = stride(offset(load->access, buffers[load->access.buffer].layout), last.id);
  const Shape& panel = buffers[p.panel].shape;
  const auto depth = p.depth.constant(), terms = panel[1].constant(), width = panel[2].constant();
  return step && step->is(1) && 2 * last.extent.constant().value_or(0) >= lanes && depth && terms && width &&
         *terms >= whole_vectors(*depth) && *width >= whole_vectors(p.size);
}

/// Copies vectors along k of as many columns as a vector has into lines that have the terms next to each
/// other; then squares of these, which are transposed into the panel. The last vector of each line of memory
/// ends in what the next one overwrites.
Body OperandPacker::pack_staged(const PackedOperand& p, LoopId part, const Index& first) {
  const SplitAxes& split = *p.split;
  const std::int64_t lanes = lowering_.target.lanes(builder_.type), terms = *p.depth.constant();
  const Shape shape{lanes, whole_vectors(terms) + lanes};
  const BufferId lines = lowering_.add_buffer({builder_.stage.name + ".lines", builder_.type, shape,
                                               Space::panel, dense_layout(shape), false, std::nullopt});
  Loop copy = builder_.open("copy", LoopKind::serial, whole_vectors(p.size), lanes);
  Loop column = builder_.open("column", LoopKind::serial, lanes);
  const Index inside = first + variable(copy.id) + variable(column.id);
  Renaming renaming = builder_.outer;
  p.other.bind(inside, renaming);
  Loop step = builder_.open("step", LoopKind::serial, terms / split.size);
  const Index at = kernel::floor_divide(p.first_k, split.size, {}) + variable(step.id);
  if (has_blocks_) step.bounds.push_back({at, split.outer.extent});
  split.outer.bind(at, renaming);
  Index term = variable(step.id);
  std::vector<Loop> nest;
  nest.push_back(std::move(column));
  nest.push_back(std::move(step));
  const kernel::Axis& last = *split.inner.back();
  for (const kernel::Axis* axis : split.inner) {
    nest.push_back(
        builder_.open(axis->name.c_str(), LoopKind::serial, axis->extent, axis == &last ? lanes : 1));
    Index position = variable(nest.back().id);
    if (axis == &last) {
      nest.push_back(builder_.open("lane", LoopKind::vector, lanes));
      position = position + variable(nest.back().id);
    }
    renaming.axes[axis->id] = position;
    term = term * axis->extent + position;
  }
  Body body;
  const auto& operand = std::get<Scalar::Load>(builder_.stage.body[p.operand].definition);
  Scalar::Load load{rename(operand.access, renaming), rename(operand.bounds, renaming), 0};
  load.bounds.push_back({renaming.axes[last.id], last.extent});
  load.bounds.push_back({inside, p.other.extent});
  load.fill = builder_.let({builder_.type, Scalar::Literal{dlvm::Tensor(builder_.type, {})}}, body);
  const ValueId value = builder_.let({builder_.type, std::move(load)}, body);
  body.push_back({Store{{lines, {variable(nest.front().id), term}}, {}, value, std::nullopt}});
  body = nested(std::move(nest), std::move(body));

  Loop k = builder_.open("k", LoopKind::serial, terms, lanes);
  const Tile from{lines, {constant_index(0), variable(k.id)}, {lanes, lanes}, {shape[1], 1}};
  const Tile to{p.panel,
                place(p, part, variable(k.id), variable(copy.id)),
                {lanes, lanes},
                {1, lowering_.schedule.buffers[p.panel].shape.back()}};
  Body squares;
  squares.push_back({Copy{from, to, false, {}}});
  append(body, around(std::move(k), std::move(squares)));
  Body all;
  all.push_back({Allocate{lines}});
  append(all, around(std::move(copy), std::move(body)));
  return all;
}

}  // namespace codegen::schedule::cpu
