// Contractions as products of tiles: for blocks of columns the right operand is packed, for blocks of rows
// the left one, unless it can be read where it lies; then one register tile after the other runs over k, and
// the epilogue over the finished tile. Each element is one chain of multiply-adds in the order of k, in every
// variant. Where k is long, the chain begins anew with each block of k, and the blocks' sums are added in
// order: what one block needs of both operands stays in the caches, and errors stay small (Goto, van de
// Geijn, Anatomy of High-Performance Matrix Multiplication, 2008).
#include <algorithm>

#include "codegen/schedule/cpu/lower_stage.h"
#include "codegen/schedule/cpu/pack.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// Up to this many rows the right operand is read where it lies: packing would cost more than it saves.
constexpr std::int64_t few_rows = 8;
/// Of k where it is longer than two of them, or not known.
constexpr std::int64_t k_block = 256;
/// Columns that share one packing of a block of the left operand, where k has blocks.
constexpr std::int64_t wide_block = 512;

/// Sizes of the register tile and of the blocks that are packed together, in elements.
struct Sizes {
  std::int64_t rows, columns, row_block, column_block;
};
Sizes sizes(const Processor& processor, ElementType type, const Extent& m, const Extent& n, bool few,
            bool blocks) {
  const std::int64_t width = processor.lanes(type);
  const std::int64_t some = std::clamp<std::int64_t>(m.constant().value_or(4), 1, 4);
  const std::int64_t rows = few ? some : processor.vector_bytes >= 64 ? 14 : 6;
  const std::int64_t columns = n.constant().value_or(width + 1) <= width ? width : 2 * width;
  return {rows, columns, rows * 8, blocks ? std::max(columns * 8, wide_block) : columns * 8};
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
    const auto terms = k_.extent.constant();
    blocks_ = !terms || *terms > 2 * k_block;
    depth_ = blocks_ ? Extent(k_block) : k_.extent;
    sizes_ = sizes(*lowering.processor, type_, m_.extent, n_.extent, few_, blocks_);
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

  /// Whether the matrix of a product with one row is contiguous along its columns, so that they fill vectors
  /// and a row has the bits that it has among others. Where it lies along k, sums along vectors cost less
  /// than packing it.
  bool is_row_times_matrix() const {
    if (!stage_.contraction->batch.empty()) return false;
    const kernel::Scalar* right = &stage_.body[stage_.contraction->right];
    const auto* operation = std::get_if<Scalar::Operation>(&right->definition);
    if (operation != nullptr && operation->opcode == dlvm::Opcode::dataTypeCast)
      right = &stage_.body[operation->operands[0]];
    const auto* load = std::get_if<Scalar::Load>(&right->definition);
    if (load == nullptr) return true;
    const auto along = step(load->access, k_);
    return !(along && along->is(1));
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

  std::int64_t lanes() const { return lowering_.processor->lanes(type_); }

  static Index less(const Extent& from, const Index& index) {
    return constant_index(from) + index * Extent(-1);
  }

  const Access* plain(kernel::ScalarId operand) const { return ContractionNest::plain(operand, type_); }
  std::optional<Extent> step(const Access& access, const AxisGroup& group) const {
    return step_along(lowering_, access, group);
  }

  /// The operand's memory as [k, other], from (first_k, first) on.
  Tile direct(const Access& access, const AxisGroup& other, const Index& first, std::int64_t size,
              const Index& first_k) {
    Renaming renaming = outer_;
    k_.bind(first_k, renaming);
    other.bind(first, renaming);
    return {access.buffer,
            rename(access, renaming).indices,
            {depth_, size},
            {*step(access, k_), *step(access, other)}};
  }

  Packing packing() const { return {lowering_, stage_, outer_, k_, blocks_}; }

  Tile whole(BufferId id) const {
    const Shape& shape = lowering_.schedule.buffers[id].shape;
    return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
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
    // Rows of a long k lie far apart, often at places that share a set of the cache: they are packed.
    left_direct_ = left && constant(step(*left, m_)) && constant(step(*left, k_)) && (few_ || !blocks_);
    right_direct_ = few_ && readable();
    tile_ = add_panel("tile", {sizes_.rows, sizes_.columns});
    Loop n = open("n", LoopKind::serial, n_.extent, sizes_.column_block);
    const Index column = variable(n.id);
    Body body;
    if (!right_direct_) {
      right_panel_ = add_panel("right", {sizes_.column_block / sizes_.columns, k_.extent, sizes_.columns});
      body.push_back({Allocate{right_panel_}});
      append(body, packing().pack({stage_.contraction->right, n_, column, sizes_.columns, sizes_.column_block,
                                   right_panel_, constant_index(0), k_.extent, true}));
    }
    append(body, row_blocks(column));
    return around(std::move(n), std::move(body));
  }

  Body row_blocks(const Index& column) {
    Loop m = open("m", LoopKind::serial, m_.extent, sizes_.row_block);
    const Index row = variable(m.id);
    Body body;
    if (!left_direct_) {
      const std::int64_t vectors = (sizes_.rows + lanes() - 1) / lanes();
      left_panel_ = add_panel("left", {sizes_.row_block / sizes_.rows, depth_, vectors * lanes()});
      body.push_back({Allocate{left_panel_}});
    }
    if (blocks_) {
      append(body, blocks_of_k(row, column));
    } else {
      append(body, pack_left(row, constant_index(0)));
      append(body, tiles(row, column, [&](const Place& place) {
               Body one = product(place, constant_index(0));
               append(one, epilogue(place, {tile_, {}}));
               return one;
             }));
    }
    return around(std::move(m), std::move(body));
  }

  /// One block of k after the other for all tiles of the block of rows and columns, each tile's sum added to
  /// its total; then the epilogues.
  Body blocks_of_k(const Index& row, const Index& column) {
    totals_ = add_panel("totals", {sizes_.row_block / sizes_.rows, sizes_.column_block / sizes_.columns,
                                   sizes_.rows, sizes_.columns});
    Body body;
    body.push_back({Allocate{totals_}});
    append(
        body, tiles(row, column, [&](const Place& place) {
          const Index zero = constant_index(0);
          const Tile total{totals_, {place.i, place.j, zero, zero}, {1, 1, sizes_.rows, sizes_.columns}, {}};
          Body one;
          one.push_back({Fill{total, stage_.reduction->identity[0]}});
          return one;
        }));
    Loop k = open("k_block", LoopKind::serial, k_.extent, k_block);
    const Index first_k = variable(k.id);
    Body block = pack_left(row, first_k);
    append(block, tiles(row, column, [&](const Place& place) {
             Body one = product(place, first_k);
             append(one, add_to_total(place));
             return one;
           }));
    append(body, around(std::move(k), std::move(block)));
    append(body, tiles(row, column, [&](const Place& place) {
             return epilogue(place, {totals_, {place.i, place.j}});
           }));
    return body;
  }

  Body pack_left(const Index& row, const Index& first_k) {
    if (left_direct_) return {};
    return packing().pack(
        {stage_.contraction->left, m_, row, sizes_.rows, sizes_.row_block, left_panel_, first_k, depth_});
  }

  /// A tile of a block: its number there, down and across, and its first element.
  struct Place {
    Index i, j, row, column;
  };

  template <typename Of>
  Body tiles(const Index& row_block, const Index& column_block, Of of) {
    Loop j = open("j", LoopKind::serial, sizes_.column_block / sizes_.columns);
    Loop i = open("i", LoopKind::serial, sizes_.row_block / sizes_.rows);
    const Index column = column_block + variable(j.id) * sizes_.columns;
    const Index row = row_block + variable(i.id) * sizes_.rows;
    j.bounds.push_back({column, n_.extent});
    i.bounds.push_back({row, m_.extent});
    Body body = of(Place{variable(i.id), variable(j.id), row, column});
    return around(std::move(j), around(std::move(i), std::move(body)));
  }

  /// The tile's sums over the block of k from `first_k` on.
  Body product(const Place& place, const Index& first_k) {
    const Index zero = constant_index(0);
    MultiplyAccumulate multiply;
    multiply.to = whole(tile_);
    multiply.left = left_direct_
                        ? direct(*plain(stage_.contraction->left), m_, place.row, sizes_.rows, first_k)
                        : Tile{left_panel_, {place.i, zero, zero}, {1, depth_, sizes_.rows}, {}};
    multiply.right =
        right_direct_ ? direct(*plain(stage_.contraction->right), n_, place.column, sizes_.columns, first_k)
                      : Tile{right_panel_, {place.j, first_k, zero}, {1, depth_, sizes_.columns}, {}};
    multiply.rows = less(m_.extent, place.row);
    const auto constant = n_.extent.constant();
    const bool all = !right_direct_ || (constant && *constant % sizes_.columns == 0);
    multiply.columns = all ? constant_index(sizes_.columns) : less(n_.extent, place.column);
    multiply.count = less(k_.extent, first_k);
    Body body;
    body.push_back({Allocate{tile_}});
    body.push_back({Fill{multiply.to, stage_.reduction->identity[0]}});
    body.push_back({std::move(multiply)});
    return body;
  }

  Body add_to_total(const Place& place) {
    Loop row = open("row", LoopKind::serial, sizes_.rows);
    Loop copy = open("copy", LoopKind::unrolled, sizes_.columns / lanes());
    Loop lane = open("lane", LoopKind::vector, lanes());
    const Index inside = variable(copy.id) * lanes() + variable(lane.id);
    const Access total{totals_, {place.i, place.j, variable(row.id), inside}};
    Body body;
    const ValueId before = let({type_, Scalar::Load{total, {}, 0}}, body);
    const ValueId sum = let({type_, Scalar::Load{{tile_, {variable(row.id), inside}}, {}, 0}}, body);
    const ValueId after = let({type_, Scalar::Operation{dlvm::Opcode::add, {before, sum}}}, body);
    body.push_back({Store{total, {}, after, std::nullopt}});
    return around(std::move(row), around(std::move(copy), around(std::move(lane), std::move(body))));
  }

  /// `tile`: where the sums are; the element's place in the tile is appended.
  Body epilogue(const Place& place, Access tile) {
    Loop i = open("row", LoopKind::serial, sizes_.rows);
    Loop copy = open("copy", LoopKind::serial, sizes_.columns, lanes());
    Loop lane = open("lane", LoopKind::vector, lanes());
    const Index inside = variable(copy.id) + variable(lane.id);
    const Index row = place.row + variable(i.id), column = place.column + inside;
    i.bounds.push_back({row, m_.extent});
    copy.bounds.push_back({place.column + variable(copy.id), n_.extent});
    lane.bounds.push_back({column, n_.extent});
    Renaming renaming = outer_;
    m_.bind(row, renaming);
    n_.bind(column, renaming);
    tile.indices.push_back(variable(i.id));
    tile.indices.push_back(inside);
    Body body;
    finish(tile, renaming, body);
    return around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body))));
  }

  Sizes sizes_;
  AxisGroup m_, n_, k_;
  Extent depth_;         ///< of a block of k
  bool blocks_ = false;  ///< k may have several
  bool few_ = false, left_direct_ = false, right_direct_ = false;
  BufferId tile_ = 0, totals_ = 0, left_panel_ = 0, right_panel_ = 0;
};

}  // namespace

