#include "codegen/schedule/gpu/single_block.h"

#include <fmt/format.h>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/block_product.h"
#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/explain.h"
#include "codegen/schedule/gpu/small_network.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/team_builder.h"
#include "codegen/schedule/gpu/thread_stage.h"
#include "codegen/schedule/ir/size.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/simplify.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::Block;
using kernel::Stage;

/// Of the start of a buffer in shared memory, in bytes.
constexpr std::int64_t shared_alignment = 128;

/// The operands of products may be in shared memory already, from where there are no asynchronous copies.
GpuTarget without_copies(GpuTarget target) {
  target.asynchronous_copies = false;
  return target;
}

class SingleBlockBuilder {
 public:
  SingleBlockBuilder(const kernel::Kernel& kernel, const GpuTarget& target, LoopId first_loop)
      : target_(without_copies(target)),
        team_(kernel, target_, {}, false, first_loop),
        lowering_(team_.lowering) {}

  std::optional<Schedule> build(std::int64_t max_bound) {
    Body stages = everything();
    const auto bound = choose_bound(stages, max_bound);
    if (!bound) return std::nullopt;
    Body body;
    place_in_shared(stages, *bound, body);
    append(body, std::move(stages));
    Loop grid = new_loop(lowering_, "block", LoopKind::block, 1);
    lowering_.schedule.variants.push_back({guards(*bound), around(std::move(grid), std::move(body))});
    simplify(lowering_.schedule);
    if (instruction_estimate(lowering_.schedule.variants.front().body) > max_block_instructions)
      return std::nullopt;
    return std::move(lowering_.schedule);
  }

 private:
  Body everything() {
    const Block& root = lowering_.kernel.root;
    if (!root.axes.empty()) return rows(root);
    Body body;
    const dlvm::Overloaded grids{[this](const Block& block) { return rows(block); },
                                 [this](const Stage& each) { return stage(each); }};
    for (const auto& child : root.children) append(body, std::visit(grids, child));
    return body;
  }

  std::vector<Guard> guards(std::int64_t bound) const {
    std::set<std::string> names;
    kernel::walk<kernel::Axis>(lowering_.kernel.root,
                               [&](const kernel::Axis& axis) { axis.extent.collect_names(names); });
    for (const kernel::Buffer& buffer : lowering_.kernel.buffers)
      for (const Extent& extent : buffer.shape) extent.collect_names(names);
    std::vector<Guard> result;
    for (const std::string& name : names) result.push_back({Extent::dimension(name), 0, bound + 1});
    for (const auto& child : lowering_.kernel.root.children)
      if (const auto* stage = std::get_if<Stage>(&child)) add_chain_guard(*stage, bound, result);
    return result;
  }

  /// A product is one chain over k here. Grids split the chain where it is long, so that a block whose
  /// dimensions allow a long one would give other bits than they do.
  static void add_chain_guard(const Stage& stage, std::int64_t bound, std::vector<Guard>& guards) {
    if (!is_product(stage)) return;
    const auto guard = whole_product_guard(stage);
    if (!guard || std::ranges::find(guards, *guard) != guards.end()) return;
    const auto longest = upper_bound(guard->value, bound);
    if (!longest || *longest >= guard->end) guards.push_back(*guard);
  }

  Body stage(const Stage& stage) {
    Body body;
    if (is_product(stage)) {
      body.push_back(
          {origin(stage, fmt::format("product, one block, tile by tile, because two of m, n and k are "
                                     "at most {}",
                                     small_extent))});
      append(body, schedule_block_product(lowering_, stage, panels_));
    } else if (const auto chunk = choose_chunk(stage)) {
      body.push_back({origin(stage, explain(SplitPlan{*chunk}))});
      const SplitReduction split = split_reduction(lowering_, stage, *chunk, team_.next_axis);
      append(body, shared(split.partial_stage));
      append(body, shared(split.final_stage));
    } else {
      body.push_back({origin(stage, "one block for the whole kernel, because it is small")});
      append(body, shared(stage));
    }
    return body;
  }

  Body shared(const Stage& stage) {
    if (choose_work_distribution(stage, lowering_.schedule.buffers) == WorkDistribution::per_thread)
      return schedule_for_team(lowering_, stage, {}, {target_.block_threads});
    return rows(TeamBuilder::rows_of(stage));
  }

