#include "codegen/schedule/gpu/pipeline.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/rename.h"
#include "codegen/schedule/transform/variants.h"

namespace codegen::schedule::gpu {
namespace {

using Kind = Index::Quotient::Kind;

/// In bytes: slots are aligned as buffers are.
constexpr std::int64_t slot_alignment = 128;

/// The shared memory that a statement touches.
struct ReadWriteSet {
  std::set<BufferId> read, written;
};
ReadWriteSet read_write_set(Statement& statement, const Schedule& schedule) {
  ReadWriteSet result;
  visit_places(statement, [&](const Place& place) {
    if (schedule.buffers[place.buffer].space != Space::shared) return;
    if (place.read) result.read.insert(place.buffer);
    if (place.written) result.written.insert(place.buffer);
  });
  return result;
}
bool allocates(const Body& body) {
  return std::any_of(body.begin(), body.end(), [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return std::holds_alternative<Allocate>(statement.node) || (loop != nullptr && allocates(loop->body));
  });
}
bool intersects(const std::set<BufferId>& a, const std::set<BufferId>& b) {
  return std::any_of(a.begin(), a.end(), [&](BufferId id) { return b.count(id) > 0; });
}

struct Ring {
  std::set<BufferId> panels;
  std::size_t fills = 0;  ///< how many statements of the body, the first ones
  std::int64_t slots = 0;
};
/// Nothing where the pipeline becomes a serial loop.
std::optional<Ring> ring_of(Loop& pipeline, const Schedule& schedule) {
  Ring ring;
  ring.slots = pipeline.depth;
  if (const auto extent = pipeline.extent.constant())
    ring.slots = std::min(ring.slots, (*extent + pipeline.step - 1) / pipeline.step);
  if (ring.slots < 2 || allocates(pipeline.body)) return std::nullopt;
  for (Statement& statement : pipeline.body) {
    const ReadWriteSet here = read_write_set(statement, schedule);
    if (here.written.empty() || !here.read.empty()) break;
    ring.panels.insert(here.written.begin(), here.written.end());
    ++ring.fills;
  }
  for (std::size_t i = ring.fills; i < pipeline.body.size(); ++i)
    if (intersects(read_write_set(pipeline.body[i], schedule).written, ring.panels)) return std::nullopt;
  if (ring.fills == 0) return std::nullopt;
  return ring;
}

/// Has what a body accesses of some buffers be in one slot of these.
void take_slot(Body& body, const std::set<BufferId>& panels, const Index& slot) {
  visit_places(body, [&](const Place& place) {
    if (panels.count(place.buffer) > 0) place.put_in_front(slot);
  });
}

class Expansion {
 public:
  /// New loops get the numbers from `next_loop` on.
  Expansion(Schedule& schedule, const Body& variant, LoopId& next_loop)
      : schedule_(schedule), next_loop_(next_loop) {
    count(variant);
  }

  void expand(Body& body) {
    Body result;
    for (Statement& statement : body) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop != nullptr) expand(loop->body);
      if (loop != nullptr && loop->kind == LoopKind::pipeline)
        expand(std::move(*loop), result);
      else
        result.push_back(std::move(statement));
    }
    body = std::move(result);
  }

 private:
  /// Numbers that values of the variant have not.
  void count(const Body& body) {
    for (const Statement& statement : body) {
      if (const auto* let = std::get_if<Let>(&statement.node))
        next_value_ = std::max(next_value_, let->id + 1);
      if (const auto* loop = std::get_if<Loop>(&statement.node)) count(loop->body);
    }
  }

  void expand(Loop loop, Body& result) {
    const auto ring = ring_of(loop, schedule_);
    loop.kind = LoopKind::serial;
    if (!ring) return void(result.push_back({std::move(loop)}));
    for (const BufferId id : ring->panels) make_ring(id, ring->slots);
    const auto first_use = loop.body.begin() + static_cast<std::ptrdiff_t>(ring->fills);
    const Body fills(loop.body.begin(), first_use);
    Body uses(first_use, loop.body.end());
    result.push_back({ahead(loop, fills, *ring)});
    const Index variable = schedule::variable(loop.id),
                trip = loop.step == 1 ? variable : kernel::quotient_index({Kind::floor, variable, loop.step}),
                last = trip + constant_index(ring->slots - 1),
                later = variable + constant_index(loop.step * (ring->slots - 1));
    Body body;
    body.push_back({Wait{static_cast<std::uint32_t>(ring->slots - 2)}});
    body.push_back({Barrier{}});
    body.push_back(
        {filled(loop, fills, later, *ring, kernel::quotient_index({Kind::modulo, last, ring->slots}))});
    body.push_back({Commit{}});
    take_slot(uses, ring->panels, kernel::quotient_index({Kind::modulo, trip, ring->slots}));
    for (Statement& statement : uses) body.push_back(std::move(statement));
    loop.body = std::move(body);
    result.push_back({std::move(loop)});
  }

  /// The slots of the first trips.
  Loop ahead(const Loop& pipeline, const Body& fills, const Ring& ring) {
    Loop loop;
    loop.id = next_loop_++;
    loop.name = "ahead";
    loop.extent = ring.slots - 1;
    const Index number = variable(loop.id);
    loop.body.push_back({filled(pipeline, fills, number * pipeline.step, ring, number)});
    loop.body.push_back({Commit{}});
    return loop;
  }

  /// What fills a slot for the trip in which the pipeline's variable is `at`, if there is that trip.
  Loop filled(const Loop& pipeline, const Body& fills, const Index& at, const Ring& ring, const Index& slot) {
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
    take_slot(loop.body, ring.panels, slot);
    return loop;
  }

  void make_ring(BufferId id, std::int64_t slots) {
    Buffer& buffer = schedule_.buffers[id];
    const Extent size = slot_elements(buffer);
    buffer.shape.insert(buffer.shape.begin(), slots);
    buffer.layout.strides.insert(buffer.layout.strides.begin(), size);
  }

  Schedule& schedule_;
  LoopId& next_loop_;
  ValueId next_value_ = 0;
};

}  // namespace

std::set<BufferId> panels_of(Loop& pipeline, const Schedule& schedule) {
  const auto ring = ring_of(pipeline, schedule);
  return ring ? ring->panels : std::set<BufferId>();
}

Extent slot_elements(const Buffer& panel) {
  std::int64_t unit = slot_alignment / static_cast<std::int64_t>(dlvm::info(panel.element).bytes);
  if (const auto& swizzle = panel.layout.swizzle)
    unit = std::max(unit, std::int64_t{1} << (swizzle->base + swizzle->shift + swizzle->bits));
  return Extent::floor_divide(element_count(panel) + (unit - 1), unit) * unit;
}

void expand_pipelines(Schedule& schedule) {
  LoopId next = next_loop(schedule);  // of all variants: a number has one name in the schedule's text
  for (Variant& variant : schedule.variants) Expansion(schedule, variant.body, next).expand(variant.body);
}

}  // namespace codegen::schedule::gpu
