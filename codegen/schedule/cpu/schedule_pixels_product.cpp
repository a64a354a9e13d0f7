// Products whose rows fill vectors and whose columns are pixels along lines: convolutions of many filters.
// Lanes are rows of the product, and each element of the right operand is multiplied by vectors of them. So
// the right operand is not packed for each term: single elements are read from a copy of the lines of one
// strip of an image, with zeros outside, where neighbours along a line of the result are evenly apart. A tile
// is a part of such a line, so that no tile has columns of two lines, and none is left over where tiles fit
// the lines. The left operand is panels with the rows of a tile next to each other for each term; where it is
// not packed before the call, it is packed for all strips, or block by block where there is one. Blocks of k
// are added to totals as schedule_product.cpp does. The totals of one panel have pixels in one direction and
// rows in the other; squares of them are transposed in registers for the epilogue, whose lanes are pixels.
#include <algorithm>

#include "codegen/schedule/cpu/copy_lines.h"
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

class PixelsProductBuilder {
 public:
  PixelsProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                       const ProductPlan& plan)
      : nest_(lowering, stage, outer, plan),
        split_(split_k(nest_.axes.k)),
        lines_(*pixel_lines(stage, nest_.axes.n, nest_.axes.k, plan.line_copy)) {
    for (const Axis* axis : lines_.line) line_.add(*axis);
  }

  Body build() {
    // The batch axes on which the left operand depends are around its panels.
    std::vector<const Axis*> of_left, others;
    const std::set<LoopId> left_axes = axes_of_operand(stage_.contraction->left);
    for (const Axis& axis : stage_.axes)
      if (std::ranges::find(stage_.contraction->batch, axis.id) != stage_.contraction->batch.end())
        (left_axes.contains(axis.id) ? of_left : others).push_back(&axis);
    std::vector<Loop> left_loops = nest_.open(of_left, builder_.outer, LoopKind::core);
    Body body;
    if (plan_.left_panels) {
      left_ = plain_access(stage_, stage_.contraction->left)->buffer;
    } else if (std::ranges::any_of(others, [](const Axis* axis) { return !axis->extent.is(1); })) {
      body = pack_all_of_left();
    }
    std::vector<Loop> strips = nest_.open(others, builder_.outer, LoopKind::core);
    auto [id, strip] = copy_lines(nest_, lines_, 0);
    copy_ = id;
    spread_lines();
    append(strip, panels());
    append(body, nested(std::move(strips), std::move(strip)));
    return nested(std::move(left_loops), std::move(body));
  }

 private:
  /// Returns the axes on which the operand depends.
  std::set<LoopId> axes_of_operand(kernel::ScalarId operand) const {
    std::set<LoopId> axes;
    std::set<ValueId> operands;
    collect(stage_.body[operand], axes, operands);
    for (const ValueId other : operands) axes.merge(axes_of_operand(other));
    return axes;
  }

  /// Lets the lines of two channels of the copy be an odd number of cache lines apart where it would be an
  /// even one: those of all channels of a block of k would be in few sets of a cache.
  void spread_lines() {
    Buffer& copy = nest_.lowering.schedule.buffers[copy_];
    auto& strides = copy.layout.strides;
    const std::size_t channel = lines_.has_windows() ? 1 : 0;
    const std::int64_t line = nest_.lowering.target.line_bytes / dlvm::info(copy.element).bytes;
    const auto apart = strides[channel].constant();
    if (channel + 2 > strides.size() || !apart || *apart % (2 * line) != 0) return;
    strides[channel] = *apart + line;
    if (channel > 0) strides[0] = strides[1] * copy.shape[1];
  }

  Extent panel_count() const {
    return Extent::floor_divide(axes_.m.extent + (plan_.columns - 1), plan_.columns);
  }
  std::int64_t pixels() const { return *axes_.n.extent.constant(); }

  /// Packs the rows of panel `number` for the terms of a block of k into part `part` of the panels.
  Body pack_left(const Index& number, const Index& part, const Index& first, const Extent& terms) {
    const Index first_term = first * Extent(split_.size);
    OperandPacker packer(nest_.lowering, stage_, builder_.outer, axes_.k, false);
    return packer.pack({stage_.contraction->left, axes_.m, number * Extent(plan_.columns), plan_.columns,
                        plan_.columns, left_, first_term, terms, true, &split_, part,
                        is_left_whole_ ? first_term : constant_index(0)});
  }

  /// Packs all of the left operand.
  Body pack_all_of_left() {
    left_ = nest_.add_panel("left", {panel_count(), axes_.k.extent, plan_.columns});
    is_left_whole_ = true;
    Loop panel = builder_.open("panel", LoopKind::core, panel_count());
    const Index number = variable(panel.id);
    Body body;
    body.push_back({Allocate{left_}});
    Body packing = in_k_blocks([&](const Index& first, std::int64_t steps) {
      return pack_left(number, number, first, steps * split_.size);
    });
    append(body, around(std::move(panel), std::move(packing)));
    return body;
  }

  /// Returns one panel of rows after the other, for all pixels of a strip.
  Body panels() {
    Loop panel = builder_.open("panel", LoopKind::core, panel_count());
    const Index number = variable(panel.id), zero = constant_index(0);
    // The squares of the last pixels are whole.
    const Shape sums{pixels() + plan_.columns - 1, plan_.columns};
    totals_ = nest_.add_panel("totals", sums);
    Body body;
    body.push_back({Allocate{totals_}});
    if (!plan_.left_panels && !is_left_whole_) {
      const Extent depth = plan_.k_block ? Extent(*plan_.k_block) : axes_.k.extent;
      left_ = nest_.add_panel("left", {1, depth, plan_.columns});
      body.push_back({Allocate{left_}});
    }
    append(body, in_k_blocks([&](const Index& first, std::int64_t steps) {
             Body block;
             const bool is_packed = plan_.left_panels || is_left_whole_;
             if (!is_packed) block = pack_left(number, zero, first, steps * split_.size);
             const Index term = is_packed ? first * Extent(split_.size) : zero;
             append(block, tiles(Access{left_, {is_packed ? number : zero, term, zero}}, first, steps));
             return block;
           }));
    append(body, epilogues(number));
    return around(std::move(panel), std::move(body));
  }

  /// Returns what `of` makes of each block of k: it takes the first step of the outer part of k and the
  /// number of these steps. The last block may have fewer.
  template <typename Of>
  Body in_k_blocks(Of of) {
    const std::int64_t all = *split_.outer.extent.constant(),
                       steps = plan_.k_block ? *plan_.k_block / split_.size : all,
                       whole = all / steps * steps;
    if (steps == all) return of(constant_index(0), all);
    Loop k = builder_.open("k_block", LoopKind::serial, whole, steps);
    const Index first = variable(k.id);
    Body body = around(std::move(k), of(first, steps));
    if (whole < all) append(body, of(constant_index(whole), all - whole));
    return body;
  }

  /// Returns the tiles of all lines over a block of k. `left` is its first element in the panels.
  Body tiles(const Access& left, const Index& first, std::int64_t steps) {
    Renaming at = builder_.outer;
    std::vector<Loop> loops = nest_.open(lines_.lines, at);
    Index line = constant_index(0);
    for (const Axis* axis : lines_.lines) line = line * axis->extent + at.axes.at(axis->id);
    const std::int64_t length = *line_.extent.constant(), rest = length % plan_.rows, whole = length - rest;
    const auto tile = [&](const Index& pixel, std::int64_t rows) {
      const Index zero = constant_index(0);
      MultiplyAccumulate multiply;
      multiply.to = {totals_, {line * Extent(length) + pixel, zero}, {rows, plan_.columns}, {}};
      multiply.left = pixels_from(pixel, first, steps, rows, at);
      multiply.right = {left.buffer, left.indices, {}, {}};
      Extent step = plan_.columns;
      for (std::size_t i = axes_.k.axes.size(); i-- > 0;) {
        multiply.right.sizes.insert(multiply.right.sizes.begin(), terms_along(i, steps));
        multiply.right.strides.insert(multiply.right.strides.begin(), step);
        step = step * axes_.k.axes[i]->extent;
      }
      multiply.right.sizes.emplace_back(plan_.columns);
      multiply.right.strides.emplace_back(1);
      multiply.rows = constant_index(rows);
      multiply.columns = constant_index(plan_.columns);
      multiply.count = constant_index(terms_along(axes_.k.axes.size() - 1, steps));
      if (steps < *split_.outer.extent.constant()) multiply.arithmetic = Arithmetic::apart;
      const std::int64_t tiles_of_line = (length + plan_.rows - 1) / plan_.rows;
      const Index number = line * Extent(tiles_of_line) +
                           kernel::quotient_index({Index::Quotient::Kind::floor, pixel, plan_.rows});
      multiply.ahead = ahead(left, number, steps * split_.size, tiles_of_line * pixels() / length);
      Body body = clear(multiply.to, first);
      body.push_back({std::move(multiply)});
      return body;
    };
    Body body;
    if (whole > 0) {
      Loop pixel = builder_.open("pixel", LoopKind::serial, whole, plan_.rows);
      Body one = tile(variable(pixel.id), plan_.rows);
      body = around(std::move(pixel), std::move(one));
    }
    if (rest > 0) append(body, tile(constant_index(whole), rest));
    return nested(std::move(loops), std::move(body));
  }

  /// Returns what tile `number` of `tiles` fetches of the panels behind the block of `terms` terms at `left`:
  /// all tiles together as many terms as the block has.
  std::optional<Tile> ahead(const Access& left, const Index& number, std::int64_t terms,
                            std::int64_t tiles) const {
    if (!plan_.fetches_ahead || (!plan_.left_panels && !is_left_whole_)) return {};
    const std::int64_t part = (terms + tiles - 1) / tiles;
    Access next = left;
    next.indices[1] = next.indices[1] + number * Extent(part) + constant_index(terms);
    return Tile{next.buffer, next.indices, {1, part, plan_.columns}, {}};
  }

  /// Clears the sums if the block of k that begins at `first` is the first one.
  Body clear(const Tile& sums, const Index& first) {
    const auto known = kernel::constant(first);
    if (known && !known->is(0)) return {};
    Body body;
    body.push_back({Fill{sums, stage_.reduction->identity[0]}});
    return known ? std::move(body) : nest_.where("first", {first, 1}, std::move(body));
  }

  /// Returns how many positions a block of `steps` steps has along axis `i` of k.
  Extent terms_along(std::size_t i, std::int64_t steps) const {
    return i == 0 && plan_.k_block ? Extent(steps) : axes_.k.axes[i]->extent;
  }

  /// Returns the terms of `rows` pixels of a line from `pixel` on.
  Tile pixels_from(const Index& pixel, const Index& first, std::int64_t steps, std::int64_t rows,
                   Renaming at) const {
    const Access element = copied_element(copy_, lines_);
    const Index place = offset(element, nest_.lowering.schedule.buffers[copy_].layout);
    for (const Axis* axis : axes_.k.axes) at.axes[axis->id] = constant_index(0);
    at.axes[axes_.k.axes[0]->id] = first;
    line_.bind(pixel, at);
    Tile tile{copy_, rename(element, at).indices, {}, {}};
    for (std::size_t i = 0; i < axes_.k.axes.size(); ++i) {
      tile.sizes.push_back(terms_along(i, steps));
      tile.strides.push_back(*stride(place, axes_.k.axes[i]->id));
    }
    tile.sizes.emplace_back(rows);
    tile.strides.push_back(*stride(place, line_.axes.back()->id));
    return tile;
  }

  /// Returns the epilogues of all pixels of a panel: as many at a time as it has rows.
  Body epilogues(const Index& panel) {
    const AxisGroup line = line_of_results(stage_, nest_.lowering.schedule.buffers, axes_.n);
    std::vector<const Axis*> around;
    for (std::size_t i = 0; i + line.axes.size() < axes_.n.axes.size(); ++i)
      around.push_back(axes_.n.axes[i]);
    Renaming at = builder_.outer;
    std::vector<Loop> loops = nest_.open(around, at);
    Index first = constant_index(0);
    for (const Axis* axis : around) first = first * axis->extent + at.axes.at(axis->id);
    const std::int64_t size = plan_.columns, lanes = nest_.lanes();
    loops.push_back(builder_.open("pixel", LoopKind::serial, line.extent, size));
    const Index pixel = variable(loops.back().id);
    square_ = nest_.add_panel("square", {size, size});
    Loop across = builder_.open("across", LoopKind::serial, size, lanes);
    Loop down = builder_.open("down", LoopKind::serial, size, lanes);
    across.bounds.push_back({pixel + variable(across.id), line.extent});
    const Tile from{totals_,
                    {first * line.extent + pixel + variable(across.id), variable(down.id)},
                    {lanes, lanes},
                    {size, 1}};
    const Tile to{square_, {variable(down.id), variable(across.id)}, {lanes, lanes}, {1, size}};
    Body copy, body;
    copy.push_back({Copy{from, to, false, {}}});
    body.push_back({Allocate{square_}});
    append(body, schedule::around(std::move(across), schedule::around(std::move(down), std::move(copy))));
    append(body,
           nest_.finish({{square_, {}}, constant_index(0), axes_.m, panel * Extent(size), size, line, pixel},
                        at));
    return nested(std::move(loops), std::move(body));
  }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  SplitAxes split_;             ///< of k
  InputLines lines_;            ///< of the right operand
  AxisGroup line_;              ///< the axes of n along the lines
  bool is_left_whole_ = false;  ///< all of the left operand is packed before the strips
  BufferId left_ = 0, copy_ = 0, totals_ = 0, square_ = 0;
};

}  // namespace

Body schedule_pixels_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                             const ProductPlan& plan) {
  const Stage strips = with_strips_apart(stage, plan.strip);
  return PixelsProductBuilder(lowering, strips, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
