#include <algorithm>
#include <deque>
#include <map>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/row_tile_builder.h"
#include "codegen/schedule/gpu/streamed_rows.h"
#include "codegen/schedule/ir/scheduled_program.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::ScalarId;
using kernel::Stage;

/// Builds the grid of one kernel.
class StreamedRowsBuilder {
 public:
  StreamedRowsBuilder(GpuLowering& lowering, const StreamedRows& streamed)
      : lowering_(lowering),
        streamed_(streamed),
        tiles_(lowering, streamed.block, streamed.stages[0]->contraction->m) {
    hold_elements();
    for (const Stage* stage : streamed.stages) stages_.emplace_back(lowering, tiles_.in_tile(*stage));
    std::vector<const TileStage*> sums;
    for (std::size_t s = 0; s < stages_.size(); ++s)
      if (sums_columns(s)) sums.push_back(&stages_[s]);
    tiles_.share(sums);
  }

  Body build() {
    std::vector<TileStage*> all;
    for (TileStage& stage : stages_) all.push_back(&stage);
    return tiles_.grid(all, [&] { return stream(); });
  }

 private:
  bool sums_columns(std::size_t s) const { return !streamed_.stages[s]->accumulated.empty(); }

  // ------------------------------------------------------------------------------------------------ tiles

  /// Adds tiles for the local buffers. One takes the tile of another whose elements are read for the last
  /// time where its own are computed.
  void hold_elements() {
    std::map<BufferId, std::size_t> last;  // by local buffer, the stage that reads it last
    for (std::size_t s = 0; s < streamed_.stages.size(); ++s)
      visit_accesses(*streamed_.stages[s], [&](const kernel::Access& access, const auto&, bool is_load) {
        if (is_load) last[access.buffer] = s;
      });
    struct Held {
      BufferId local, tile;
    };
    std::vector<Held> held;
    for (std::size_t s = 0; s < streamed_.stages.size(); ++s) {
      if (sums_columns(s)) continue;
      for (const kernel::Store& store : streamed_.stages[s]->stores) {
        const BufferId local = store.access.buffer;
        const kernel::Buffer& buffer = lowering_.kernel.buffers[local];
        const auto free = std::ranges::find_if(held, [&](const Held& other) {
          return last[other.local] <= s && lowering_.schedule.buffers[other.tile].element == buffer.element;
        });
        if (free != held.end()) {
          free->local = local;
          tiles_.hold(local, free->tile);
        } else {
          held.push_back({local, tiles_.add_tile(streamed_.stages[s]->name + ".tile", buffer.element)});
          tiles_.hold(local, held.back().tile);
        }
        if (last[local] < s) last[local] = s;  // nothing reads it
      }
    }
    for (const Held& each : held) all_tiles_.push_back(each.tile);
  }

  /// Returns the tile that the sum's left operand is read from as it is, if there is one.
  std::optional<BufferId> plain_tile(const Stage& stage) const {
    const ElementType element = panel_type(stage);
    const ScalarId operand = left_operand(stage);
    const auto* load = std::get_if<Scalar::Load>(&stage.body[operand].definition);
    const bool is_tile = load != nullptr && load->bounds.empty() &&
                         std::ranges::count(all_tiles_, load->access.buffer) > 0 &&
                         lowering_.schedule.buffers[load->access.buffer].element == element;
    return is_tile ? std::optional(load->access.buffer) : std::nullopt;
  }
  static ScalarId left_operand(const Stage& stage) {
    const ScalarId left = stage.contraction->left;
    return panel_type(stage) == ElementType::f32 ? left : source_of(stage, left);
  }

  // ------------------------------------------------------------------------------------------- statements

