#include "codegen/schedule/cpu/operand_packer.h"

namespace codegen::schedule::cpu {
namespace {

/// Elements of a row of memory that packing reads at once where k is contiguous.
constexpr std::int64_t line = 16;

/// Returns the largest divisor of the extent that is at most `most`; 1 if the extent is not known.
std::int64_t copies_of(const Extent& extent, std::int64_t most) {
  std::int64_t copies = extent.constant().value_or(1) > 0 ? most : 1;
  while (extent.constant().value_or(1) % copies != 0) --copies;
  return copies;
}
/// Elements along k, and rows, that are packed in one step of a loop, at most.
constexpr std::int64_t max_copies = 8, max_rows = 4;
/// Rows between the one that is packed and the one that is fetched.
constexpr std::int64_t rows_ahead = 4;

}  // namespace

/// Packs one row after the other; `row_of` returns the statements that pack the row k.
template <typename RowOf>
Body OperandPacker::pack_rows(const PackedOperand& p, RowOf row_of) {
  Loop k = builder_.open("k", LoopKind::serial, p.depth);
  bound_k(p, k, variable(k.id));
  Body row = row_of(variable(k.id));
  return around(std::move(k), std::move(row));
}

Body OperandPacker::pack(const PackedOperand& p) {
  const auto each_part = [&](auto body_of) {
    Loop part = builder_.open("part", LoopKind::serial, p.block / p.size);
    const Index first = p.first + variable(part.id) * p.size;
    part.bounds.push_back({first, p.other.extent});
    if (p.range_end)
      part.bounds.back().index = first + constant_index(p.other.extent) + variable(*p.range_end) * Extent(-1);
    Body body = body_of(part.id, first);
    return body.empty() ? body : around(std::move(part), std::move(body));
  };
  const auto clear = [&](LoopId part, const Index& first) { return clear_rest(p, part, first); };
  if (runs_row_by_row(p)) {
    Body body = each_part(clear);
    append(body, pack_rows(p, [&](const Index& k) {
             return each_part([&](LoopId part, const Index& first) {
               Body row = fetch_row(p, k, first);
               append(row, pack_row(p, part, k, first, Rows::anywhere));
               return row;
             });
           }));
    return body;
  }
  return each_part([&](LoopId part, const Index& first) {
    Body body = clear(part, first);
    append(body, pack_part(p, part, first));
    return body;
  });
}

/// Returns whether the operand is packed one row k after the other, each in all parts: then memory is read
/// from one end to the other.
bool OperandPacker::runs_row_by_row(const PackedOperand& p) const {
  return (p.split == nullptr || runs_across_k(p)) && !runs_along_k(p) && !can_transpose(p) && !has_lines(p) &&
         !can_compute_squares(p);
}

Body OperandPacker::pack_part(const PackedOperand& p, LoopId part, const Index& first) {
  if (can_compute_squares(p)) return compute_squares(p, part, first);
  Body scalars =
      runs_along_k(p) ? p.split != nullptr ? pack_lines(p, part, first) : pack_along_k(p, part, first)
      : p.split == nullptr
          ? pack_rows(p, [&](const Index& k) { return pack_row(p, part, k, first, Rows::anywhere); })
      : has_lines_along_k(p) ? pack_staged(p, part, first)
                             : pack_axes(p, part, first);
  const bool transposes = can_transpose(p);
  if (!transposes && !has_lines(p)) return scalars;
  if (transposes && is_in_one_step(p) && is_padded(p)) return transpose(p, part, first);
  // Whole vectors where what they read together is in memory in one step, which is everywhere if they fit.
  const std::int64_t whole = whole_vectors(p.size);
  const auto where = [&](const char* name, Bound holds, Body body) {
    Loop once = builder_.open(name, LoopKind::serial, 1);
    once.bounds.push_back(std::move(holds));
    return around(std::move(once), std::move(body));
  };
  const Bound holds = together(p, first);
  Body body =
      where("whole", holds, transposes ? transpose(p, part, first) : pack_rows(p, [&](const Index& k) {
              return pack_row(p, part, k, first, Rows::on_a_line);
            }));
  const auto extent = holds.end.constant();
  if (p.size != whole || !extent || *extent % whole != 0)
    append(body, where("rest",
                       {constant_index(holds.end + Extent(whole - 2)) + holds.index * Extent(-1), whole - 1},
                       std::move(scalars)));
  return body;
}

bool OperandPacker::runs_along_k(const PackedOperand& p) const {
  const Access* access = builder_.plain(p.operand, builder_.type);
  const auto along = access ? collapsed_step(lowering_.schedule.buffers, *access, k_) : std::nullopt;
  return along && along->is(1);
}

bool OperandPacker::runs_across_k(const PackedOperand& p) const {
  const Access* access = builder_.plain(p.operand, builder_.type);
  const auto across = access ? collapsed_step(lowering_.schedule.buffers, *access, p.other) : std::nullopt;
  return across && across->is(1);
}

/// Returns statements that fill a part that the other axes end in with zeros, where the products read whole
/// parts.
Body OperandPacker::clear_rest(const PackedOperand& p, LoopId part, const Index& first) {
  const auto extent = p.other.extent.constant();
  if (!p.whole || (extent && *extent % p.size == 0)) return {};
  Loop ends = builder_.open("ends", LoopKind::serial, 1);
  const Index beyond = first + constant_index(Extent(p.size - 1) - p.other.extent);
  ends.bounds.push_back({beyond, p.size});
  Loop k = builder_.open("k", LoopKind::serial, p.depth);
  const std::vector<Index> origin = place(p, part, variable(k.id), constant_index(0));
  bound_k(p, k, variable(k.id));
  Body body;
  body.push_back({Fill{{p.panel, origin, {1, 1, p.size}, {}}, dlvm::Tensor(builder_.type, {})}});
  return around(std::move(ends), around(std::move(k), std::move(body)));
}

/// Returns whether neighbours along the last of several other axes are neighbours in memory, but not where
/// that axis ends.
bool OperandPacker::has_lines(const PackedOperand& p) const {
  const Access* access = builder_.plain(p.operand, builder_.type);
  if (access == nullptr || p.split != nullptr || p.other.axes.size() < 2) return false;
  if (is_in_one_step(p)) return false;
  const auto step = step_of_rows(*access, p.other);
  return step && step->is(1);
}

/// Packs the row k of the part, as whole vectors: what is read beyond the part's size is not used.
Body OperandPacker::pack_row(const PackedOperand& p, LoopId part, const Index& k, const Index& first,
                             Rows rows) {
  const std::int64_t lanes = lowering_.target.lanes(builder_.type);
  Loop copy = builder_.open("copy", LoopKind::serial, p.size, lanes);
  Loop lane = builder_.open("lane", LoopKind::vector, lanes);
  const Index inside = variable(copy.id) + variable(lane.id);
  if (rows == Rows::anywhere) lane.bounds.push_back({first + inside, p.other.extent});
  Body body = pack_element(p, part, k, inside, first, rows);
  return around(std::move(copy), around(std::move(lane), std::move(body)));
}

/// Returns statements that fetch, for the part, the row that is packed `rows_ahead` rows after row k. The
/// processor fetches by itself only what follows in the same row. Returns nothing where the operand's rows
/// are not in memory, or k has one block.
Body OperandPacker::fetch_row(const PackedOperand& p, const Index& k, const Index& first) {
  const Access* access = builder_.plain(p.operand, builder_.type);
  if (access == nullptr || !has_blocks_ || !runs_across_k(p)) return {};
  Renaming renaming = builder_.outer;
  k_.bind(p.first_k + k + constant_index(rows_ahead), renaming);
  p.other.bind(first, renaming);
  Body body;
  body.push_back({Prefetch{rename(*access, renaming)}});
  return body;
}

/// Packs `line` elements of one row of memory, then of the next.
Body OperandPacker::pack_along_k(const PackedOperand& p, LoopId part, const Index& first) {
  Loop k = builder_.open("k", LoopKind::serial, p.depth, line);
  Loop element = builder_.open("element", LoopKind::serial, p.size);
  Loop term = builder_.open("term", LoopKind::serial, line);
  const Index at = variable(k.id) + variable(term.id);
  bound_k(p, k, variable(k.id));
  element.bounds.push_back({first + variable(element.id), p.other.extent});
  term.bounds.push_back({at, p.depth});
  bound_k(p, term, at);
  Body body = pack_element(p, part, at, variable(element.id), first, Rows::anywhere);
  body = around(std::move(element), around(std::move(term), std::move(body)));
  return around(std::move(k), std::move(body));
}

/// Packs a few rows of memory after the others, all of the block of k: of long rows, whose beginnings are far
/// apart, `line` elements are too few for the processor to see that the next ones follow. Those few are read
/// together, so that it waits for several lines of memory at once.
Body OperandPacker::pack_lines(const PackedOperand& p, LoopId part, const Index& first) {
  const std::int64_t copies = has_blocks_ ? 1 : copies_of(p.depth, max_copies);
  std::int64_t rows = p.other.extent.constant() ? max_rows : 1;
  while (p.size % rows != 0 || p.other.extent.constant().value_or(0) % rows != 0) --rows;
  Loop element = builder_.open("element", LoopKind::serial, p.size, rows);
  Loop k = builder_.open("k", LoopKind::serial, p.depth, copies);
  Loop row = builder_.open("row", LoopKind::unrolled, rows);
  Loop copy = builder_.open("copy", LoopKind::unrolled, copies);
  element.bounds.push_back({first + variable(element.id), p.other.extent});
  const Index at = variable(k.id) + variable(copy.id), inside = variable(element.id) + variable(row.id);
  bound_k(p, k, variable(k.id));  // a block of k, which may be shorter, has no copies
  Body body = around(std::move(copy), pack_element(p, part, at, inside, first, Rows::anywhere));
  return around(std::move(element), around(std::move(k), around(std::move(row), std::move(body))));
}

std::int64_t OperandPacker::whole_vectors(std::int64_t count) const {
  const std::int64_t lanes = lowering_.target.lanes(builder_.type);
  return (count + lanes - 1) / lanes * lanes;
}

/// Elements along several inner axes of k that are packed in one step of a loop, at most.
constexpr std::int64_t max_window = 16;

/// Returns how many of the last axes together have few points.
std::size_t count_short(const std::vector<const kernel::Axis*>& axes) {
  std::int64_t points = 1;
  std::size_t count = 0;
  while (count < axes.size()) {
    const auto extent = axes[axes.size() - 1 - count]->extent.constant();
    if (!extent || *extent < 1 || *extent > max_copies || points * *extent > max_window) break;
    points *= *extent;
    ++count;
  }
  return count;
}

/// The smallest vectors that are gathered from memory. Shorter ones are put together from their elements,
/// which takes more than copying these one by one.
constexpr std::int64_t gathered_bytes = 64;

/// Packs one element of the part after the other, along all axes of k; or vectors across them, where the
/// part's neighbours are close in memory and the panel has room for what is beyond the part.
Body OperandPacker::pack_axes(const PackedOperand& p, LoopId part, const Index& first) {
  const SplitAxes& split = *p.split;
  const std::int64_t lanes = lowering_.target.lanes(builder_.type), whole = whole_vectors(p.size);
  const auto room = lowering_.schedule.buffers[p.panel].shape.back().constant();
  const bool is_dense = is_denser_across(p);
  const bool in_vectors =
      is_dense && lowering_.target.vector_bytes >= gathered_bytes && room.value_or(0) >= whole;
  Loop element =
      builder_.open("element", LoopKind::serial, in_vectors ? whole : p.size, in_vectors ? lanes : 1);
  Loop lane = builder_.open("lane", LoopKind::vector, lanes);
  const Index inside = in_vectors ? variable(element.id) + variable(lane.id) : variable(element.id);
  (in_vectors ? lane : element).bounds.push_back({first + inside, p.other.extent});
  Loop step = builder_.open("step", LoopKind::serial, Extent::floor_divide(p.depth, split.size));
  const Index at = kernel::floor_divide(p.first_k, split.size, {}) + variable(step.id);
  if (has_blocks_) step.bounds.push_back({at, split.outer.extent});
  Renaming renaming = builder_.outer;
  p.other.bind(first + inside, renaming);
  split.outer.bind(at, renaming);
  std::vector<Loop> inner;
  Index k = variable(step.id);
  const std::size_t copied = in_vectors ? 1 : std::max<std::size_t>(count_short(split.inner), 1);
  for (std::size_t i = 0; i < split.inner.size(); ++i) {
    const kernel::Axis* axis = split.inner[i];
    const std::int64_t copies = i + copied >= split.inner.size() ? copies_of(axis->extent, max_copies) : 1;
    inner.push_back(builder_.open(axis->name.c_str(), LoopKind::serial, axis->extent, copies));
    Index position = variable(inner.back().id);
    if (copies > 1) {
      inner.push_back(builder_.open("copy", LoopKind::unrolled, copies));
      position = position + variable(inner.back().id);
    }
    renaming.axes[axis->id] = position;
    k = k * axis->extent + position;
  }
  Body body;
  ContractionBuilder::Values known;
  const ValueId value = builder_.need(p.operand, renaming, known, body);
  body.push_back({Store{{p.panel, place(p, part, k, inside)}, {}, value, std::nullopt}});
  if (in_vectors) {
    inner.push_back(std::move(element));
    inner.push_back(std::move(lane));
    return around(std::move(step), nested(std::move(inner), std::move(body)));
  }
  body = nested(std::move(inner), std::move(body));
  if (is_dense) std::swap(element, step);
  return around(std::move(element), around(std::move(step), std::move(body)));
}

/// Returns whether the part's neighbours are closer in memory than those along the outer part of k.
bool OperandPacker::is_denser_across(const PackedOperand& p) const {
  const Buffers buffers = lowering_.schedule.buffers;
  const Access* access = builder_.plain(p.operand, builder_.type);
  if (access == nullptr) return false;
  const auto across = collapsed_step(buffers, *access, p.other),
             along = collapsed_step(buffers, *access, p.split->outer);
  const auto near = across ? across->constant() : std::nullopt,
             far = along ? along->constant() : std::nullopt;
  return near && far && std::abs(*near) < std::abs(*far);
}

/// Bounds the loop where the last block of k may be shorter.
void OperandPacker::bound_k(const PackedOperand& p, Loop& loop, const Index& k) const {
  if (has_blocks_) loop.bounds.push_back({p.first_k + k, k_.extent});
}

Body OperandPacker::pack_element(const PackedOperand& p, LoopId part, const Index& k, const Index& inside,
                                 const Index& first, Rows rows) {
  Renaming renaming = builder_.outer;
  k_.bind(p.first_k + k, renaming);
  p.other.bind(rows == Rows::anywhere ? first + inside : first, renaming);
  if (rows == Rows::on_a_line) {
    Index& last = renaming.axes[p.other.axes.back()->id];
    last = last + inside;
  }
  Body body;
  ContractionBuilder::Values known;
  const ValueId value = builder_.need(p.operand, renaming, known, body);
  body.push_back({Store{{p.panel, place(p, part, k, inside)}, {}, value, std::nullopt}});
  return body;
}

}  // namespace codegen::schedule::cpu
