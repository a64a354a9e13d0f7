#include "dlvm/ir/take_along.h"

namespace dlvm {

std::vector<Value*> indices_along(Builder& builder, Value* positions, std::size_t axis) {
  const Shape& shape = positions->type().shape();
  std::vector<Value*> indices;
  for (std::size_t d = 0; d < shape.size(); ++d)
    indices.push_back(d == axis ? positions
                                : builder.iota(shape, static_cast<std::int64_t>(d), ElementType::i64));
  return indices;
}

Value* take_along(Builder& builder, Value* x, Value* positions, std::size_t axis) {
  Integers axes;
  for (std::size_t d = 0; d < x->type().rank(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  return builder.gather(x, indices_along(builder, positions, axis), std::move(axes));
}

}  // namespace dlvm
