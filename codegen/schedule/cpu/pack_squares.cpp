// How operands are packed that are contiguous along k: squares of vectors are transposed into the panel.
#include <algorithm>
#include <numeric>

#include "codegen/schedule/cpu/operand_packer.h"

namespace codegen::schedule::cpu {

namespace {

/// The positions of an axis in runs of `length`, from multiples of it on, in which `access` has no quotients.
struct Runs {
  Access access;
  std::int64_t length;
};

/// Returns the access in runs where all quotients of the axis in it are by constants, as those of an axis
/// that was several ones are.
std::optional<Runs> runs_of(const Access& access, kernel::AxisId axis) {
  using Kind = Index::Quotient::Kind;
  Runs runs{{access.buffer, {}}, 0};
  for (const Index& index : access.indices) {
    Index inside = constant_index(index.constant);
    for (const Index::Term& term : index.terms) {
      const auto* quotient = std::get_if<std::shared_ptr<const Index::Quotient>>(&term.atom);
      const auto depends = [&](const Index& on) {
        const auto all = kernel::axes_of(on);
        return std::ranges::find(all, axis) != all.end();
      };
      if (quotient == nullptr || !depends((*quotient)->index)) {
        inside.terms.push_back(term);
        continue;
      }
      const auto divisor = (*quotient)->divisor.constant();
      if (!divisor || *divisor < 1 || kernel::lone_axis((*quotient)->index) != axis) return std::nullopt;
      runs.length = std::gcd(runs.length, *divisor);
      if ((*quotient)->kind == Kind::modulo) inside = inside + variable(axis) * term.coefficient;
    }
    runs.access.indices.push_back(std::move(inside));
  }
  return runs;
}

}  // namespace

/// Returns the number of terms, from a multiple of it on, that are neighbours in memory: as many as the last
/// axes of k have, or as a run of k's only axis. It is 1 if the extents are not known.
std::int64_t OperandPacker::contiguous_terms(const Access& access) const {
  const Buffers buffers = lowering_.schedule.buffers;
  if (k_.axes.size() == 1) {
    const auto runs = runs_of(access, k_.axes[0]->id);
    const auto step = runs && runs->length > 1 ? step_along(buffers, runs->access, k_) : std::nullopt;
    if (step && step->is(1)) return runs->length;
  }
  std::int64_t terms = 1;
  for (std::size_t first = k_.axes.size(); first-- > 0;) {
    AxisGroup last;
    for (std::size_t i = first; i < k_.axes.size(); ++i) last.add(*k_.axes[i]);
    const auto step = collapsed_step(buffers, access, last);
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

/// Returns the distance in memory between neighbours along the group, if it is the same everywhere; else that
/// along its last axis.
std::optional<Extent> OperandPacker::step_of_rows(const Access& access, const AxisGroup& other) const {
  const Buffers buffers = lowering_.schedule.buffers;
  if (auto step = collapsed_step(buffers, access, other)) return step;
  AxisGroup last;
  last.add(*other.axes.back());
  return step_along(buffers, access, last);
}

/// Returns whether the operand, an element of memory, has the same distance between all its neighbours along
/// the other axes.
bool OperandPacker::is_in_one_step(const PackedOperand& p) const {
  return collapsed_step(lowering_.schedule.buffers, *builder_.plain(p.operand, builder_.type), p.other)
      .has_value();
}

/// Says that as many elements along the other axes as are read together, from `first` on, are in memory in
/// one step, and all of them inside of the operand.
Bound OperandPacker::together(const PackedOperand& p, const Index& first) const {
  const Index beyond = constant_index(whole_vectors(p.size) - 1);
  if (is_in_one_step(p)) return {first + beyond, p.other.extent};
  const Extent& line = p.other.axes.back()->extent;
  return {kernel::quotient_index({Index::Quotient::Kind::modulo, first, line}) + beyond, line};
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
         step_of_rows(*access, p.other);
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
  const Tile from{
      access.buffer, rename(access, renaming).indices, {lanes, lanes}, {*step_of_rows(access, p.other), 1}};
  const Tile to{p.panel,
                place(p, part, variable(k.id), variable(row.id)),
                {lanes, lanes},
                {1, buffers[p.panel].shape.back()}};
  Body body;
  body.push_back({Copy{from, to, false, {}}});
  return around(std::move(k), around(std::move(row), std::move(body)));
}

/// Returns whether the scalar is computed from elements that are neighbours in memory along k, or the same
/// for all of k.
bool OperandPacker::is_computed_along_k(kernel::ScalarId operand) const {
  const Scalar& scalar = builder_.stage.body[operand];
  if (std::holds_alternative<Scalar::Literal>(scalar.definition)) return true;
  if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition)) {
    if (!load->bounds.empty() || has_loaded(load->access)) return false;
    const auto step = collapsed_step(lowering_.schedule.buffers, load->access, k_);
    return step && (step->is(0) || step->is(1));
  }
  const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition);
  return operation != nullptr && std::ranges::all_of(operation->operands, [&](kernel::ScalarId id) {
           return is_computed_along_k(id);
         });
}

