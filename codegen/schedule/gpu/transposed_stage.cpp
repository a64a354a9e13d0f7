#include "codegen/schedule/gpu/transposed_stage.h"

#include <algorithm>

#include "codegen/schedule/common/loop_nest_builder.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/tiling.h"
#include "dlvm/support/internal_error.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::ScalarId;
using kernel::Stage;

/// One tile along its rows or its columns.
struct Range {
  const Tiling::Direction& direction;
  Index first;
  AxisId inside;  ///< stands for an element's place in the tile
};

/// A stage at the points of a tile: neighbouring threads are neighbours along `minor`.
class TilePointsBuilder {
 public:
  TilePointsBuilder(Lowering& lowering, const Stage& stage, const Renaming& batch)
      : nest_(lowering, stage, batch) {}

  Body build(const Range& major, const Range& minor, std::int64_t threads) {
    const std::int64_t width = minor.direction.width, across = minor.direction.side / width,
                       down = threads / across;
    const LoopId row = nest_.open("thread_row", LoopKind::thread, down, 1).id;
    Loop& thread = nest_.open("thread", LoopKind::thread, across, 1);
    Index place = variable(thread.id) * width;
    thread.bounds = {{minor.first + place, minor.direction.axes.extent}};
    Loop& part = nest_.open("part", LoopKind::unrolled, major.direction.side / down, 1);
    const Index line = variable(row) + variable(part.id) * down;
    part.bounds = {{major.first + line, major.direction.axes.extent}};
    if (width > 1) place = place + variable(nest_.open("lane", LoopKind::vector, width, 1).id);
    bind(major, line);
    bind(minor, place);
    nest_.fill([] { dlvm::internal_error("a reduction in tiles that are transposed"); });
    return nest_.assemble();
  }

 private:
  void bind(const Range& range, const Index& inside) {
    range.direction.axes.bind(range.first + inside, nest_.renaming);
    nest_.renaming.axes[range.inside] = inside;
  }

  LoopNestBuilder nest_;
};

class TilesBuilder {
 public:
  TilesBuilder(GpuLowering& lowering, const Stage& stage, const Tiling& tiling)
      : lowering_(lowering), stage_(stage), tiling_(tiling) {
    for (const Axis& axis : stage.axes) row_ = std::max(row_, axis.id + 1);
  }

  Body build() {
    Loop batch = new_loop(lowering_, "batch", LoopKind::block, tiling_.batch.extent);
    Loop down = new_loop(lowering_, "rows", LoopKind::block, tiles(tiling_.rows));
    Loop across = new_loop(lowering_, "columns", LoopKind::block, tiles(tiling_.columns));
    Renaming outer;
    tiling_.batch.bind(variable(batch.id), outer);
    const Range rows{tiling_.rows, variable(down.id) * tiling_.rows.side, row_};
    const Range columns{tiling_.columns, variable(across.id) * tiling_.columns.side, row_ + 1};
    Body body = points(outer, rows, columns);
    body = around(std::move(down), around(std::move(across), std::move(body)));
    return tiling_.batch.axes.empty() ? std::move(body) : around(std::move(batch), std::move(body));
  }

 private:
  /// Tiles are filled along rows, the stage is computed along columns, and tiles are emptied along rows.
  Body points(const Renaming& outer, const Range& rows, const Range& columns) {
    Stage fill = stage_, compute = stage_, empty = stage_;
    fill.stores.clear(), empty.body.clear(), empty.stores.clear();
    Body body;
    for (const ScalarId id : tiling_.transposed.loads) {
      const Access tile = add_tile(std::get<Scalar::Load>(stage_.body[id].definition).access, body);
      fill.stores.push_back({tile, {}, id, std::nullopt});
      compute.body[id].definition = Scalar::Load{tile, {}, 0};
    }
    for (const std::size_t i : tiling_.transposed.stores) {
      kernel::Store& store = compute.stores[i];
      const Access tile = add_tile(store.access, body);
      empty.stores.push_back({store.access, store.bounds, static_cast<ScalarId>(empty.body.size()), {}});
      empty.body.push_back({stage_.body[store.value].type, Scalar::Load{tile, {}, 0}});
      store = {tile, {}, store.value, std::nullopt};
    }
    const auto run = [&](const Stage& stage, const Range& major, const Range& minor) {
      if (!stage.stores.empty())
        append(body, TilePointsBuilder(lowering_, stage, outer).build(major, minor, tiling_.threads));
    };
    run(fill, columns, rows);
    run(compute, rows, columns);
    run(empty, columns, rows);
    return body;
  }

  static Extent tiles(const Tiling::Direction& direction) {
    return Extent::floor_divide(direction.axes.extent + Extent(direction.side - 1), Extent(direction.side));
  }

  /// A tile for what an access reads or writes, and the element of it for a point. It has a line for each
  /// column, a word longer than there are rows, so that threads of a warp access different banks. These
  /// are the cases of 32 threads and 32 banks. Of words, (column c, row r) is in bank 33 c + r = c + r (mod
  /// 32). Where a thread takes 4, 8 threads are neighbours, in each of 4 lines: at a time they touch r = 4 t
  /// + i of c = c' .. c' + 3 for t = 0 .. 7 along rows, and c = 4 t + i of r = r' .. r' + 3 along columns:
  /// either way 32 sums. Where it takes one, r or c alone has 32 values. Elements of 8 bytes go by 16 threads
  /// and 16 pairs of banks: c + r (mod 16), r = 2 t + i, c = c' .. c' + 1. Of 2 bytes two share a word, and a
  /// thread takes 8, so that 64 rows are 33 words, too: along rows banks c + 4 t of 4 lines, along columns,
  /// of 4 threads, 8 t + r / 2 of r = r' .. r' + 7.
  Access add_tile(const Access& access, Body& body) {
    const ElementType element = lowering_.schedule.buffers[access.buffer].element;
    const std::int64_t bytes = dlvm::info(element).bytes;
    const std::int64_t line =
        tiling_.rows.side + std::max<std::int64_t>(1, lowering_.target.bank_bytes / bytes);
    const BufferId tile = lowering_.add_buffer({stage_.name + ".tile",
                                                element,
                                                {tiling_.columns.side, tiling_.rows.side},
                                                Space::shared,
                                                {{line, 1}, std::nullopt},
                                                false,
                                                std::nullopt});
    body.push_back({Allocate{tile}});
    return {tile, {variable(row_ + 1), variable(row_)}};
  }

  GpuLowering& lowering_;
  const Stage& stage_;
  const Tiling& tiling_;
  AxisId row_ = 0;  ///< for an element's row in its tile; the next for its column
};

}  // namespace

Body schedule_tiles(GpuLowering& lowering, const Stage& stage, const Tiling& tiling) {
  return TilesBuilder(lowering, stage, tiling).build();
}

}  // namespace codegen::schedule::gpu
