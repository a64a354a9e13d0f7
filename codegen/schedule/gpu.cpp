#include "codegen/schedule/gpu.h"

#include <algorithm>

#include "codegen/schedule/barriers.h"
#include "codegen/schedule/pipeline.h"
#include "codegen/schedule/simplify.h"
#include "codegen/schedule/split_reduction.h"
#include "codegen/schedule/tensor_contraction.h"
#include "codegen/schedule/thread_contraction.h"
#include "codegen/schedule/thread_stage.h"
#include "codegen/schedule/walk.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

constexpr Processor no_vectors{0};
/// Rows up to this constant extent are a warp's, others a block's.
constexpr std::int64_t warp_row = 1024;
constexpr std::int64_t warps_of_block = 8;
/// Of shared memory that a block's local buffers may take, in bytes.
constexpr std::int64_t shared_limit = 32 * 1024;

/// A row's extent: of the longest stage, where that is constant.
std::optional<std::int64_t> longest(const Block& block) {
  std::int64_t result = 1;
  for (const auto& child : block.children) {
    std::optional<std::int64_t> extent;
    if (const auto* inner = std::get_if<Block>(&child)) {
      extent = longest(*inner);
    } else {
      Extent all = 1;
      for (const Axis& axis : std::get<Stage>(child).axes) all = all * axis.extent;
      extent = all.constant();
    }
    if (!extent) return std::nullopt;
    result = std::max(result, *extent);
  }
  return result;
}

Loop loop_of(Lowering& lowering, const char* name, LoopKind kind, Extent extent) {
  Loop loop;
  loop.id = lowering.next_loop++;
  loop.name = name;
  loop.kind = kind;
  loop.extent = std::move(extent);
  return loop;
}

Body around(Loop loop, Body body) {
  loop.body = std::move(body);
  Body result;
  result.push_back({std::move(loop)});
  return result;
}

Origin origin(const Stage& stage) {
  return {stage.name, stage.locations.empty() ? dlvm::Location{} : stage.locations[0]};
}

/// The grid with its origin, inside of the block loops.
Body marked(Body grid, const Stage& stage) {
  Body* body = &grid;
  while (body->size() == 1 && std::holds_alternative<Loop>(body->front().node) &&
         std::get<Loop>(body->front().node).kind == LoopKind::block)
    body = &std::get<Loop>(body->front().node).body;
  body->insert(body->begin(), Statement{origin(stage)});
  return grid;
}

void append(Body& to, Body from) {
  for (Statement& statement : from) to.push_back(std::move(statement));
}

/// One kernel's grids.
class Grids {
 public:
  Grids(const kernel::Kernel& kernel, const Chip& chip, bool tf32)
      : lowering_{kernel, no_vectors, {}}, next_axis_(first_free(kernel.root)) {
    lowering_.chip = &chip;
    lowering_.tf32 = tf32;
  }

  Schedule schedule() {
    lowering_.schedule.name = lowering_.kernel.name;
    add_buffers();
    Body body;
    const Block& root = lowering_.kernel.root;
    if (!root.axes.empty()) {
      append(body, team_grid(root));
    } else {
      allocate_between_grids(body);
      for (const auto& child : root.children) {
        if (const auto* block = std::get_if<Block>(&child))
          append(body, team_grid(*block));
        else
          append(body, stage_grid(std::get<Stage>(child)));
      }
    }
    lowering_.schedule.variants.push_back({{}, std::move(body)});
    simplify(lowering_.schedule);
    insert_barriers(lowering_.schedule);
    expand_pipelines(lowering_.schedule);
    simplify(lowering_.schedule);
    return std::move(lowering_.schedule);
  }

 private:
  /// Scalars of one point lie in every thread's registers; where the others lie, the team decides.
  void add_buffers() {
    for (const kernel::Buffer& buffer : lowering_.kernel.buffers) {
      Space space = Space::arena;
      if (buffer.space == kernel::Buffer::Space::argument) {
        space = Space::argument;
        ++lowering_.schedule.arguments;
      } else if (buffer.shape.empty() && is_of_point(buffer)) {
        space = Space::registers;
      }
      lowering_.schedule.buffers.push_back({buffer.name, buffer.element, buffer.shape, space,
                                            dense_layout(buffer.shape), buffer.written, std::nullopt});
    }
  }

