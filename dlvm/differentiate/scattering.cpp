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

/// The updates of each element side by side, in their order, as [outer][updates][inner]: the axes before, at
/// and behind those that are indexed.
struct SortedUpdates {
  Value *updates, *elements;  ///< of each update, the element of the input that it goes to
  Value *is_first, *is_last;  ///< of its element: [updates][1]
  Value* inverse;             ///< for each update its position among those that are sorted
};

SortedUpdates sorted_updates(Builder& b, const Scatter& scatter) {
  const Shape& shape = scatter.input()->type().shape();
  const auto first = static_cast<std::size_t>(scatter.axes().front()), end = first + scatter.axes().size();
  const auto count = [&](std::size_t from, std::size_t upto) {
    const auto at = [&](std::size_t i) { return shape.begin() + static_cast<std::ptrdiff_t>(i); };
    return unit_count(Shape(at(from), at(upto)));
  };
  const Extent updates = unit_count(scatter.indices()[0]->type().shape());
  Value* place = nullptr;  // the number of the element among those that are indexed
  for (std::size_t i = 0; i < scatter.indices().size(); ++i) {
    Value* index = b.cast(b.shape_cast(scatter.indices()[i], {updates}), ElementType::i64);
    place = place == nullptr ? index
                             : b.add(b.multiply(place, b.extent(shape[first + i], ElementType::i64)), index);
  }
  const auto argsort = [&](Value* x) { return b.create(Opcode::argsort, {x}, {Attribute(), Integers{0}}); };
  Value* order = argsort(place);
  place = b.gather(place, {order}, {0});
  const auto differs = [&](Extent before, Extent behind) {
    Value* none = b.constant(ElementType::i64, -1);
    Value* padded = b.pad(place, {{before, behind}}, none);
    Value* neighbours = b.slice(padded, {behind}, {behind + updates});
    return b.shape_cast(b.binary(Opcode::notEqual, place, neighbours), {updates, 1});
  };
  const auto take = [&](Value* x, const Extent& along, Value* at) {
    return b.gather(b.shape_cast(x, {count(0, first), along, count(end, shape.size())}), {at}, {1});
  };
  return {take(scatter.updates(), updates, order), take(scatter.input(), count(first, end), place),
          differs(1, 0), differs(0, 1), argsort(order)};
}

/// The derivative by the input is the product of the updates of an element; that by an update is the product
/// of the input with the updates before it and with those behind it. Both are recurrences that begin anew
/// with each element, and no quotients, so that zeros among the factors are nothing special.
Value* of_product(Builder& b, const Scatter& scatter, std::size_t operand, Value* cotangent) {
  const std::vector<Value*> indices(scatter.indices().begin(), scatter.indices().end());
  if (operand == 1) {
    Value* one = ones(b, scatter.type());
    Value* product = b.scatter(scatter.updates(), one, indices, scatter.combinator(), scatter.axes());
    return scaled(b, cotangent, Expression{&b, product});
  }
  const SortedUpdates sorted = sorted_updates(b, scatter);
  Value* zero = b.constant(cotangent->type().element(), 0);
  const Shape& shape = sorted.updates->type().shape();
  const auto product_before = [&](Value* updates, Value* start, Value* starts) {
    Value* previous = b.slice(b.pad(updates, {{0, 0}, {1, 0}, {0, 0}}, zero), {0, 0, 0}, shape);
    Value* factors = b.select(zero, previous, starts);
    Value* terms = b.select(start, zero, starts);
    return b.create(Opcode::recurrence, {factors, stretched(b, terms, shape)}, {Integers{1}});
  };
  Value* before = product_before(sorted.updates, sorted.elements, sorted.is_first);
  Value* behind = b.reverse(product_before(b.reverse(sorted.updates, {1}), ones(b, sorted.updates->type()),
                                           b.reverse(sorted.is_last, {0})),
                            {1});
  Value* others = b.gather(b.multiply(before, behind), {sorted.inverse}, {1});
  others = b.shape_cast(others, scatter.updates()->type().shape());
  return scaled(b, b.gather(cotangent, indices, scatter.axes()), Expression{&b, others});
}

}  // namespace

std::string_view scatter_unknown(const Instruction& instruction) {
  const Combinator& by = instruction.combinator();
  if (is_sum(by) || is_extremum(by) || by.is(Opcode::multiply) || replaces(by)) return {};
  return "only a scatter by add, multiply, max or min, or by a function that gives its second argument, has "
         "a "
         "known derivative";
}

Value* scatter(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const Scatter scatter(primal);
  if (replaces(scatter.combinator())) return of_replacement(b, scatter, operand, cotangent);
  if (is_extremum(scatter.combinator())) return of_extremum(b, scatter, primal, operand, cotangent);
  if (scatter.combinator().is(Opcode::multiply)) return of_product(b, scatter, operand, cotangent);
  if (operand == 1) return cotangent;
  return b.gather(cotangent, {scatter.indices().begin(), scatter.indices().end()}, scatter.axes());
}

}  // namespace dlvm::transposes
