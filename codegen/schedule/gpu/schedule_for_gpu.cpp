#include <algorithm>
#include <span>

#include "codegen/schedule/common/split_accumulation.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/choose.h"
#include "codegen/schedule/gpu/collapse_axes.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/explain.h"
#include "codegen/schedule/gpu/long_rows.h"
#include "codegen/schedule/gpu/online_rows.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/schedule/gpu/schedule_product.h"
#include "codegen/schedule/gpu/single_block.h"
#include "codegen/schedule/gpu/small_network.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/streamed_rows.h"
#include "codegen/schedule/gpu/team_builder.h"
#include "codegen/schedule/gpu/thread_stage.h"
#include "codegen/schedule/gpu/transposed_stage.h"
#include "codegen/schedule/gpu/vectors.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/variants.h"
#include "dlvm/support/overloaded.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::Block;
using kernel::Stage;

/// Returns the grid with its origin, inside of the block loops.
Body marked(Body grid, const Stage& stage, std::string why) {
  Body* body = &grid;
  while (body->size() == 1 && std::holds_alternative<Loop>(body->front().node) &&
         std::get<Loop>(body->front().node).kind == LoopKind::block)
    body = &std::get<Loop>(body->front().node).body;
  body->insert(body->begin(), Statement{origin(stage, std::move(why))});
  return grid;
}

/// Returns the grid, whose stages' plans say that they are a part of that one.
Body part_of(const std::string& why, Body grid) {
  walk<Origin>(grid, [&](Origin& origin) { origin.plan = why + "; here: " + origin.plan; });
  return grid;
}

/// Builds one kernel's grids: one variant.
class GridBuilder {
 public:
  GridBuilder(const kernel::Kernel& kernel, const GpuTarget& target, VariantPlan variant, bool tf32,
              LoopId first_loop)
      : team_(kernel, target, std::move(variant), tf32, first_loop), lowering_(team_.lowering) {}

  Schedule build(const OnlineRows& online) {
    lowering_.schedule.variants.push_back({{}, schedule_online_rows(lowering_, online)});
    return std::move(lowering_.schedule);
  }
  std::optional<Schedule> build(const StreamedRows& streamed) {
    auto body = schedule_streamed_rows(lowering_, streamed);
    if (!body) return std::nullopt;
    lowering_.schedule.variants.push_back({{}, std::move(*body)});
    return std::move(lowering_.schedule);
  }

  Schedule build() {
    Body body;
    const Block& root = lowering_.kernel.root;
    if (!root.axes.empty()) {
      append(body, row_grids(root));
    } else {
      allocate_between_grids(body);
      const dlvm::Overloaded grids{[this](const Block& block) { return row_grids(block); },
                                   [this](const Stage& stage) { return stage_grid(stage); }};
      for (const auto& child : root.children) append(body, std::visit(grids, child));
    }
    lowering_.schedule.variants.push_back({lowering_.variant.guards, std::move(body)});
    return std::move(lowering_.schedule);
  }

 private:
  /// Values that whole grids hand over.
  void allocate_between_grids(Body& body) const {
    for (BufferId id = 0; id < lowering_.kernel.buffers.size(); ++id) {
      const kernel::Buffer& buffer = lowering_.kernel.buffers[id];
      if (buffer.space == kernel::Buffer::Space::local && !team_.is_of_point(buffer))
        body.push_back({Allocate{id}});
    }
  }

  StagePlan choose_stage(const Stage& stage) const {
    return choose(stage, lowering_.schedule.buffers, lowering_.target, lowering_.variant);
  }

  /// A stage outside of all axes.
  Body stage_grid(const Stage& stage) {
    const StagePlan chosen = choose_stage(stage);
    if (const auto* product = std::get_if<ProductPlan>(&chosen.plan))
      return product_grid(stage, *product, chosen.why);
    const auto* split = std::get_if<SplitPlan>(&chosen.plan);
    if (split == nullptr) return single_grid(stage, chosen);
    const SplitReduction made = split_reduction(lowering_, stage, split->chunk, team_.next_axis);
    Body body;
    for (const BufferId id : made.states) body.push_back({Allocate{id}});
    append(body, part_of(chosen.why, single_grid(made.partial_stage)));
    append(body, part_of(chosen.why, single_grid(made.final_stage)));
    return body;
  }

