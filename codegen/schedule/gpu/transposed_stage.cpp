#include "codegen/schedule/gpu/transposed_stage.h"

#include <algorithm>

#include "codegen/schedule/lower/axis_group.h"
#include "codegen/schedule/lower/stage_nest.h"
#include "codegen/schedule/lower/statements.h"
#include "codegen/schedule/lower/transposition.h"
#include "dlvm/diagnostics/internal_error.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::ScalarId;
using kernel::Stage;

constexpr std::int64_t access_bytes = 16, most_elements = 8;  ///< that a thread reads or writes at once
constexpr std::int64_t bank_bytes = 4;                        ///< a row of shared memory has 32 banks
constexpr std::size_t most_tiles = 4;                         ///< of a block, in shared memory

struct Direction {
  AxisGroup axes;          ///< as one, the contiguous one last
  std::int64_t side = 32;  ///< of a tile, in elements
  std::int64_t width = 1;  ///< elements that a thread takes at once
};

/// How a stage is cut into tiles: along `rows` what turned loads read is contiguous, along `columns` what is
/// stored. All other axes are `batch`.
struct Tiling {
  AxisGroup batch;
  Direction rows, columns;
  std::vector<ScalarId> staged;  ///< loads that go through shared memory
  std::int64_t threads() const {
    return std::min<std::int64_t>(256, rows.side * columns.side / std::max(rows.width, columns.width));
  }
};

bool is_in(const AxisGroup& group, const Axis& axis) {
  return std::count(group.axes.begin(), group.axes.end(), &axis) > 0;
}
bool is_below(const Extent& extent, std::int64_t limit) {
  const auto constant = extent.constant();
  return constant && *constant < limit;
}
bool divides(std::int64_t width, const Extent& extent) {
  const auto constant = extent.constant();
  return constant && *constant % width == 0;
}

class Choice {
 public:
  Choice(const Lowering& lowering, const Stage& stage, const Transposition& found)
      : lowering_(lowering), stage_(stage), row_(*found.row), column_(*found.column) {
    result_.staged = found.turned;
    if (result_.staged.size() > most_tiles) result_.staged.resize(most_tiles);
  }

  std::optional<Tiling> choose() {
    const std::int64_t widest = widest_element();
    if (widest > bank_bytes) result_.rows.side = result_.columns.side = 16;
    group(result_.columns, column_, row_, stage_.stores.front().access);
    group(result_.rows, row_, column_, load(result_.staged.front()).access);
    // Less than 32 bytes of neighbours, what memory gives at a time, are no loss to single accesses.
    for (const Direction* direction : {&result_.rows, &result_.columns})
      if (is_below(direction->axes.extent, direction->side / 4)) return std::nullopt;
    for (const Axis& axis : stage_.axes)
      if (!is_in(result_.rows.axes, axis) && !is_in(result_.columns.axes, axis)) result_.batch.add(axis);
    choose_widths(std::min(access_bytes / widest, most_elements));
    return std::move(result_);
  }

 private:
  const Scalar::Load& load(ScalarId id) const { return std::get<Scalar::Load>(stage_.body[id].definition); }
  bool is_staged(ScalarId id) const {
    return std::count(result_.staged.begin(), result_.staged.end(), id) > 0;
  }

  /// In bytes, of all that the stage reads and writes.
  std::int64_t widest_element() const {
    std::int64_t widest = 1;
    const auto add = [&](const Access& access) {
      const auto& info = dlvm::info(lowering_.schedule.buffers[access.buffer].element);
      widest = std::max<std::int64_t>(widest, info.bytes);
    };
    for (const kernel::Store& store : stage_.stores) add(store.access);
    for (const Scalar& scalar : stage_.body)
      if (const auto* from = std::get_if<Scalar::Load>(&scalar.definition)) add(from->access);
    return widest;
  }

