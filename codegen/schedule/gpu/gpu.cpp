#include "codegen/schedule/gpu/gpu.h"

#include <algorithm>

#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/collapse_axes.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/long_rows.h"
#include "codegen/schedule/gpu/single_block.h"
#include "codegen/schedule/gpu/small_network.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/team_nest.h"
#include "codegen/schedule/gpu/tensor_contraction.h"
#include "codegen/schedule/gpu/thread_contraction.h"
#include "codegen/schedule/gpu/transposed_stage.h"
#include "codegen/schedule/transform/variants.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::Block;
using kernel::Stage;

/// Of shared memory that a block's local buffers may take, in bytes.
constexpr std::int64_t shared_limit = 32 * 1024;

/// The grid with its origin, inside of the block loops.
Body marked(Body grid, const Stage& stage) {
  Body* body = &grid;
  while (body->size() == 1 && std::holds_alternative<Loop>(body->front().node) &&
         std::get<Loop>(body->front().node).kind == LoopKind::block)
    body = &std::get<Loop>(body->front().node).body;
  body->insert(body->begin(), Statement{origin(stage)});
  return grid;
}

/// For which dimensions grids are made.
enum class Case : std::uint8_t {
  any,
  few_long_rows,   ///< there are few rows that are long (long_rows.h)
  few_rows,        ///< all products whose rows are a named dimension have few of them
  whole_products,  ///< all products that are split for many summed points have few of them
};

/// How many rows are few: up to there a tile of few rows gives the same bits sooner.
std::optional<Guard> few_rows(const Stage& stage, bool on_tensor_cores) {
  Extent rows = 1;
  for (const Axis& axis : stage.axes)
    if (std::count(stage.contraction->m.begin(), stage.contraction->m.end(), axis.id) > 0)
      rows = rows * axis.extent;
  if (rows.constant()) return std::nullopt;
  return Guard{rows, 0, 1 + (on_tensor_cores ? few_rows_of_tensor_cores : few_rows_of_threads)};
}

/// One kernel's grids: one variant.
class Grids : TeamNest {
 public:
  Grids(const kernel::Kernel& kernel, const Chip& chip, bool tf32, Case which = Case::any,
        LoopId first_loop = 0)
      : TeamNest(kernel, chip, first_loop), case_(which) {
    lowering_.tf32 = tf32;
    lowering_.few_rows = which == Case::few_rows;
  }

  /// Of rows whose length the variant's guard bounds so.
  Schedule schedule(const DynamicRowLength& row) {
    lowering_.row = row;
    guards_.push_back({row.extent, row.least, row.most ? std::optional(*row.most + 1) : std::nullopt});
    return schedule();
  }

  std::optional<Extent> dynamic_row_length() const { return gpu::dynamic_row_length(lowering_); }

  Schedule schedule() {
    Body body;
    const Block& root = lowering_.kernel.root;
    if (!root.axes.empty()) {
      append(body, row_grids(root));
    } else {
      allocate_between_grids(body);
      for (const auto& child : root.children) {
        if (const auto* block = std::get_if<Block>(&child))
          append(body, row_grids(*block));
        else
          append(body, stage_grid(std::get<Stage>(child)));
      }
    }
    lowering_.schedule.variants.push_back({guards_, std::move(body)});
    return std::move(lowering_.schedule);
  }

 private:
  /// Values that whole grids hand over.
  void allocate_between_grids(Body& body) const {
    for (BufferId id = 0; id < lowering_.kernel.buffers.size(); ++id) {
      const kernel::Buffer& buffer = lowering_.kernel.buffers[id];
      if (buffer.space == kernel::Buffer::Space::local && !is_of_point(buffer))
        body.push_back({Allocate{id}});
    }
  }

  /// A stage outside of all axes.
  Body stage_grid(const Stage& stage) {
    if (is_tiled_for_threads(stage)) return product_grid(stage);
    if (auto split = split_reduction(lowering_, stage, next_axis_)) {
      Body body;
      for (const BufferId id : split->partials) body.push_back({Allocate{id}});
      append(body, shared_grid(split->chunks));
      append(body, shared_grid(split->rest));
      return body;
    }
    return shared_grid(stage);
  }

  Body product_grid(const Stage& stage) {
    const bool on_tensor_cores = is_for_tensor_cores(lowering_, stage);
    const auto lower = [&](const SplitProduct* split) {
      return marked(on_tensor_cores ? lower_contraction_to_tensor_cores(lowering_, stage, split)
                                    : lower_contraction_as_grid(lowering_, stage, split),
                    stage);
    };
    const auto few = few_rows(stage, on_tensor_cores), whole = whole_product(stage);
    if (case_ == Case::few_rows && few) guards_.push_back(*few);
    if (case_ == Case::whole_products && whole) {
      guards_.push_back(*whole);
      return lower(nullptr);
    }
    const auto split = split_product(lowering_, stage, next_axis_);
    if (!split) return lower(nullptr);
    Body body;
    body.push_back({Allocate{split->partial}});
    append(body, lower(&*split));
    append(body, shared_grid(split->rest));
    return body;
  }

  /// A tile of points a block, a thread a point, or a team.
  Body shared_grid(const Stage& stage) {
    if (auto tiles = lower_in_tiles(lowering_, stage)) return marked(std::move(*tiles), stage);
    const WorkDistribution distribution = choose_work_distribution(lowering_, stage);
    if (distribution == WorkDistribution::per_thread) return marked(lower_as_grid(lowering_, stage), stage);
    const Block rows = rows_of(stage);
    return team_grid(rows, team_of(rows));
  }