  Body product_grid(const Stage& stage, const ProductPlan& plan, const std::string& why) {
    const auto build = [&](const SplitProduct* split) {
      return marked(plan.on_tensor_cores ? schedule_tensor_product(lowering_, stage, plan, split)
                                         : schedule_thread_product(lowering_, stage, plan, split),
                    stage, why);
    };
    if (plan.parts == 1) return build(nullptr);
    const SplitProduct split = split_product(lowering_, stage, plan.parts, team_.next_axis);
    Body body;
    body.push_back({Allocate{split.partial}});
    append(body, build(&split));
    append(body, part_of(why, single_grid(split.final_stage)));
    return body;
  }

  Body single_grid(const Stage& stage) {
    return single_grid(stage,
                       choose_grid(stage, lowering_.schedule.buffers, lowering_.target, lowering_.variant));
  }

  /// A tile of points a block, a thread a point, or a team.
  Body single_grid(const Stage& stage, const StagePlan& chosen) {
    if (const auto* tiling = std::get_if<Tiling>(&chosen.plan))
      return marked(schedule_tiles(lowering_, stage, *tiling), stage, chosen.why);
    if (const auto* rows = std::get_if<RowsPlan>(&chosen.plan))
      return team_grid(TeamBuilder::rows_of(stage), rows->team);
    return marked(schedule_points(lowering_, stage), stage, chosen.why);
  }

  Body row_grids(const Block& block) {
    const BlockPlan plan = choose(block, lowering_.target, lowering_.variant);
    return plan.spreads ? spread_grids(block) : team_grid(block, plan.team);
  }

  /// Grids for each stage of the block; what they hand over is in the workspace, for all rows.
  Body spread_grids(const Block& block) {
    const std::set<BufferId> locals = locals_of(block, lowering_.kernel);
    Shape rows;
    for (const Axis& axis : block.axes) rows.push_back(axis.extent);
    Body body;
    for (const BufferId id : locals) {
      Buffer& buffer = lowering_.schedule.buffers[id];
      spread_.insert(id);
      buffer.space = Space::arena;
      buffer.shape.insert(buffer.shape.begin(), rows.begin(), rows.end());
      buffer.layout = dense_layout(buffer.shape);
      body.push_back({Allocate{id}});
    }
    for (const auto& child : block.children) {
      const Stage stage = distribute_to_grid(std::get<Stage>(child), block, locals);
      if (!is_long_row(stage, lowering_.variant.row)) {
        append(body, spread_grid(stage, block));
        continue;
      }
      const SplitReduction split = split_reduction(lowering_, stage, long_row_chunk(stage), team_.next_axis);
      for (const BufferId id : split.states) body.push_back({Allocate{id}});
      append(body, spread_grid(split.partial_stage, block));
      append(body, points_grid(split.final_stage));
    }
    return body;
  }

  /// As the block of a row would share it.
  Body spread_grid(const Stage& stage, const Block& block) {
    const Stage row = row_of(stage, block);
    if (is_cooperative(row, lowering_.schedule.buffers))
      return team_grid(TeamBuilder::rows_of(stage), {lowering_.target.block_threads});
    return points_grid(stage);
  }

  Body points_grid(const Stage& stage) {
    const PointsPlan points{vector_width(stage, lowering_.schedule.buffers, lowering_.target)};
    return marked(schedule_points(lowering_, stage), stage, explain(points, stage));
  }