  /// The axis, and while these are less than a tile's side the one whose steps in memory are as large as all
  /// of them.
  void group(Direction& direction, const Axis& last, const Axis& other, const Access& access) const {
    const Index place = place_of(lowering_, access);
    std::vector<const Axis*> axes{&last};
    Extent extent = last.extent;
    const auto follows = [&](const Axis& axis) {
      const auto step = stride(place, axis.id);
      return &axis != &other && !is_in(result_.columns.axes, axis) &&
             std::count(axes.begin(), axes.end(), &axis) == 0 && step && *step == extent;
    };
    while (is_below(extent, direction.side)) {
      const auto next = std::find_if(stage_.axes.begin(), stage_.axes.end(), follows);
      if (next == stage_.axes.end()) break;
      axes.push_back(&*next);
      extent = extent * next->extent;
    }
    for (std::size_t i = axes.size(); i-- > 0;) direction.axes.add(*axes[i]);
  }

  void choose_widths(std::int64_t most) {
    const auto loads_allow = [&](bool staged, const Axis& axis, std::int64_t width) {
      for (ScalarId id = 0; id < stage_.body.size(); ++id) {
        const auto* from = std::get_if<Scalar::Load>(&stage_.body[id].definition);
        if (from != nullptr && is_staged(id) == staged && !allows(from->access, from->bounds, axis, width))
          return false;
      }
      return true;
    };
    const auto choose = [&](Direction& direction, auto allow) {
      if (direction.axes.axes.size() > 1) return;
      const bool is_short = is_below(direction.axes.extent, direction.side + 1);
      direction.width = is_short ? std::min(most, direction.side / 8) : most;
      while (direction.width > 1 &&
             !(divides(direction.width, direction.axes.extent) && allow(direction.width)))
        direction.width /= 2;
    };
    choose(result_.rows, [&](std::int64_t width) { return loads_allow(true, row_, width); });
    choose(result_.columns, [&](std::int64_t width) {
      return loads_allow(false, column_, width) &&
             std::all_of(stage_.stores.begin(), stage_.stores.end(), [&](const kernel::Store& store) {
               return allows(store.access, store.bounds, column_, width);
             });
    });
    result_.rows.side = std::max(result_.rows.side, 8 * result_.rows.width);
  }

  /// Whether `width` neighbours along the axis lie together at a multiple of their size, or are one element,
  /// and are all inside of the bounds or all outside.
  bool allows(const Access& access, const std::vector<Bound>& bounds, const Axis& axis,
              std::int64_t width) const {
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(bounds, axes, values);
    const bool is_bounded = axes.count(axis.id) > 0;
    collect(access, axes, values);
    const Index place = place_of(lowering_, access);
    const auto step = stride(place, axis.id);
    if (is_bounded || !values.empty() || !step) return false;
    if (step->is(0)) return true;
    return step->is(1) && divides(width, place.constant) &&
           std::all_of(place.terms.begin(), place.terms.end(), [&](const Index::Term& term) {
             const auto* id = std::get_if<AxisId>(&term.atom);
             return (id != nullptr && *id == axis.id) || divides(width, term.coefficient);
           });
  }

  const Lowering& lowering_;
  const Stage& stage_;
  const Axis &row_, &column_;
  Tiling result_;
};

/// One tile along its rows or its columns.
struct Range {
  const Direction& direction;
  Index first;
  AxisId inside;  ///< stands for an element's place in the tile
};

/// A stage at the points of a tile: neighbouring threads are neighbours along `minor`.
class TilePoints : StageNest {
 public:
  TilePoints(Lowering& lowering, const Stage& stage, const Renaming& batch)
      : StageNest(lowering, stage, batch) {}

  Body lower(const Range& major, const Range& minor, std::int64_t threads) {
    const std::int64_t width = minor.direction.width, across = minor.direction.side / width,
                       down = threads / across;
    const LoopId row = open("thread_row", LoopKind::thread, down, 1).id;
    Loop& thread = open("thread", LoopKind::thread, across, 1);
    Index place = variable(thread.id) * width;
    thread.bounds = {{minor.first + place, minor.direction.axes.extent}};
    Loop& part = open("part", LoopKind::unrolled, major.direction.side / down, 1);
    const Index line = variable(row) + variable(part.id) * down;
    part.bounds = {{major.first + line, major.direction.axes.extent}};
    if (width > 1) place = place + variable(open("lane", LoopKind::vector, width, 1).id);
    bind(major, line);
    bind(minor, place);
    fill();
    return assemble();
  }

 private:
  void bind(const Range& range, const Index& inside) {
    range.direction.axes.bind(range.first + inside, renaming_);
    renaming_.axes[range.inside] = inside;
  }
  void reduce() override { dlvm::internal_error("a reduction in tiles that are transposed"); }
};