bool is_tiled(Lowering& lowering, const Stage& stage) {
  if (lowering.processor->vector_bytes == 0 || !stage.contraction || !stage.reduction) return false;
  const kernel::Contraction& c = *stage.contraction;
  const auto own = [&](const std::vector<AxisId>& ids) {
    return std::all_of(ids.begin(), ids.end(), [&](AxisId id) {
      return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const Axis& a) { return a.id == id; });
    });
  };
  if (!own(c.m) || !own(c.n) || !own(c.k) || c.n.empty() || c.k.empty()) return false;
  const ElementType type = stage.reduction->types[0];
  if (type != ElementType::f32 && type != ElementType::f64) return false;
  if (stage.body[c.left].type != type || stage.body[c.right].type != type || runs_in_order(stage))
    return false;
  return !c.m.empty() || ContractionLowering(lowering, stage, {}).is_row_times_matrix();
}

Body lower_contraction(Lowering& lowering, const Stage& stage, const Renaming& outer) {
  return ContractionLowering(lowering, stage, outer).lower();
}

std::optional<Guard> few_rows_guard(Lowering& lowering, const Stage& stage) {
  const auto rows = ContractionLowering(lowering, stage, {}).rows_that_matter();
  if (!rows) return std::nullopt;
  return Guard{*rows, 0, few_rows + 1};
}

}  // namespace codegen::schedule::cpu
