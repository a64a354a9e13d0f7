#include "dlvm/transform/composite_expansion.h"

#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/take_along.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

Value* expand_sort(Instruction& i, Builder& b) {
  const Sort sort(i);
  return take_along(b, sort.input(), b.create(Opcode::argsort, {sort.input()}, i.attributes()), sort.axis());
}

Value* expand_topk(Instruction& i, Builder& b) {
  const TopK topk(i);
  const auto axis = static_cast<std::int64_t>(topk.axis());
  Value* order =
      b.create(Opcode::argsort, {topk.input()}, {Combinator{Opcode::greaterThan, nullptr}, Integers{axis}});
  Shape end = topk.input()->type().shape();
  end[topk.axis()] = topk.count();
  Value* positions = b.slice(order, Shape(end.size()), end);
  return b.tuple({take_along(b, topk.input(), positions, topk.axis()), positions});
}

Value* number(Builder& b, const Extent& extent) {
  const auto constant = extent.constant();
  if (!constant) return b.extent(extent, ElementType::i64);
  return b.function().literal(Type::scalar(ElementType::i64), Tensor::scalar(ElementType::i64, *constant));
}

Value* expand_rank(Instruction& i, Builder& b) {
  return number(b, static_cast<std::int64_t>(i.operand(0)->type().rank()));
}

Value* expand_unit_count(Instruction& i, Builder& b) {
  return number(b, unit_count(i.operand(0)->type().shape()));
}

Value* expand_shape(Instruction& i, Builder& b) {
  const Shape& shape = i.operand(0)->type().shape();
  if (shape.empty()) return b.function().literal(i.type(), Tensor(ElementType::i64, {0}));
  std::vector<Value*> extents;
  for (const Extent& extent : shape) extents.push_back(b.shape_cast(number(b, extent), {1}));
  return extents.size() == 1 ? extents[0] : b.concatenate(std::move(extents), 0);
}

}  // namespace

bool composite_expansion(Function& function) {
  constexpr RewriteRule rules[]{{{Opcode::sort}, expand_sort},
                                {{Opcode::topk}, expand_topk},
                                {{Opcode::rank}, expand_rank},
                                {{Opcode::shape}, expand_shape},
                                {{Opcode::unitCount}, expand_unit_count}};
  return rewrite(function, rules);
}

}  // namespace dlvm
