// The rules of `scatter`, by what its combinator is.
#include "dlvm/differentiate/reductions.h"
#include "dlvm/differentiate/transposes.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/replacement.h"

namespace dlvm::transposes {
namespace {

using reductions::is_extremum;
using reductions::is_sum;

/// Equal shares for what attains the extremum at an element.
Value* of_extremum(Builder& b, const Scatter& scatter, Instruction& primal, std::size_t operand,
                   Value* cotangent) {
  const std::vector<Value*> indices(scatter.indices().begin(), scatter.indices().end());
  const auto at_updates = [&](Value* x) { return b.gather(x, indices, scatter.axes()); };
  const ElementType element = primal.type().element();
  Value *one = b.constant(element, 1), *zero = b.constant(element, 0);
  Value* input_attains = b.binary(Opcode::equal, scatter.input(), &primal);
  Value* update_attains = b.binary(Opcode::equal, scatter.updates(), at_updates(&primal));
  Value* count = b.scatter(b.select(one, zero, update_attains), b.select(one, zero, input_attains), indices,
                           {Opcode::add, nullptr}, scatter.axes());
  Value* share = b.divide(cotangent, count);
  return operand == 0 ? b.select(at_updates(share), zero, update_attains)
                      : b.select(share, zero, input_attains);
}

/// Which updates are the last ones of their elements: of the indices' shape, followed by ones for the axes of
/// the updates that come behind it. Null where there is only one update.
Value* last_updates(Builder& b, const Scatter& scatter) {
  const std::vector<Value*> indices(scatter.indices().begin(), scatter.indices().end());
  const Shape& shape = indices[0]->type().shape();
  const Extent count = unit_count(shape);
  if (count.is(1)) return nullptr;
  const Type& input = scatter.input()->type();
  Shape elements;
  Integers axes;
  for (const std::int64_t axis : scatter.axes()) {
    elements.push_back(input.shape()[static_cast<std::size_t>(axis)]);
    axes.push_back(static_cast<std::int64_t>(axes.size()));
  }
  Value* numbers = b.shape_cast(b.iota({count}, 0, ElementType::i64), shape);
  Value* none = b.splat(Type::tensor(ElementType::i64, std::move(elements)), -1);
  Value* last = b.scatter(numbers, none, indices, {Opcode::max, nullptr}, axes);
  Value* is_last = b.binary(Opcode::equal, numbers, b.gather(last, indices, axes));
  Shape stretched = shape;
  const std::size_t behind = input.rank() - static_cast<std::size_t>(scatter.axes().back()) - 1;
  stretched.insert(stretched.end(), behind, Extent(1));
  return b.shape_cast(is_last, std::move(stretched));
}

/// The cotangent of an element that is replaced goes to the last update there.
Value* of_replacement(Builder& b, const Scatter& scatter, std::size_t operand, Value* cotangent) {
  const std::vector<Value*> indices(scatter.indices().begin(), scatter.indices().end());
  if (operand == 1)
    return b.scatter(zeros(b, scatter.updates()->type()), cotangent, indices, scatter.combinator(),
                     scatter.axes());
  Value* gathered = b.gather(cotangent, indices, scatter.axes());
  Value* last = last_updates(b, scatter);
  if (last == nullptr) return gathered;
  return b.select(gathered, b.constant(cotangent->type().element(), 0), last);
}

}  // namespace

std::string_view scatter_unknown(const Instruction& instruction) {
  const Combinator& by = instruction.combinator();
  if (is_sum(by) || is_extremum(by) || replaces(by)) return {};
  return "only a scatter by add, max or min, or by a function that gives its second argument, has a known "
         "derivative";
}

Value* scatter(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const Scatter scatter(primal);
  if (replaces(scatter.combinator())) return of_replacement(b, scatter, operand, cotangent);
  if (is_extremum(scatter.combinator())) return of_extremum(b, scatter, primal, operand, cotangent);
  if (operand == 1) return cotangent;
  return b.gather(cotangent, {scatter.indices().begin(), scatter.indices().end()}, scatter.axes());
}

}  // namespace dlvm::transposes