  Body row_grids(const Block& block) {
    return has_long_rows(lowering_, block) && are_few(block) ? spread_grids(block)
                                                             : team_grid(block, team_of(block));
  }

  /// Whether the block's rows are few, in this variant.
  bool are_few(const Block& block) {
    Extent rows = 1;
    for (const Axis& axis : block.axes) rows = rows * axis.extent;
    if (const auto constant = rows.constant()) return *constant < many_rows;
    if (case_ != Case::few_long_rows) return false;
    guards_.push_back({rows, 0, many_rows});
    return true;
  }

  /// Grids for each stage of the block; what they hand over lies in the workspace, for all rows.
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
      if (!is_long_row(lowering_, stage)) {
        append(body, spread_grid(stage, block));
        continue;
      }
      const SplitReduction split = split_long_row(lowering_, stage, next_axis_);
      for (const BufferId id : split.partials) body.push_back({Allocate{id}});
      append(body, spread_grid(split.chunks, block));
      append(body, marked(lower_as_grid(lowering_, split.rest), split.rest));
    }
    return body;
  }

  /// As the block of a row would share it.
  Body spread_grid(const Stage& stage, const Block& block) {
    if (choose_work_distribution(lowering_, row_of(stage, block)) == WorkDistribution::cooperative_reduction)
      return team_grid(rows_of(stage), {block_threads_of_team});
    return marked(lower_as_grid(lowering_, stage), stage);
  }

  /// A team for each point of the block's axes.
  Body team_grid(const Block& block, const Team& team) {
    AxisGroup rows;
    for (const Axis& axis : block.axes) rows.add(axis);
    const bool warps = is_warp(team);
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
    Body body = children(block, renaming, team);
    for (const BufferId id : locals(body)) {
      if (spread_.count(id) > 0) continue;
      if (lowering_.schedule.buffers[id].space == Space::registers) {
        of_team.push_back({Allocate{id}});
      } else if (fits_shared(id, warps)) {
        lowering_.schedule.buffers[id].space = Space::shared;
        if (warps) prefix(body, id, warps_of_block, variable(warp.id));
        of_block.push_back({Allocate{id}});
      } else {
        prefix(body, id, rows.extent, row);
        outside.push_back({Allocate{id}});
      }
    }
    append(of_team, std::move(body));
    append(of_block, warps ? around(std::move(warp), std::move(of_team)) : std::move(of_team));
    append(outside, around(std::move(grid), std::move(of_block)));
    shared_bytes_ = 0;
    return outside;
  }

  bool fits_shared(BufferId id, bool warps) {
    const Buffer& buffer = lowering_.schedule.buffers[id];
    const auto count = dlvm::unit_count(buffer.shape).constant();
    if (!count || *count > shared_limit) return false;
    const std::int64_t bytes = *count * dlvm::info(buffer.element).bytes * (warps ? warps_of_block : 1);
    if (shared_bytes_ + bytes > shared_limit) return false;
    shared_bytes_ += bytes;
    return true;
  }

  Case case_;
  std::vector<Guard> guards_;
  std::set<BufferId> spread_;      ///< local buffers that hold all rows
  std::int64_t shared_bytes_ = 0;  ///< of the grid under way
};

/// Of a kernel that is rows of one length.
Schedule schedule_free_rows(const kernel::Kernel& kernel, const Chip& chip, const Extent& length) {
  Schedule result = Grids(kernel, chip, false).schedule();
  const auto add = [&](Case which, const DynamicRowLength& row) {
    Schedule made = Grids(kernel, chip, false, which, next_loop(result)).schedule(row);
    if (which != Case::any && made.variants.front().guards.size() == 1) return;  // it would be the same
    result = merge_variants(std::move(made), std::move(result));
  };
  const DynamicRowLength long_rows{length, long_row, std::nullopt}, short_rows{length, 0, short_row};
  add(Case::any, long_rows);
  add(Case::few_long_rows, long_rows);
  add(Case::any, short_rows);
  return result;
}

}  // namespace

Schedule schedule_for_gpu(const kernel::Kernel& kernel, const Chip& chip, bool tf32, bool single_blocks) {
  if (const auto flat = collapse_axes(kernel)) return schedule_for_gpu(*flat, chip, tf32, single_blocks);
  if (const auto length = Grids(kernel, chip, tf32).dynamic_row_length())
    return schedule_free_rows(kernel, chip, *length);
  Schedule grids = Grids(kernel, chip, tf32).schedule();
  std::size_t count = grid_count(grids);
  const auto add = [&](Case which) {
    Schedule made = Grids(kernel, chip, tf32, which, next_loop(grids)).schedule();
    if (made.variants.front().guards.empty()) return;  // it would be the same
    count = std::min(count, grid_count(made));
    grids = merge_variants(std::move(made), std::move(grids));
  };
  add(Case::few_long_rows);
  add(Case::whole_products);
  if (const auto bound = single_blocks && count > 1 ? small_bound(kernel) : std::nullopt)
    if (auto block = schedule_as_single_block(kernel, chip, *bound, next_loop(grids)))
      return merge_variants(std::move(*block), std::move(grids));  // of few rows too
  add(Case::few_rows);
  return grids;
}

}  // namespace codegen::schedule::gpu
