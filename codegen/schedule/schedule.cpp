#include "codegen/schedule/schedule.h"

namespace codegen::schedule {

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

}  // namespace codegen::schedule
