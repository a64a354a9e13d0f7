// Contractions as products of tiles: for blocks of columns the right operand is packed, for blocks of rows
// the left one, unless it can be read where it lies; then one register tile after the other runs over all of
// k, and the epilogue over the finished tile. Each element is one chain of multiply-adds in the order of k,
// in every variant.
#include <algorithm>

#include "codegen/schedule/contraction_nest.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// Up to this many rows the right operand is read where it lies: packing would cost more than it saves.
constexpr std::int64_t few_rows = 8;

/// Sizes of the register tile and of the blocks that are packed together, in elements.
struct Sizes {
  std::int64_t rows, columns, row_block, column_block;
};
Sizes sizes(const Processor& processor, ElementType type, const Extent& n, bool few) {
  const std::int64_t width = processor.vector_bytes / dlvm::info(type).bytes;
  const std::int64_t rows = few ? 4 : processor.vector_bytes >= 64 ? 14 : 6;
  const std::int64_t columns = n.constant().value_or(width + 1) <= width ? width : 2 * width;
  return {rows, columns, rows * 8, columns * 8};
}

class ContractionLowering : ContractionNest {
 public:
  ContractionLowering(Lowering& lowering, const Stage& stage, const Renaming& outer)
      : ContractionNest(lowering, stage, outer) {
    const kernel::Contraction& c = *stage.contraction;
    m_ = group(c.m);
    n_ = group(c.n);
    k_ = group(c.k);
    const auto rows = m_.extent.constant();
    few_ = lowering.few_rows || (rows && *rows <= few_rows);
    sizes_ = sizes(lowering.processor, type_, n_.extent, few_);
  }

  Body lower() {
    std::vector<Loop> batch;
    for (const Axis& axis : stage_.axes)
      if (!in(m_, axis) && !in(n_, axis) && !in(k_, axis)) batch.push_back(lowering_.serial(axis, outer_));
    Body body = columns();
    while (!batch.empty()) {
      body = around(std::move(batch.back()), std::move(body));
      batch.pop_back();
    }
    return body;
  }

  /// The extent of the rows, where a variant for few of them makes a difference.
  std::optional<Extent> rows_that_matter() const {
    if (m_.extent.constant() || !readable()) return std::nullopt;
    return m_.extent;
  }

 private:
  AxisGroup group(const std::vector<AxisId>& ids) const {
    AxisGroup result;
    for (const AxisId id : ids)
      for (const Axis& axis : stage_.axes)
        if (axis.id == id) result.add(axis);
    return result;
  }
  static bool in(const AxisGroup& group, const Axis& axis) {
    return std::find(group.axes.begin(), group.axes.end(), &axis) != group.axes.end();
  }

  static Index less(const Extent& from, const Index& index) {
    return constant_index(from) + index * Extent(-1);
  }

  // Operands.

  /// The operand where it is just an element of a buffer of the accumulator's type.
  const Access* plain(kernel::ScalarId operand) const {
    const auto* load = std::get_if<Scalar::Load>(&stage_.body[operand].definition);
    if (load == nullptr || !load->bounds.empty()) return nullptr;
    if (lowering_.schedule.buffers[load->access.buffer].element != type_) return nullptr;
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(load->access, axes, values);
    return values.empty() ? &load->access : nullptr;
  }

  /// How far apart in memory neighbours along the group are, where that is the same everywhere.
  std::optional<Extent> step(const Access& access, const AxisGroup& group) const {
    if (group.axes.size() != 1) return std::nullopt;
    return stride(offset(access, lowering_.schedule.buffers[access.buffer].layout), group.axes[0]->id);
  }

  /// The operand's memory as [k, other], from (0, first) on.
  Tile direct(const Access& access, const AxisGroup& other, const Index& first, std::int64_t size) {
    Renaming renaming = outer_;
    k_.bind(constant_index(0), renaming);
    other.bind(first, renaming);
    return {access.buffer,
            rename(access, renaming).indices,
            {k_.extent, size},
            {*step(access, k_), *step(access, other)}};
  }

