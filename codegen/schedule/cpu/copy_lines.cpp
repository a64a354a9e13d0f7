#include "codegen/schedule/cpu/copy_lines.h"

#include <algorithm>

namespace codegen::schedule::cpu {
namespace {

/// Vectors of a line, and positions of a window, at most, that are copied without a loop.
constexpr std::int64_t max_unrolled = 4, max_windows = 8;

}  // namespace

std::pair<BufferId, Body> copy_lines(ProductNest& nest, const InputLines& lines, std::int64_t beyond) {
  ContractionBuilder& builder = nest.builder;
  const bool dense = lines.line.size() > 1;
  const std::int64_t line = lines.axes.back().extent;
  Shape shape;
  for (const InputLines::CopyAxis& axis : lines.axes) shape.push_back(axis.extent);
  if (!dense) shape.back() = nest.whole_vectors(line);
  const Layout layout = dense_layout(shape);
  Shape reach = shape;
  reach.back() = dense ? line + beyond : nest.whole_vectors(line + beyond);
  const BufferId copy =
      nest.lowering.add_buffer({nest.stage.name + ".lines", nest.builder.type, std::move(reach), Space::panel,
                                layout, false, std::nullopt});
  const auto& load = std::get<Scalar::Load>(nest.stage.body[nest.stage.contraction->right].definition);
  Scalar::Load from{rename(load.access, builder.outer), {}, 0};
  for (const InputLines::CopyAxis& axis : lines.axes) from.access.indices[axis.dimension] = constant_index(0);
  Access to{copy, {}};
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < lines.axes.size(); ++i) {
    const InputLines::CopyAxis& axis = lines.axes[i];
    const bool last = i + 1 == lines.axes.size();
    // The masks of a few vectors are constants where the loops over them are unrolled.
    const bool few = last ? *shape[i].constant() <= max_unrolled * nest.lanes()
                          : lines.has_windows() && i == 0 && axis.extent <= max_windows;
    loops.push_back(builder.open(last ? "element" : "line", few ? LoopKind::unrolled : LoopKind::serial,
                                 shape[i], last ? nest.lanes() : 1));
    Index at = variable(loops.back().id);
    if (last) {
      loops.push_back(builder.open("lane", LoopKind::vector, nest.lanes()));
      at = at + variable(loops.back().id);
      if (*shape[i].constant() % nest.lanes() != 0) loops.back().bounds.push_back({at, shape[i]});
    }
    to.indices.push_back(at);
    Index& index = from.access.indices[axis.dimension];
    index = index + at * Extent(axis.step) + rename(axis.from, builder.outer);
    if (axis.end)
      from.bounds.push_back({index, *axis.end});
    else if (last && !dense)
      from.bounds.push_back({at, axis.extent});
  }
  // All positions of the window along a line, one after the other.
  if (lines.has_windows()) std::rotate(loops.begin(), loops.begin() + 1, loops.end() - 2);
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
