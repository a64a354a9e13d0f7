#include "codegen/schedule/ir/schedule.h"

#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {

DEFINE_VALUE_SEMANTICS(Statement)
DEFINE_VALUE_SEMANTICS(Schedule)

Statement::Statement(Node node) : node(std::move(node)) {}

Schedule without_annotations(Schedule schedule) {
  schedule.name.clear();
  for (Buffer& buffer : schedule.buffers) buffer.name.clear();
  for (Variant& variant : schedule.variants) {
    walk<Origin>(variant.body, [](Origin& origin) { origin = {}; });
    walk<Loop>(variant.body, [](Loop& loop) { loop.name.clear(); });
  }
  return schedule;
}

Layout dense_layout(const Shape& shape) {
  Layout layout;
  layout.strides.resize(shape.size());
  Extent stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    layout.strides[i] = stride;
    stride = stride * shape[i];
  }
  return layout;
}

Extent element_count(const Buffer& buffer) {
  if (buffer.linear_layout) return std::int64_t{1} << buffer.linear_layout->registers.size();
  Extent count = dlvm::unit_count(buffer.shape);
  if (buffer.layout.strides != dense_layout(buffer.shape).strides && !count.is(0)) {
    count = 1;
    for (std::size_t i = 0; i < buffer.shape.size(); ++i)
      count = count + (buffer.shape[i] - 1) * buffer.layout.strides[i];
  }
  if (!buffer.layout.swizzle) return count;
  const Extent run = std::int64_t{1} << (buffer.layout.swizzle->base + buffer.layout.swizzle->bits);
  return Extent::floor_divide(count + run - 1, run) * run;
}

}  // namespace codegen::schedule
