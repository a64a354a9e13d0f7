#include "codegen/schedule/gpu/panel.h"
#include "codegen/schedule/gpu/chip.h"

#include <algorithm>

namespace codegen::schedule {
namespace {

/// Where memory and panel are contiguous along different axes, so many neighbouring threads read along the
/// one, each writing to a row of the panel of its own.
constexpr std::int64_t run = 8;
constexpr std::int64_t most_bytes = 16, least_bytes = 4;  ///< of a copy

using Kind = Index::Quotient::Kind;

/// The `place`-th piece of a matrix of `width` x pieces: (major, minor) in its panel.
struct Place {
  Index major, minor;
};
Place straight(const Index& place, std::int64_t minor_size, std::int64_t width) {
  const std::int64_t pieces = minor_size / width;
  return {quotient(Kind::floor, place, pieces), quotient(Kind::modulo, place, pieces) * width};
}
Place turned(const Index& place, std::int64_t minor_size) {
  const Index rest = quotient(Kind::floor, place, run);
  return {quotient(Kind::modulo, place, run) + quotient(Kind::floor, rest, minor_size) * run,
          quotient(Kind::modulo, rest, minor_size)};
}

bool divides(std::int64_t width, const Extent& extent) {
  const auto constant = extent.constant();
  return constant && *constant % width == 0;
}

/// Whether `width` elements along the axis may be copied at once: they are all inside or all outside, and
/// begin at a multiple of their size.
bool allows(const Index& offset, const kernel::Axis& axis, std::int64_t width) {
  if (!divides(width, axis.extent) || !divides(width, offset.constant)) return false;
  return std::all_of(offset.terms.begin(), offset.terms.end(), [&](const Index::Term& term) {
    const auto* id = std::get_if<kernel::AxisId>(&term.atom);
    return (id != nullptr && *id == axis.id) || divides(width, term.coefficient);
  });
}
bool allows(const Layout& panel, std::int64_t width) {
  return divides(width, panel.strides[0]) &&
         (!panel.swizzle || width <= std::int64_t{1} << panel.swizzle->base);
}

}  // namespace

/// The elements of the panel that one thread brings at a time, `renaming` binding the stage's axes to the
/// first of them.
struct Staging::Piece {
  std::vector<Index> to;
  std::vector<Bound> bounds;
  Renaming renaming;
};

bool Staging::is_contiguous(kernel::ScalarId operand, const AxisGroup& group) const {
  const auto* load = std::get_if<Scalar::Load>(&stage_.body[operand].definition);
  if (load == nullptr || group.axes.empty()) return false;
  const auto& layout = lowering_.schedule.buffers[load->access.buffer].layout;
  const auto step = stride(offset(load->access, layout), group.axes.back()->id);
  return step && step->is(1);
}

/// In elements; 0: the operand cannot be copied.
std::int64_t Staging::copy_width(kernel::ScalarId operand, const AxisGroup& others,
                                 const Panel& panel) const {
  const Buffer& to = lowering_.schedule.buffers[panel.buffer];
  const Access* access = plain(operand, to.element);
  if (!lowering_.chip->asynchronous_copies || access == nullptr) return 0;
  const Buffer& from = lowering_.schedule.buffers[access->buffer];
  if (from.space != Space::argument && from.space != Space::arena) return 0;
  const AxisGroup& minor = panel.k_minor ? k_ : others;
  const std::int64_t minor_size = panel.k_minor ? panel.depth : panel.size,
                     bytes = dlvm::info(to.element).bytes;
  const Index place = offset(*access, from.layout);
  if (is_contiguous(operand, minor))
    for (std::int64_t width = most_bytes / bytes; width > 1 && width * bytes >= least_bytes; width /= 2)
      if (minor_size % width == 0 && allows(to.layout, width) && allows(place, *minor.axes.back(), width))
        return width;
  return bytes >= least_bytes ? 1 : 0;
}

Body Staging::stage(kernel::ScalarId operand, const AxisGroup& others, const Panel& panel,
                    const Index& first_k, const Index& first_other) {
  const std::int64_t width = copy_width(operand, others, panel), count = panel.depth * panel.size;
  const std::int64_t pieces = count / std::max<std::int64_t>(width, 1), threads = std::min(threads_, pieces);
  Loop thread = open("thread", LoopKind::thread, threads);
  Loop part = open("part", LoopKind::unrolled, (pieces + threads - 1) / threads);
  const Index number = variable(thread.id) + variable(part.id) * threads;
  if (pieces % threads != 0) part.bounds.push_back({number, pieces});
  const bool turns = is_contiguous(operand, panel.k_minor ? others : k_);
  const std::int64_t minor_size = panel.k_minor ? panel.depth : panel.size;
  const Place place =
      turns ? turned(number, minor_size) : straight(number, minor_size, std::max<std::int64_t>(width, 1));
  const Index k = first_k + (panel.k_minor ? place.minor : place.major);
  const Index other = first_other + (panel.k_minor ? place.major : place.minor);
  Piece piece{{place.major, place.minor}, {{k, k_.extent}, {other, others.extent}}, outer_};
  k_.bind(k, piece.renaming);
  others.bind(other, piece.renaming);
  Body body = width > 0
                  ? copy(std::get<Scalar::Load>(stage_.body[operand].definition).access, panel, piece, width)
                  : evaluate(operand, panel, piece);
  return around(std::move(thread), around(std::move(part), std::move(body)));
}

Body Staging::copy(const Access& from, const Panel& panel, const Piece& piece, std::int64_t width) const {
  const Access renamed = rename(from, piece.renaming);
  Body body;
  body.push_back({Copy{{renamed.buffer, renamed.indices, {width}, {1}},
                       {panel.buffer, piece.to, {1, width}, {}},
                       true,
                       piece.bounds}});
  return body;
}

Body Staging::evaluate(kernel::ScalarId operand, const Panel& panel, const Piece& piece) {
  const ElementType type = lowering_.schedule.buffers[panel.buffer].element;
  const Access to{panel.buffer, piece.to};
  Body body;
  const ValueId zero = let({type, Scalar::Literal{dlvm::Tensor(type, {})}}, body);
  body.push_back({Store{to, {}, zero, std::nullopt}});
  Loop inside = open("inside", LoopKind::unrolled, 1);
  inside.bounds = piece.bounds;
  Body evaluated;
  Renaming renaming = piece.renaming;
  Values known;
  ValueId value = need(operand, renaming, known, evaluated);
  if (stage_.body[operand].type != type)
    value = let({type, Scalar::Operation{dlvm::Opcode::dataTypeCast, {value}}}, evaluated);
  evaluated.push_back({Store{to, {}, value, std::nullopt}});
  append(body, around(std::move(inside), std::move(evaluated)));
  return body;
}

}  // namespace codegen::schedule
