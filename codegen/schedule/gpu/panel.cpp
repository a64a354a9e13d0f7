#include "codegen/schedule/gpu/panel.h"

#include <algorithm>

#include "codegen/schedule/gpu/vectors.h"

namespace codegen::schedule::gpu {
namespace {

/// Where memory and panel are contiguous along different axes, so many elements along the one are read by
/// neighbouring threads, each of which writes to rows of the panel of its own.
constexpr std::int64_t run = 8;

using Kind = Index::Quotient::Kind;

/// Where the first element of the `number`-th piece of `width` is in its panel: pieces of one row after the
/// other, or of `run` rows at a time, along these.
struct Corner {
  Index major, minor;
};
Corner row_major(const Index& number, std::int64_t minor_size, std::int64_t width) {
  const std::int64_t pieces = minor_size / width;
  return {kernel::quotient_index({Kind::floor, number, pieces}),
          kernel::quotient_index({Kind::modulo, number, pieces}) * width};
}
Corner transposed(const Index& number, std::int64_t minor_size, std::int64_t width) {
  const std::int64_t pieces = run / width;
  const Index row = kernel::quotient_index({Kind::floor, number, pieces});
  return {kernel::quotient_index({Kind::modulo, number, pieces}) * width +
              kernel::quotient_index({Kind::floor, row, minor_size}) * run,
          kernel::quotient_index({Kind::modulo, row, minor_size})};
}

bool allows(const Layout& panel, std::int64_t width) {
  return divides(width, panel.strides[0]) &&
         (!panel.swizzle || width <= std::int64_t{1} << panel.swizzle->base);
}

/// Returns all loads that the operand is computed from.
std::vector<const Scalar::Load*> loads_of(const kernel::Stage& stage, kernel::ScalarId operand) {
  std::vector<const Scalar::Load*> loads;
  std::vector<kernel::ScalarId> left{operand};
  for (std::set<kernel::ScalarId> seen; !left.empty();) {
    const kernel::ScalarId id = left.back();
    left.pop_back();
    if (!seen.insert(id).second) continue;
    if (const auto* load = std::get_if<Scalar::Load>(&stage.body[id].definition)) loads.push_back(load);
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(stage.body[id], axes, values);
    left.insert(left.end(), values.begin(), values.end());
  }
  return loads;
}

}  // namespace

/// The elements of the panel that one thread brings at a time, neighbours along `along`.
struct Staging::Piece {
  std::int64_t width = 1;
  const AxisGroup& along;
  std::vector<Index> to;      ///< the first
  std::size_t direction = 1;  ///< which index of `to` runs along `along`
  std::vector<Bound> bounds;  ///< they are all inside, or all outside
  Renaming renaming;          ///< has the stage's axes at the first
};

bool is_contiguous(const kernel::Stage& stage, Buffers buffers, kernel::ScalarId operand,
                   const AxisGroup& group) {
  const Access* largest = nullptr;
  for (const Scalar::Load* load : loads_of(stage, operand))
    if (largest == nullptr || load->access.indices.size() > largest->indices.size()) largest = &load->access;
  if (largest == nullptr || group.axes.empty()) return false;
  const auto step = stride(offset(*largest, buffers[largest->buffer].layout), group.axes.back()->id);
  return step && step->is(1);
}

bool Staging::is_contiguous(kernel::ScalarId operand, const AxisGroup& group) const {
  return gpu::is_contiguous(stage_, lowering_.schedule.buffers, operand, group);
}

/// In elements; 0: the operand cannot be copied.
std::int64_t Staging::copy_width(kernel::ScalarId operand, const AxisGroup& others,
                                 const Panel& panel) const {
  const Buffer& to = lowering_.schedule.buffers[panel.buffer];
  const Access* access = builder_.plain(operand, to.element);
  if (!lowering_.target.asynchronous_copies || access == nullptr) return 0;
  const Buffer& from = lowering_.schedule.buffers[access->buffer];
  if (from.space != Space::argument && from.space != Space::arena) return 0;
  const AxisGroup& minor = panel.k_minor ? k_ : others;
  const std::int64_t minor_size = panel.k_minor ? panel.depth : panel.size,
                     bytes = dlvm::info(to.element).bytes;
  const Index place = offset(*access, from.layout);
  if (is_contiguous(operand, minor))
    for (std::int64_t width = lowering_.target.access_bytes / bytes;
         width > 1 && width * bytes >= lowering_.target.min_copy_bytes; width /= 2)
      if (minor_size % width == 0 && allows(to.layout, width) &&
          allows_vector_at(place, *minor.axes.back(), width))
        return width;
  return bytes >= lowering_.target.min_copy_bytes ? 1 : 0;
}

/// Whether `width` neighbours along the axis can be evaluated as a vector, each tensor being read along it or
/// not at all.
bool Staging::allows_vector(kernel::ScalarId operand, const kernel::Axis& axis, std::int64_t width) const {
  const auto loads = loads_of(stage_, operand);
  return divides(width, axis.extent) &&
         std::all_of(loads.begin(), loads.end(), [&](const Scalar::Load* load) {
           std::set<LoopId> axes;
           std::set<ValueId> values;
           collect(load->bounds, axes, values);
           if (axes.count(axis.id) > 0 || !values.empty() || has_loaded(load->access)) return false;
           const Index place = offset(load->access, lowering_.schedule.buffers[load->access.buffer].layout);
           const auto step = stride(place, axis.id);
           return step && (step->is(0) || (step->is(1) && allows_vector_at(place, axis, width)));
         });
}

/// How many neighbours along the group, `along`, are evaluated at once: no more than leave every thread a
/// piece.
std::int64_t Staging::vector_width(kernel::ScalarId operand, const AxisGroup& along,
                                   const Panel& panel) const {
  if (!is_contiguous(operand, along)) return 1;
  const Buffer& to = lowering_.schedule.buffers[panel.buffer];
  const bool along_k = &along == &k_;
  const std::int64_t size = along_k ? panel.depth : panel.size, count = panel.depth * panel.size;
  std::int64_t width =
      std::min(run, lowering_.target.access_bytes / std::int64_t{dlvm::info(to.element).bytes});
  for (; width > 1; width /= 2)
    if (size % width == 0 && count / width >= threads_ &&
        (along_k != panel.k_minor || allows(to.layout, width)) &&
        allows_vector(operand, *along.axes.back(), width))
      return width;
  return 1;
}

Body Staging::stage(kernel::ScalarId operand, const AxisGroup& others, const Panel& panel,
                    const Index& first_k, const Index& first_other) {
  const AxisGroup &minor = panel.k_minor ? k_ : others, &major = panel.k_minor ? others : k_;
  const bool transposes = is_contiguous(operand, major);
  const AxisGroup& along = transposes ? major : minor;
  const std::int64_t copied = copy_width(operand, others, panel);
  const std::int64_t width = copied > 0 ? copied : vector_width(operand, along, panel);
  const std::int64_t pieces = panel.depth * panel.size / width, threads = std::min(threads_, pieces);
  Loop thread = builder_.open("thread", LoopKind::thread, threads);
  Loop part = builder_.open("part", LoopKind::unrolled, (pieces + threads - 1) / threads);
  const Index number = variable(thread.id) + variable(part.id) * threads;
  if (pieces % threads != 0) part.bounds.push_back({number, pieces});
  const std::int64_t minor_size = panel.k_minor ? panel.depth : panel.size;
  const Corner corner =
      transposes ? transposed(number, minor_size, width) : row_major(number, minor_size, width);
  const Index k = first_k + (panel.k_minor ? corner.minor : corner.major);
  const Index other = first_other + (panel.k_minor ? corner.major : corner.minor);
  Piece piece{width,
              along,
              {corner.major, corner.minor},
              transposes ? 0U : 1U,
              {{k, k_.extent}, {other, others.extent}},
              builder_.outer};
  k_.bind(k, piece.renaming);
  others.bind(other, piece.renaming);
  Body body = copied > 0 ? copy(operand, panel, piece) : evaluate(operand, panel, piece);
  return around(std::move(thread), around(std::move(part), std::move(body)));
}

Body Staging::copy(kernel::ScalarId operand, const Panel& panel, const Piece& piece) const {
  const auto& load = std::get<Scalar::Load>(stage_.body[operand].definition);
  const Access from = rename(load.access, piece.renaming);
  Body body;
  body.push_back({Copy{{from.buffer, from.indices, {piece.width}, {1}},
                       {panel.buffer, piece.to, {1, piece.width}, {}},
                       true,
                       piece.bounds}});
  return body;
}

/// What `of` adds for an element of the piece, for each of them: as a vector.
Body Staging::for_each(Piece piece, const std::function<void(Piece& element, Body& body)>& of) {
  Body body;
  if (piece.width == 1) {
    of(piece, body);
    return body;
  }
  Loop lane = builder_.open("lane", LoopKind::vector, piece.width);
  piece.to[piece.direction] = piece.to[piece.direction] + variable(lane.id);
  Index& index = piece.renaming.axes.at(piece.along.axes.back()->id);
  index = index + variable(lane.id);
  of(piece, body);
  return around(std::move(lane), std::move(body));
}

Body Staging::evaluate(kernel::ScalarId operand, const Panel& panel, const Piece& piece) {
  const ElementType type = lowering_.schedule.buffers[panel.buffer].element;
  Body body = for_each(piece, [&](Piece& element, Body& here) {
    const ValueId zero = builder_.let({type, Scalar::Literal{dlvm::Tensor(type, {})}}, here);
    here.push_back({Store{{panel.buffer, element.to}, {}, zero, std::nullopt}});
  });
  Loop inside = builder_.open("inside", LoopKind::unrolled, 1);
  inside.bounds = piece.bounds;
  Body evaluated = for_each(piece, [&](Piece& element, Body& here) {
    ContractionBuilder::Values known;
    ValueId value = builder_.need(operand, element.renaming, known, here);
    if (stage_.body[operand].type != type)
      value = builder_.let({type, Scalar::Operation{dlvm::Opcode::dataTypeCast, {value}}}, here);
    here.push_back({Store{{panel.buffer, element.to}, {}, value, std::nullopt}});
  });
  append(body, around(std::move(inside), std::move(evaluated)));
  return body;
}

}  // namespace codegen::schedule::gpu