  /// A team for each point of the block's axes.
  Body team_grid(const Block& block, const Team& team) {
    AxisGroup rows;
    for (const Axis& axis : block.axes) rows.add(axis);
    const bool warps = team_.is_warp(team);
    const std::int64_t warps_of_block = lowering_.target.block_warps();
    const Extent blocks =
        Extent::floor_divide(rows.extent + Extent(warps_of_block - 1), Extent(warps_of_block));
    Loop grid = new_loop(lowering_, "block", LoopKind::block, warps ? blocks : rows.extent);
    Loop warp = new_loop(lowering_, "warp", LoopKind::warp, warps_of_block);
    Index row = variable(grid.id);
    if (warps) {
      row = row * warps_of_block + variable(warp.id);
      warp.bounds.push_back({row, rows.extent});
    }
    Renaming renaming;
    rows.bind(row, renaming);
    Body of_team, of_block, outside;
    std::int64_t shared_bytes = 0;
    Body body = team_.children(block, renaming, team);
    for (const BufferId id : team_.locals(body)) {
      if (spread_.count(id) > 0) continue;
      if (lowering_.schedule.buffers[id].space == Space::registers) {
        of_team.push_back({Allocate{id}});
      } else if (const auto bytes = shared_bytes_of(id, warps);
                 bytes && shared_bytes + *bytes <= lowering_.target.handed_over_bytes()) {
        shared_bytes += *bytes;
        lowering_.schedule.buffers[id].space = Space::shared;
        if (warps) team_.prefix(body, id, warps_of_block, variable(warp.id));
        of_block.push_back({Allocate{id}});
      } else {
        team_.prefix(body, id, rows.extent, row);
        outside.push_back({Allocate{id}});
      }
    }
    append(of_team, std::move(body));
    append(of_block, warps ? around(std::move(warp), std::move(of_team)) : std::move(of_team));
    append(outside, around(std::move(grid), std::move(of_block)));
    return outside;
  }

  /// Returns how many bytes the buffer takes in shared memory, one for each warp where there are `warps`;
  /// nothing where that is not known or surely too much.
  std::optional<std::int64_t> shared_bytes_of(BufferId id, bool warps) const {
    const Buffer& buffer = lowering_.schedule.buffers[id];
    const auto count = dlvm::unit_count(buffer.shape).constant();
    if (!count || *count > lowering_.target.handed_over_bytes()) return std::nullopt;
    return *count * dlvm::info(buffer.element).bytes * (warps ? lowering_.target.block_warps() : 1);
  }

  TeamBuilder team_;
  GpuLowering& lowering_;
  std::set<BufferId> spread_;  ///< local buffers that hold all rows
};

Schedule build(const kernel::Kernel& kernel, const GpuTarget& target, const VariantPlan& variant, bool tf32,
               LoopId first_loop) {
  return GridBuilder(kernel, target, variant, tf32, first_loop).build();
}

}  // namespace

Schedule schedule_for_gpu(const kernel::Kernel& kernel, const GpuTarget& target, bool tf32,
                          bool single_blocks) {
  if (const auto online = online_rows(kernel, target))
    return GridBuilder(kernel, target, {}, tf32, 0).build(*online);
  if (const auto streamed = streamed_rows(kernel, target))
    if (auto built = GridBuilder(kernel, target, {}, tf32, 0).build(*streamed)) return std::move(*built);
  if (has_accumulation(kernel))
    return schedule_for_gpu(split_accumulation(kernel), target, tf32, single_blocks);
  if (const auto flat = collapse_axes(kernel, target))
    return schedule_for_gpu(*flat, target, tf32, single_blocks);
  const std::vector<Buffer> buffers = kernel_buffers(kernel);
  const std::vector<VariantPlan> variants = choose_variants(kernel, buffers, target);
  Schedule grids = build(kernel, target, variants.front(), tf32, 0);
  const auto add = [&](const VariantPlan& variant) {
    Schedule built = build(kernel, target, variant, tf32, next_loop(grids));
    grids = merge_variants(std::move(built), std::move(grids));
  };
  for (const VariantPlan& variant : std::span(variants).subspan(1)) add(variant);
  if (dynamic_row_length(kernel, buffers)) return grids;
  const bool are_several = std::all_of(variants.begin(), variants.end(), [&](const VariantPlan& variant) {
    return grid_count(kernel, target, variant) > 1;
  });
  if (const auto bound = single_blocks && are_several ? small_bound(kernel, target) : std::nullopt)
    if (auto block = schedule_as_single_block(kernel, target, *bound, next_loop(grids)))
      return merge_variants(std::move(*block), std::move(grids));  // of few rows too
  if (const auto small_m = choose_small_m(kernel, target)) add(*small_m);
  return grids;
}

}  // namespace codegen::schedule::gpu