  Body stream() {
    Body body;
    std::vector<BufferId> sums(stages_.size());
    std::map<std::size_t, BufferId> weights;  // by stage, the tiles of operands that have to be computed
    for (std::size_t s = 0; s < stages_.size(); ++s)
      if (sums_columns(s) && !plain_tile(stages_[s].stage)) {
        weights[s] = tiles_.add_tile(streamed_.stages[s]->name + ".weights", panel_type(stages_[s].stage));
        all_tiles_.push_back(weights[s]);
      }
    for (const BufferId tile : all_tiles_) body.push_back({Allocate{tile}});
    const Stage& first = *streamed_.stages.front();
    body.push_back(
        {origin(first, "columns are taken as they come: blocks of " +
                           std::to_string(RowTileBuilder::tile_rows) + " rows, tiles of " +
                           std::to_string(RowTileBuilder::tile_columns) + " columns in shared memory")});
    for (std::size_t s = 0; s < stages_.size(); ++s)
      if (sums_columns(s))
        sums[s] = tiles_.allocate_sums(stages_[s], streamed_.stages[s]->name + ".sums",
                                       stages_[s].stage.reduction->identity[0], body);
    for (const BufferId tile : all_tiles_) append(body, tiles_.clear_rows(tile));
    append(body, tiles_.for_tiles([&](const Index& first_column) {
      Body tile;
      for (std::size_t s = 0; s < stages_.size(); ++s) {
        if (!sums_columns(s)) {
          append(tile, tiles_.multiply_elements(stages_[s], first_column, panel_stages()));
          continue;
        }
        const Stage& stage = stages_[s].stage;
        tile.push_back({origin(*streamed_.stages[s], "added to sums in registers on tensor cores")});
        const BufferId left = weights.contains(s) ? weights[s] : *plain_tile(stage);
        if (weights.contains(s)) append(tile, compute_weights(stage, left, first_column));
        append(tile, tiles_.clear_columns(left, first_column));
        append(tile, tiles_.add_product(stages_[s], left, first_column, sums[s]));
      }
      return tile;
    }));
    for (std::size_t s = 0; s < stages_.size(); ++s)
      if (sums_columns(s))
        append(body,
               tiles_.for_sums(stages_[s], true, [&](const Index& row, const Index& column, Body& each) {
                 tiles_.finish(stages_[s], row, column, {{sums[s], {row, column}}}, each);
               }));
    return body;
  }

  /// Computes the left operand of a sum for all elements of a tile.
  Body compute_weights(const Stage& stage, BufferId tile, const Index& first_column) {
    ContractionBuilder builder(lowering_, stage, tiles_.outer());
    return tiles_.for_elements(first_column, [&](RowTileBuilder::RowPart here, Body& each) {
      ContractionBuilder::Values known;
      const ValueId weight = builder.need(left_operand(stage), here.at, known, each);
      each.push_back({Store{{tile, tiles_.place(tile, here.row, here.column)}, {}, weight, std::nullopt}});
    });
  }

  /// Returns how many stages the panels of elements' operands have: two if there is memory for them.
  std::int64_t panel_stages() const {
    std::int64_t bytes = 0;
    for (const BufferId tile : all_tiles_)
      bytes += tile_elements * dlvm::info(lowering_.schedule.buffers[tile].element).bytes;
    std::int64_t products = 0;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      if (!sums_columns(s)) {
        ++products;
        continue;
      }
      const std::int64_t right = RowTileBuilder::tile_columns * RowTileBuilder::columns_of(stages_[s]);
      bytes += right * dlvm::info(panel_type(stages_[s].stage)).bytes;
    }
    constexpr std::int64_t two = 2 * (RowTileBuilder::tile_rows + RowTileBuilder::tile_columns) * panel_bytes;
    return bytes + products * two <= lowering_.target.shared_bytes ? 2 : 1;
  }

  static constexpr std::int64_t tile_elements = RowTileBuilder::tile_rows * RowTileBuilder::tile_columns;

  GpuLowering& lowering_;
  const StreamedRows& streamed_;
  RowTileBuilder tiles_;
  std::vector<BufferId> all_tiles_;
  std::deque<TileStage> stages_;
};

}  // namespace

std::optional<Body> schedule_streamed_rows(GpuLowering& lowering, const StreamedRows& streamed) {
  Body body = StreamedRowsBuilder(lowering, streamed).build();
  std::int64_t bytes = 0;
  for (const Buffer& buffer : lowering.schedule.buffers)
    if (buffer.space == Space::shared) bytes += bytes_of(buffer).constant().value();
  return bytes <= lowering.target.shared_bytes ? std::optional(std::move(body)) : std::nullopt;
}

}  // namespace codegen::schedule::gpu