  /// Of one point of some axes, not of the whole kernel.
  bool is_of_point(const kernel::Buffer& buffer) const {
    return buffer.depth > 0 || !lowering_.kernel.root.axes.empty();
  }

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
    if (is_for_tensor_cores(lowering_, stage))
      return marked(lower_contraction_to_tensor_cores(lowering_, stage), stage);
    if (is_tiled_for_threads(stage)) return marked(lower_contraction_as_grid(lowering_, stage), stage);
    if (auto split = split_reduction(lowering_, stage, next_axis_)) {
      Body body;
      for (const BufferId id : split->partials) body.push_back({Allocate{id}});
      append(body, shared_grid(split->chunks));
      append(body, shared_grid(split->rest));
      return body;
    }
    return shared_grid(stage);
  }

  /// A thread or a team for each point.
  Body shared_grid(const Stage& stage) {
    const Sharing sharing = choose_sharing(lowering_, stage);
    if (sharing == Sharing::points) return marked(lower_as_grid(lowering_, stage), stage);
    // Its points are the teams'.
    Block rows;
    Stage row = stage;
    std::erase_if(row.axes, [&](const Axis& axis) {
      const bool outer = axis.kind == AxisKind::parallel;
      if (outer) rows.axes.push_back(axis);
      return outer;
    });
    rows.children.push_back(std::move(row));
    return team_grid(rows);
  }

  /// A team for each point of the block's axes.
  Body team_grid(const Block& block) {
    AxisGroup rows;
    for (const Axis& axis : block.axes) rows.add(axis);
    const auto extent = longest(block);
    const bool warps = extent && *extent <= warp_row && !rows.extent.is(1);
    const Team team{warps ? 32 : 256};
    const Extent blocks =
        Extent::floor_divide(rows.extent + Extent(warps_of_block - 1), Extent(warps_of_block));
    Loop grid = loop_of(lowering_, "block", LoopKind::block, warps ? blocks : rows.extent);
    Loop warp = loop_of(lowering_, "warp", LoopKind::warp, warps_of_block);
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

  Body children(const Block& block, const Renaming& outer, const Team& team) {
    Body body;
    for (const auto& child : block.children) {
      if (const auto* stage = std::get_if<Stage>(&child)) {
        body.push_back({origin(*stage)});
        append(body, lower_for_team(lowering_, *stage, outer, team));
        continue;
      }
      const Block& inner = std::get<Block>(child);
      Renaming renaming = outer;
      std::vector<Loop> loops;
      for (const Axis& axis : inner.axes) loops.push_back(lowering_.serial(axis, renaming));
      Body own = children(inner, renaming, team);
      for (; !loops.empty(); loops.pop_back()) own = around(std::move(loops.back()), std::move(own));
      append(body, std::move(own));
    }
    return body;
  }

  /// The kernel's local buffers, of one point of the outer axes, that the body uses.
  std::set<BufferId> locals(Body& body) const {
    std::set<BufferId> result;
    visit_accesses(body, [&](BufferId id, std::vector<Index>&, bool) {
      if (id >= lowering_.kernel.buffers.size()) return;
      const kernel::Buffer& buffer = lowering_.kernel.buffers[id];
      if (buffer.space == kernel::Buffer::Space::local && is_of_point(buffer)) result.insert(id);
    });
    return result;
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

  /// One of the buffer for each of `extent` places; the body uses that of `place`.
  void prefix(Body& body, BufferId id, const Extent& extent, const Index& place) {
    Buffer& buffer = lowering_.schedule.buffers[id];
    buffer.shape.insert(buffer.shape.begin(), extent);
    buffer.layout = dense_layout(buffer.shape);
    visit_accesses(body, [&](BufferId used, std::vector<Index>& indices, bool) {
      if (used == id) indices.insert(indices.begin(), place);
    });
  }

  static kernel::AxisId first_free(const Block& block) {
    kernel::AxisId next = 0;
    for (const Axis& axis : block.axes) next = std::max(next, axis.id + 1);
    for (const auto& child : block.children) {
      if (const auto* inner = std::get_if<Block>(&child)) next = std::max(next, first_free(*inner));
      if (const auto* stage = std::get_if<Stage>(&child))
        for (const Axis& axis : stage->axes) next = std::max(next, axis.id + 1);
    }
    return next;
  }

  Lowering lowering_;
  kernel::AxisId next_axis_;
  std::int64_t shared_bytes_ = 0;  ///< of the grid under way
};

}  // namespace

Schedule schedule_for_gpu(const kernel::Kernel& kernel, const Chip& chip, bool tf32) {
  return Grids(kernel, chip, tf32).schedule();
}

}  // namespace codegen::schedule