  /// Evaluates the operand into panel [block, k, size], for the others from `first` on.
  Body pack(kernel::ScalarId operand, const AxisGroup& other, const Index& first, std::int64_t size,
            std::int64_t block, BufferId panel, LoopKind lanes) {
    const std::int64_t width =
        lanes == LoopKind::vector ? lowering_.processor.vector_bytes / dlvm::info(type_).bytes : size;
    Loop part = open("part", LoopKind::serial, block / size);
    part.bounds.push_back({first + variable(part.id) * size, other.extent});
    Loop k = open("k", LoopKind::serial, k_.extent);
    Loop copy = open("copy", LoopKind::serial, size, width);
    Loop lane = open("lane", lanes, width);
    const Index inside = variable(copy.id) + variable(lane.id);
    const Index at = first + variable(part.id) * size + inside;
    lane.bounds.push_back({at, other.extent});
    Renaming renaming = outer_;
    k_.bind(variable(k.id), renaming);
    other.bind(at, renaming);
    Body body;
    Values known;
    const ValueId value = need(operand, renaming, known, body);
    body.push_back({Store{{panel, {variable(part.id), variable(k.id), inside}}, {}, value, std::nullopt}});
    body = around(std::move(lane), std::move(body));
    body = around(std::move(copy), std::move(body));
    return around(std::move(part), around(std::move(k), std::move(body)));
  }

  BufferId add_panel(const char* name, Shape shape) {
    Buffer buffer{stage_.name + "." + name, type_, shape,       Space::panel,
                  dense_layout(shape),      false, std::nullopt};
    return lowering_.add_buffer(std::move(buffer));
  }

  // The nest.

  /// Whether the right operand's rows can be read where they lie.
  bool readable() const {
    const Access* right = plain(stage_.contraction->right);
    if (right == nullptr || k_.axes.size() != 1) return false;
    const auto across = step(*right, n_);
    return across && across->is(1) && step(*right, k_);
  }

  Body columns() {
    const Access* left = plain(stage_.contraction->left);
    const auto constant = [](const std::optional<Extent>& e) { return e && e->constant(); };
    left_direct_ = left && constant(step(*left, m_)) && constant(step(*left, k_));
    tile_ = add_panel("tile", {sizes_.rows, sizes_.columns});
    return column_blocks(few_ && readable());
  }

  Body column_blocks(bool right_direct) {
    Loop n = open("n", LoopKind::serial, n_.extent, sizes_.column_block);
    const Index column = variable(n.id);
    Body body;
    if (!right_direct) {
      right_panel_ = add_panel("right", {sizes_.column_block / sizes_.columns, k_.extent, sizes_.columns});
      body.push_back({Allocate{right_panel_}});
      append(body, pack(stage_.contraction->right, n_, column, sizes_.columns, sizes_.column_block,
                        right_panel_, LoopKind::vector));
    }
    append(body, row_blocks(column, right_direct));
    return around(std::move(n), std::move(body));
  }

  Body row_blocks(const Index& column, bool right_direct) {
    Loop m = open("m", LoopKind::serial, m_.extent, sizes_.row_block);
    const Index row = variable(m.id);
    Body body;
    if (!left_direct_) {
      left_panel_ = add_panel("left", {sizes_.row_block / sizes_.rows, k_.extent, sizes_.rows});
      body.push_back({Allocate{left_panel_}});
      append(body, pack(stage_.contraction->left, m_, row, sizes_.rows, sizes_.row_block, left_panel_,
                        LoopKind::serial));
    }
    append(body, tiles(row, column, right_direct));
    return around(std::move(m), std::move(body));
  }

