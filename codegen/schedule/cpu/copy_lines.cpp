#include "codegen/schedule/cpu/copy_lines.h"

namespace codegen::schedule::cpu {
namespace {

/// Vectors of a line, at most, that are copied without a loop.
constexpr std::int64_t max_unrolled = 4;

}  // namespace

std::pair<BufferId, Body> copy_lines(ProductNest& nest, const InputLines& lines, std::int64_t beyond) {
  ContractionBuilder& builder = nest.builder;
  Shape shape;
  for (const InputLines::CopyAxis& axis : lines.axes) shape.push_back(axis.extent);
  shape.back() = nest.whole_vectors(lines.axes.back().extent);
  const Layout layout = dense_layout(shape);
  Shape reach = shape;
  reach.back() = nest.whole_vectors(lines.axes.back().extent + beyond);
  const BufferId copy =
      nest.lowering.add_buffer({nest.stage.name + ".lines", nest.builder.type, std::move(reach), Space::panel,
                                layout, false, std::nullopt});
  const auto& load = std::get<Scalar::Load>(nest.stage.body[nest.stage.contraction->right].definition);
  Scalar::Load from{rename(load.access, builder.outer), {}, 0};
  Access to{copy, {}};
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < lines.axes.size(); ++i) {
    const InputLines::CopyAxis& axis = lines.axes[i];
    const bool last = i + 1 == lines.axes.size();
    // The masks of a few vectors are constants where the loop over them is unrolled.
    const bool few = last && *shape[i].constant() <= max_unrolled * nest.lanes();
    loops.push_back(builder.open(last ? "element" : "line", few ? LoopKind::unrolled : LoopKind::serial,
                                 shape[i], last ? nest.lanes() : 1));
    Index at = variable(loops.back().id);
    if (last) loops.push_back(builder.open("lane", LoopKind::vector, nest.lanes()));
    if (last) at = at + variable(loops.back().id);
    to.indices.push_back(at);
    Index& index = from.access.indices[axis.dimension] = at + rename(axis.from, builder.outer);
    if (axis.end)
      from.bounds.push_back({index, *axis.end});
    else if (last)
      from.bounds.push_back({at, axis.extent});
  }
  Body body, all;
  from.fill = builder.let({builder.type, Scalar::Literal{dlvm::Tensor(builder.type, {})}}, body);
  const ValueId value = builder.let({builder.type, std::move(from)}, body);
  body.push_back({Store{std::move(to), {}, value, std::nullopt}});
  all.push_back({Allocate{copy}});
  append(all, nested(std::move(loops), std::move(body)));
  return {copy, std::move(all)};
}

Access copied_element(BufferId copy, const InputLines& lines) {
  Access access{copy, {}};
  for (const InputLines::CopyAxis& axis : lines.axes) access.indices.push_back(axis.at);
  return access;
}

}  // namespace codegen::schedule::cpu
