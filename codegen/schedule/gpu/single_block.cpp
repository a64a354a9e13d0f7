#include "codegen/schedule/gpu/single_block.h"

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/small_network.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/team_nest.h"
#include "codegen/schedule/gpu/team_product.h"
#include "codegen/schedule/gpu/thread_contraction.h"
#include "codegen/schedule/ir/size.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/simplify.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::Block;
using kernel::Stage;

constexpr std::int64_t shared_limit = 48 * 1024;
/// Of the start of a buffer in shared memory, in bytes.
constexpr std::int64_t shared_alignment = 128;

class SingleBlock : TeamNest {
 public:
  SingleBlock(const kernel::Kernel& kernel, const Chip& chip, std::int64_t bound, LoopId first_loop)
      : TeamNest(kernel, chip, first_loop), chip_(chip), bound_(bound) {
    chip_.asynchronous_copies = false;  // what products read may be in shared memory already
    lowering_.chip = &chip_;
  }

  std::optional<Schedule> schedule() {
    Body stages = everything();
    Body body;
    if (!place_in_shared(stages, body)) return std::nullopt;
    append(body, std::move(stages));
    Loop grid = new_loop(lowering_, "block", LoopKind::block, 1);
    lowering_.schedule.variants.push_back({guards(), around(std::move(grid), std::move(body))});
    simplify(lowering_.schedule);
    if (instruction_estimate(lowering_.schedule.variants.front().body) > most_block_instructions)
      return std::nullopt;
    return std::move(lowering_.schedule);
  }

 private:
  Body everything() {
    const Block& root = lowering_.kernel.root;
    if (!root.axes.empty()) return rows(root);
    Body body;
    for (const auto& child : root.children) {
      if (const auto* block = std::get_if<Block>(&child))
        append(body, rows(*block));
      else
        append(body, stage(std::get<Stage>(child)));
    }
    return body;
  }

  std::vector<Guard> guards() const {
    std::set<std::string> names;
    kernel::walk<kernel::Axis>(lowering_.kernel.root,
                               [&](const kernel::Axis& axis) { axis.extent.collect_names(names); });
    for (const kernel::Buffer& buffer : lowering_.kernel.buffers)
      for (const Extent& extent : buffer.shape) extent.collect_names(names);
    std::vector<Guard> result;
    for (const std::string& name : names) result.push_back({Extent::dimension(name), 0, bound_ + 1});
    return result;
  }

  Body stage(const Stage& stage) {
    Body body;
    body.push_back({origin(stage)});
    if (is_tiled_for_threads(stage)) {
      append(body, lower_product_for_block(lowering_, stage, panels_));
    } else if (const auto split = split_reduction(lowering_, stage, next_axis_)) {
      append(body, shared(split->chunks));
      append(body, shared(split->rest));
    } else {
      append(body, shared(stage));
    }
    return body;
  }

  Body shared(const Stage& stage) {
    if (choose_work_distribution(lowering_, stage) == WorkDistribution::per_thread)
      return lower_for_team(lowering_, stage, {}, {block_threads_of_team});
    return rows(rows_of(stage));
  }

  Body rows(const Block& block) {
    AxisGroup rows;
    for (const Axis& axis : block.axes) rows.add(axis);
    const Team team = team_of(block);
    const bool warps = is_warp(team);
    Loop warp = new_loop(lowering_, "warp", LoopKind::warp, warps_of_block);
    Loop trip = new_loop(lowering_, "row", LoopKind::serial, rows.extent, warps ? warps_of_block : 1);
    Index row = variable(trip.id);
    if (warps) {
      row = row + variable(warp.id);
      trip.bounds.push_back({row, rows.extent});
    }
    Renaming renaming;
    rows.bind(row, renaming);
    Body of_row, body = children(block, renaming, team);
    for (const BufferId id : locals(body)) {
      if (lowering_.schedule.buffers[id].space == Space::registers)
        of_row.push_back({Allocate{id}});
      else if (warps)
        prefix(body, id, warps_of_block, variable(warp.id));
    }
    append(of_row, std::move(body));
    body = around(std::move(trip), std::move(of_row));
    return warps ? around(std::move(warp), std::move(body)) : std::move(body);
  }

  /// What lies in memory that is no argument's, shared memory then: allocated in `around`, unless it is
  /// inside. False where it does not fit.
  bool place_in_shared(Body& stages, Body& around) {
    std::set<BufferId> used;
    visit_places(stages, [&](const Place& place) { used.insert(place.buffer); });
    std::int64_t end = 0;
    for (const BufferId id : used) {
      Buffer& buffer = lowering_.schedule.buffers[id];
      if (buffer.space == Space::argument || buffer.space == Space::registers) continue;
      if (buffer.space == Space::arena || is_panel(id)) around.push_back({Allocate{id}});
      if (buffer.space == Space::arena && !bring_to_shared(buffer)) return false;
      const auto count = element_count(buffer).constant();
      if (!count || *count > shared_limit) return false;
      const std::int64_t bytes = *count * dlvm::info(buffer.element).bytes;
      end += (bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
    }
    return end <= shared_limit;
  }

  /// Rows are apart by 8 modulo 16 elements: 8 neighbours of 4 rows, as they come into a product's panel, lie
  /// in 32 banks.
  static Layout padded_layout(const Shape& shape) {
    Shape padded = shape;
    if (const auto row = shape.empty() ? std::nullopt : shape.back().constant(); row && *row >= 16)
      padded.back() = (*row + 7) / 16 * 16 + 8;
    return dense_layout(padded);
  }

  bool bring_to_shared(Buffer& buffer) const {
    for (Extent& extent : buffer.shape) {
      const auto largest = upper_bound(extent, bound_);
      if (!largest) return false;
      extent = *largest;
    }
    buffer.layout = padded_layout(buffer.shape);
    buffer.space = Space::shared;
    return true;
  }

  bool is_panel(BufferId id) const {
    for (const auto& [type, pair] : panels_.of_type)
      if (id == pair.left || id == pair.right) return true;
    return false;
  }

  Chip chip_;
  std::int64_t bound_;
  ProductPanels panels_;
};

}  // namespace

std::optional<Schedule> schedule_as_single_block(const kernel::Kernel& kernel, const Chip& chip,
                                                 std::int64_t bound, LoopId first_loop) {
  for (; bound >= least_bound; bound /= 2)
    if (auto schedule = SingleBlock(kernel, chip, bound, first_loop).schedule()) return schedule;
  return std::nullopt;
}

}  // namespace codegen::schedule::gpu