/// Returns whether the operand is no element of memory, but computed along k, of which whole vectors are
/// there.
bool OperandPacker::can_compute_squares(const PackedOperand& p) const {
  const std::int64_t lanes = lowering_.target.lanes(builder_.type), whole = whole_vectors(p.size);
  const auto is_whole = [&](const Extent& extent) {
    return extent.constant().value_or(0) > 0 && *extent.constant() % lanes == 0;
  };
  return lanes > 1 && p.split == nullptr && is_whole(p.depth) && is_whole(k_.extent) && whole <= 2 * p.size &&
         lowering_.schedule.buffers[p.panel].shape.back().constant().value_or(0) >= whole &&
         std::holds_alternative<Scalar::Operation>(builder_.stage.body[p.operand].definition) &&
         is_computed_along_k(p.operand);
}

/// Computes squares of as many elements along k as across, in vectors along k, and transposes them into the
/// panel. Rows of a square that are beyond the other axes are zeros.
Body OperandPacker::compute_squares(const PackedOperand& p, LoopId part, const Index& first) {
  const std::int64_t lanes = lowering_.target.lanes(builder_.type);
  const Shape shape{lanes, lanes};
  const BufferId square = lowering_.add_buffer({builder_.stage.name + ".square", builder_.type, shape,
                                                Space::panel, dense_layout(shape), false, std::nullopt});
  const Tile from{square, {constant_index(0), constant_index(0)}, shape, {lanes, 1}};
  Loop row = builder_.open("row", LoopKind::serial, whole_vectors(p.size), lanes);
  Loop k = builder_.open("k", LoopKind::serial, p.depth, lanes);
  Loop element = builder_.open("element", LoopKind::serial, lanes);
  Loop lane = builder_.open("lane", LoopKind::vector, lanes);
  const Index other = first + variable(row.id) + variable(element.id);
  bound_k(p, k, variable(k.id));
  element.bounds.push_back({other, p.other.extent});
  Renaming renaming = builder_.outer;
  k_.bind(p.first_k + variable(k.id) + variable(lane.id), renaming);
  p.other.bind(other, renaming);
  Body one;
  ContractionBuilder::Values known;
  const ValueId value = builder_.need(p.operand, renaming, known, one);
  one.push_back({Store{{square, {variable(element.id), variable(lane.id)}}, {}, value, std::nullopt}});
  const Tile to{p.panel,
                place(p, part, variable(k.id), variable(row.id)),
                shape,
                {1, lowering_.schedule.buffers[p.panel].shape.back()}};
  Body squares = around(std::move(element), around(std::move(lane), std::move(one)));
  squares.push_back({Copy{from, to, false, {}}});
  Body body;
  body.push_back({Allocate{square}});
  body.push_back({Fill{from, dlvm::Tensor(builder_.type, {})}});
  append(body, around(std::move(k), std::move(squares)));
  return around(std::move(row), std::move(body));
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
