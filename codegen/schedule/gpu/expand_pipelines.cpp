#include "codegen/schedule/gpu/expand_pipelines.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/rename.h"
#include "codegen/schedule/transform/variants.h"

namespace codegen::schedule::gpu {
namespace {

using Kind = Index::Quotient::Kind;

/// In bytes, as buffers are aligned.
constexpr std::int64_t stage_alignment = 128;

/// The shared memory that a statement touches.
struct ReadWriteSet {
  std::set<BufferId> read, written;
};
ReadWriteSet read_write_set(Statement& statement, const Schedule& schedule) {
  ReadWriteSet result;
  visit_buffer_accesses(statement, [&](const BufferAccess& place) {
    if (schedule.buffers[place.buffer].space != Space::shared) return;
    if (place.read) result.read.insert(place.buffer);
    if (place.written) result.written.insert(place.buffer);
  });
  return result;
}
bool allocates(const Body& body) {
  bool any = false;
  walk<Allocate>(body, [&](const Allocate&) { any = true; });
  return any;
}
bool intersects(const std::set<BufferId>& a, const std::set<BufferId>& b) {
  return std::any_of(a.begin(), a.end(), [&](BufferId id) { return b.count(id) > 0; });
}

/// The panels of a pipeline that become multistage buffers.
struct Multistage {
  std::set<BufferId> panels;
  std::size_t fills = 0;  ///< how many statements of the body, its first ones, fill them
  std::int64_t stages = 0;
};
/// Returns nothing where the pipeline becomes a serial loop.
std::optional<Multistage> multistage_of(Loop& pipeline, const Schedule& schedule) {
  Multistage buffers;
  buffers.stages = pipeline.depth;
  if (const auto extent = pipeline.extent.constant())
    buffers.stages = std::min(buffers.stages, (*extent + pipeline.step - 1) / pipeline.step);
  if (buffers.stages < 2 || allocates(pipeline.body)) return std::nullopt;
  for (Statement& statement : pipeline.body) {
    const ReadWriteSet here = read_write_set(statement, schedule);
    if (here.written.empty() || !here.read.empty()) break;
    buffers.panels.insert(here.written.begin(), here.written.end());
    ++buffers.fills;
  }
  for (std::size_t i = buffers.fills; i < pipeline.body.size(); ++i)
    if (intersects(read_write_set(pipeline.body[i], schedule).written, buffers.panels)) return std::nullopt;
  if (buffers.fills == 0) return std::nullopt;
  return buffers;
}

/// Has what a body accesses of some buffers be in one stage of these.
void take_stage(Body& body, const std::set<BufferId>& panels, const Index& stage) {
  visit_buffer_accesses(body, [&](const BufferAccess& place) {
    if (panels.count(place.buffer) > 0) place.put_in_front(stage);
  });
}

class Expansion {
 public:
  /// New loops get the numbers from `next_loop` on.
  Expansion(Schedule& schedule, const Body& variant, LoopId& next_loop)
      : schedule_(schedule), next_loop_(next_loop) {
    walk<Let>(variant, [&](const Let& let) { next_value_ = std::max(next_value_, let.id + 1); });
  }

  void expand(Body& body) {
    rewrite(body, [this](Statement statement, Body& result) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop != nullptr && loop->kind == LoopKind::pipeline)
        expand(std::move(*loop), result);
      else
        result.push_back(std::move(statement));
    });
  }

 private:
  void expand(Loop loop, Body& result) {
    const auto buffers = multistage_of(loop, schedule_);
    loop.kind = LoopKind::serial;
    if (!buffers) return void(result.push_back({std::move(loop)}));
    for (const BufferId id : buffers->panels) make_multistage(id, buffers->stages);
    const auto first_use = loop.body.begin() + static_cast<std::ptrdiff_t>(buffers->fills);
    const Body fills(loop.body.begin(), first_use);
    Body uses(first_use, loop.body.end());
    result.push_back({ahead(loop, fills, *buffers)});
    const Index variable = schedule::variable(loop.id),
                trip = loop.step == 1 ? variable : kernel::quotient_index({Kind::floor, variable, loop.step}),
                last = trip + constant_index(buffers->stages - 1),
                later = variable + constant_index(loop.step * (buffers->stages - 1));
    Body body;
    body.push_back({Wait{static_cast<std::uint32_t>(buffers->stages - 2)}});
    body.push_back({Barrier{}});
    body.push_back({filled(loop, fills, later, *buffers,
                           kernel::quotient_index({Kind::modulo, last, buffers->stages}))});
    body.push_back({Commit{}});
    take_stage(uses, buffers->panels, kernel::quotient_index({Kind::modulo, trip, buffers->stages}));
    for (Statement& statement : uses) body.push_back(std::move(statement));
    loop.body = std::move(body);
    result.push_back({std::move(loop)});
  }

  /// The stages of the first trips.
  Loop ahead(const Loop& pipeline, const Body& fills, const Multistage& buffers) {
    Loop loop;
    loop.id = next_loop_++;
    loop.name = "ahead";
    loop.extent = buffers.stages - 1;
    const Index number = variable(loop.id);
    loop.body.push_back({filled(pipeline, fills, number * pipeline.step, buffers, number)});
    loop.body.push_back({Commit{}});
    return loop;
  }

  /// Builds the copies that fill a stage for the trip in which the pipeline's variable is `at`, if there is
  /// that trip.
  Loop filled(const Loop& pipeline, const Body& fills, const Index& at, const Multistage& buffers,
              const Index& stage) {
    Renaming renaming;
    renaming.axes[pipeline.id] = at;
    Loop loop;
    loop.id = next_loop_++;
    loop.name = "trip";
    loop.kind = LoopKind::unrolled;
    loop.extent = 1;
    loop.bounds = rename(pipeline.bounds, renaming);
    loop.bounds.push_back({at, pipeline.extent});
    loop.body = copy_of(fills, renaming, next_loop_, next_value_);
    take_stage(loop.body, buffers.panels, stage);
    return loop;
  }

  void make_multistage(BufferId id, std::int64_t stages) {
    Buffer& buffer = schedule_.buffers[id];
    const Extent size = stage_elements(buffer);
    buffer.shape.insert(buffer.shape.begin(), stages);
    buffer.layout.strides.insert(buffer.layout.strides.begin(), size);
  }

  Schedule& schedule_;
  LoopId& next_loop_;
  ValueId next_value_ = 0;
};

}  // namespace

std::set<BufferId> panels_of(Loop& pipeline, const Schedule& schedule) {
  const auto buffers = multistage_of(pipeline, schedule);
  return buffers ? buffers->panels : std::set<BufferId>();
}

Extent stage_elements(const Buffer& panel) {
  std::int64_t unit = stage_alignment / static_cast<std::int64_t>(dlvm::info(panel.element).bytes);
  if (const auto& swizzle = panel.layout.swizzle)
    unit = std::max(unit, std::int64_t{1} << (swizzle->base + swizzle->shift + swizzle->bits));
  return Extent::floor_divide(element_count(panel) + (unit - 1), unit) * unit;
}

void expand_pipelines(Schedule& schedule) {
  LoopId next = next_loop(schedule);  // of all variants: a number has one name in the schedule's text
  for (Variant& variant : schedule.variants) Expansion(schedule, variant.body, next).expand(variant.body);
}

}  // namespace codegen::schedule::gpu