class TransposedStage {
 public:
  TransposedStage(Lowering& lowering, const Stage& stage, const Tiling& tiling)
      : lowering_(lowering), stage_(stage), tiling_(tiling) {
    for (const Axis& axis : stage.axes) row_ = std::max(row_, axis.id + 1);
  }

  Body lower() {
    Loop batch = new_loop(lowering_, "batch", LoopKind::block, tiling_.batch.extent);
    Loop down = new_loop(lowering_, "rows", LoopKind::block, tiles(tiling_.rows));
    Loop across = new_loop(lowering_, "columns", LoopKind::block, tiles(tiling_.columns));
    Renaming outer;
    tiling_.batch.bind(variable(batch.id), outer);
    const Range rows{tiling_.rows, variable(down.id) * tiling_.rows.side, row_};
    const Range columns{tiling_.columns, variable(across.id) * tiling_.columns.side, row_ + 1};
    Stage filling = stage_, using_tiles = stage_;
    filling.stores.clear();
    Body body;
    for (const ScalarId id : tiling_.staged) {
      const Access tile = add_tile(id, body);
      filling.stores.push_back({tile, {}, id, std::nullopt});
      using_tiles.body[id].definition = Scalar::Load{tile, {}, 0};
    }
    append(body, TilePoints(lowering_, filling, outer).lower(columns, rows, tiling_.threads()));
    append(body, TilePoints(lowering_, using_tiles, outer).lower(rows, columns, tiling_.threads()));
    body = around(std::move(down), around(std::move(across), std::move(body)));
    return tiling_.batch.axes.empty() ? std::move(body) : around(std::move(batch), std::move(body));
  }

 private:
  static Extent tiles(const Direction& direction) {
    return Extent::floor_divide(direction.axes.extent + Extent(direction.side - 1), Extent(direction.side));
  }

  /// A tile for a load, and the element of it for a point. It has a line for each column, a word longer than
  /// there are rows, so that threads of a warp meet in different banks. Of words, (column c, row r) lies in
  /// bank 33 c + r = c + r (mod 32). Where a thread takes 4, 8 threads are neighbours, in each of 4 lines: at
  /// a time they fill r = 4 t + i of c = c' .. c' + 3 for t = 0 .. 7, and read c = 4 t + i of r = r' .. r' +
  /// 3: either way 32 sums. Where it takes one, r or c alone has 32 values. Elements of 8 bytes go by 16
  /// threads and 16 pairs of banks: c + r (mod 16), r = 2 t + i, c = c' .. c' + 1. Of 2 bytes two share a
  /// word, and a thread takes 8, so that 64 rows are 33 words, too: it fills those of bank c + 4 t of 4
  /// lines, and of 4 threads reads 8 t + r / 2, r = r' .. r' + 7.
  Access add_tile(ScalarId id, Body& body) {
    const auto& from = std::get<Scalar::Load>(stage_.body[id].definition);
    const Buffer& source = lowering_.schedule.buffers[from.access.buffer];
    const std::int64_t bytes = dlvm::info(source.element).bytes;
    const std::int64_t line = tiling_.rows.side + std::max<std::int64_t>(1, bank_bytes / bytes);
    const BufferId tile = lowering_.add_buffer({stage_.name + ".tile",
                                                source.element,
                                                {tiling_.columns.side, tiling_.rows.side},
                                                Space::shared,
                                                {{line, 1}, std::nullopt},
                                                false,
                                                std::nullopt});
    body.push_back({Allocate{tile}});
    return {tile, {variable(row_ + 1), variable(row_)}};
  }

  Lowering& lowering_;
  const Stage& stage_;
  const Tiling& tiling_;
  AxisId row_ = 0;  ///< for an element's row in its tile; the next for its column
};

}  // namespace

std::optional<Body> lower_in_tiles(Lowering& lowering, const Stage& stage) {
  const auto found = find_transposition(lowering, stage);
  if (!found) return std::nullopt;
  const auto tiling = Choice(lowering, stage, *found).choose();
  if (!tiling) return std::nullopt;
  return TransposedStage(lowering, stage, *tiling).lower();
}

}  // namespace codegen::schedule