  Body tiles(const Index& row_block, const Index& column_block, bool right_direct) {
    Loop j = open("j", LoopKind::serial, sizes_.column_block / sizes_.columns);
    Loop i = open("i", LoopKind::serial, sizes_.row_block / sizes_.rows);
    const Index column = column_block + variable(j.id) * sizes_.columns;
    const Index row = row_block + variable(i.id) * sizes_.rows;
    j.bounds.push_back({column, n_.extent});
    i.bounds.push_back({row, m_.extent});
    const Index zero = constant_index(0);
    MultiplyAccumulate multiply;
    multiply.to = {tile_, {zero, zero}, {sizes_.rows, sizes_.columns}, {}};
    multiply.left = left_direct_
                        ? direct(*plain(stage_.contraction->left), m_, row, sizes_.rows)
                        : Tile{left_panel_, {variable(i.id), zero, zero}, {1, k_.extent, sizes_.rows}, {}};
    multiply.right =
        right_direct ? direct(*plain(stage_.contraction->right), n_, column, sizes_.columns)
                     : Tile{right_panel_, {variable(j.id), zero, zero}, {1, k_.extent, sizes_.columns}, {}};
    multiply.rows = less(m_.extent, row);
    const auto constant = n_.extent.constant();
    const bool whole = !right_direct || (constant && *constant % sizes_.columns == 0);
    multiply.columns = whole ? constant_index(sizes_.columns) : less(n_.extent, column);
    multiply.count = constant_index(k_.extent);
    Body body;
    body.push_back({Allocate{tile_}});
    body.push_back({Fill{multiply.to, stage_.reduction->identity[0]}});
    body.push_back({std::move(multiply)});
    append(body, epilogue(row, column));
    return around(std::move(j), around(std::move(i), std::move(body)));
  }

  Body epilogue(const Index& row, const Index& column) {
    const std::int64_t width = lowering_.processor.vector_bytes / dlvm::info(type_).bytes;
    Loop i = open("row", LoopKind::serial, sizes_.rows);
    Loop copy = open("copy", LoopKind::serial, sizes_.columns, width);
    Loop lane = open("lane", LoopKind::vector, width);
    const Index inside = variable(copy.id) + variable(lane.id);
    i.bounds.push_back({row + variable(i.id), m_.extent});
    copy.bounds.push_back({column + variable(copy.id), n_.extent});
    lane.bounds.push_back({column + inside, n_.extent});
    Renaming renaming = outer_;
    m_.bind(row + variable(i.id), renaming);
    n_.bind(column + inside, renaming);
    Body body;
    finish({tile_, {variable(i.id), inside}}, renaming, body);
    return around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body))));
  }

  Sizes sizes_;
  AxisGroup m_, n_, k_;
  bool few_ = false, left_direct_ = false;
  BufferId tile_ = 0, left_panel_ = 0, right_panel_ = 0;
};

}  // namespace

bool is_tiled(const Lowering& lowering, const Stage& stage) {
  if (lowering.processor.vector_bytes == 0 || !stage.contraction || !stage.reduction) return false;
  const kernel::Contraction& c = *stage.contraction;
  const auto own = [&](const std::vector<AxisId>& ids) {
    return !ids.empty() && std::all_of(ids.begin(), ids.end(), [&](AxisId id) {
      return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const Axis& a) { return a.id == id; });
    });
  };
  if (!own(c.m) || !own(c.n) || !own(c.k)) return false;
  const ElementType type = stage.reduction->types[0];
  if (type != ElementType::f32 && type != ElementType::f64) return false;
  return stage.body[c.left].type == type && stage.body[c.right].type == type && !runs_in_order(stage);
}

Body lower_contraction(Lowering& lowering, const Stage& stage, const Renaming& outer) {
  return ContractionLowering(lowering, stage, outer).lower();
}

std::optional<Guard> few_rows_guard(Lowering& lowering, const Stage& stage) {
  const auto rows = ContractionLowering(lowering, stage, {}).rows_that_matter();
  if (!rows) return std::nullopt;
  return Guard{*rows, 0, few_rows + 1};
}

}  // namespace codegen::schedule