  Body rows(const Block& block) {
    AxisGroup rows;
    for (const Axis& axis : block.axes) rows.add(axis);
    const Team team = choose(block, target_, lowering_.variant).team;
    const std::int64_t warps_of_block = target_.block_warps();
    const bool warps = team_.is_warp(team);
    Loop warp = new_loop(lowering_, "warp", LoopKind::warp, warps_of_block);
    Loop trip = new_loop(lowering_, "row", LoopKind::serial, rows.extent, warps ? warps_of_block : 1);
    Index row = variable(trip.id);
    if (warps) {
      row = row + variable(warp.id);
      trip.bounds.push_back({row, rows.extent});
    }
    Renaming renaming;
    rows.bind(row, renaming);
    Body of_row, body = team_.children(block, renaming, team);
    for (const BufferId id : team_.locals(body)) {
      if (lowering_.schedule.buffers[id].space == Space::registers)
        of_row.push_back({Allocate{id}});
      else if (warps)
        team_.prefix(body, id, warps_of_block, variable(warp.id));
    }
    append(of_row, std::move(body));
    body = around(std::move(trip), std::move(of_row));
    return warps ? around(std::move(warp), std::move(body)) : std::move(body);
  }

  /// Returns the buffers in memory that are no arguments: all of them come into shared memory.
  std::set<BufferId> shared_buffers(Body& stages) const {
    std::set<BufferId> used;
    visit_buffer_accesses(stages, [&](const BufferAccess& place) {
      const Space space = lowering_.schedule.buffers[place.buffer].space;
      if (space != Space::argument && space != Space::registers) used.insert(place.buffer);
    });
    return used;
  }

  /// Returns the largest bound on dimensions, a power of two of at most `max_bound`, for which these fit.
  std::optional<std::int64_t> choose_bound(Body& stages, std::int64_t max_bound) const {
    const std::set<BufferId> used = shared_buffers(stages);
    for (std::int64_t bound = max_bound; bound >= min_bound; bound /= 2)
      if (fits(used, bound)) return bound;
    return std::nullopt;
  }

  bool fits(const std::set<BufferId>& used, std::int64_t bound) const {
    std::int64_t end = 0;
    for (const BufferId id : used) {
      const auto buffer = in_shared(lowering_.schedule.buffers[id], bound);
      const auto count = buffer ? element_count(*buffer).constant() : std::nullopt;
      if (!count || *count > target_.default_shared_bytes) return false;
      const std::int64_t bytes = *count * dlvm::info(buffer->element).bytes;
      end += (bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
    }
    return end <= target_.default_shared_bytes;
  }

  /// Puts them into shared memory, allocated in `around`, unless they are inside.
  void place_in_shared(Body& stages, std::int64_t bound, Body& around) {
    for (const BufferId id : shared_buffers(stages)) {
      Buffer& buffer = lowering_.schedule.buffers[id];
      if (buffer.space == Space::arena || is_panel(id)) around.push_back({Allocate{id}});
      buffer = *in_shared(buffer, bound);
    }
  }

  /// Rows are apart by 8 modulo 16 elements: 8 neighbours of 4 rows, as they come into a product's panel, are
  /// in different banks.
  static Layout padded_layout(const Shape& shape) {
    Shape padded = shape;
    if (const auto row = shape.empty() ? std::nullopt : shape.back().constant(); row && *row >= 16)
      padded.back() = (*row + 7) / 16 * 16 + 8;
    return dense_layout(padded);
  }

  /// Returns the buffer as it is in shared memory with all dimensions at the bound; nothing where its size
  /// does not follow.
  static std::optional<Buffer> in_shared(Buffer buffer, std::int64_t bound) {
    if (buffer.space != Space::arena) return buffer;
    for (Extent& extent : buffer.shape) {
      const auto largest = upper_bound(extent, bound);
      if (!largest) return std::nullopt;
      extent = *largest;
    }
    buffer.layout = padded_layout(buffer.shape);
    buffer.space = Space::shared;
    return buffer;
  }

  bool is_panel(BufferId id) const {
    for (const auto& [type, pair] : panels_.of_type)
      if (id == pair.left || id == pair.right) return true;
    return false;
  }

  GpuTarget target_;
  TeamBuilder team_;
  GpuLowering& lowering_;
  ProductPanels panels_;
};

}  // namespace

std::optional<Schedule> schedule_as_single_block(const kernel::Kernel& kernel, const GpuTarget& target,
                                                 std::int64_t bound, LoopId first_loop) {
  return SingleBlockBuilder(kernel, target, first_loop).build(bound);
}

}  // namespace codegen::schedule::gpu
