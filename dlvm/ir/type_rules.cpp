#include "dlvm/ir/type_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dlvm/ir/function.h"
#include "dlvm/ir/type_rule_parts.h"
#include "dlvm/ir/window.h"

namespace dlvm {

std::optional<Shape> broadcast_shapes(const Shape& a, const Shape& b, std::string& why) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape result(rank);
  for (std::size_t i = 1; i <= rank; ++i) {
    const Extent left = i <= a.size() ? a[a.size() - i] : Extent(1);
    const Extent right = i <= b.size() ? b[b.size() - i] : Extent(1);
    if (left == right || right.is(1)) {
      result[rank - i] = left;
    } else if (left.is(1)) {
      result[rank - i] = right;
    } else {
      why = fmt::format("[{}] and [{}] do not broadcast: {} against {}", text(a), text(b), left.text(),
                        right.text());
      return std::nullopt;
    }
  }
  return result;
}

namespace type_rules {
namespace {

const Shape& extents(const Signature& s, std::size_t i) { return std::get<Shape>(s.attributes[i]); }

bool all_tensors(const Signature& s, std::string& why) {
  for (const Type& type : s.operands)
    if (!type.is_tensor()) {
      why = "operand of type " + type.text() + " is not a tensor";
      return false;
    }
  return true;
}

bool accepted(const InstructionDefinition& d, ElementType element, std::string& why) {
  if (accepts(d, element)) return true;
  why = fmt::format("does not take elements of type {}", info(element).name);
  return false;
}

bool axes_of(const Integers& axes, std::size_t rank, std::string& why) {
  std::set<std::int64_t> seen;
  for (const std::int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) {
      why = fmt::format("axis {} of a tensor of rank {}", axis, rank);
      return false;
    }
    if (!seen.insert(axis).second) {
      why = fmt::format("axis {} is named twice", axis);
      return false;
    }
  }
  return true;
}

bool one_axis(const Integers& axes, std::size_t rank, std::string& why) {
  if (axes.size() != 1) {
    why = "takes one axis";
    return false;
  }
  return axes_of(axes, rank, why);
}

bool combines(const Combinator& combinator, ElementType element, std::string& why) {
  if (combinator.function != nullptr) {
    const Type scalar = Type::scalar(element);
    if (combinator.function->type() == Type::function({scalar, scalar}, scalar)) return true;
    why = fmt::format("@{} does not take two {} and return one", combinator.function->name(),
                      info(element).name);
    return false;
  }
  const InstructionDefinition& d = definition(combinator.opcode);
  if (!d.is(Trait::associative)) {
    why = fmt::format("{} does not combine elements", d.name);
    return false;
  }
  if (!accepts(d, element)) {
    why = fmt::format("{} does not take elements of type {}", d.name, info(element).name);
    return false;
  }
  return true;
}

/// Adjacent axes `axes` of `shape` replaced by `inner`.
Shape replaced(const Shape& shape, const Integers& axes, const Shape& inner) {
  Shape result(shape.begin(), shape.begin() + axes.front());
  result.insert(result.end(), inner.begin(), inner.end());
  result.insert(result.end(), shape.begin() + axes.back() + 1, shape.end());
  return result;
}

bool indexes(const Type& input, std::span<const Type> indices, const Integers& axes, std::string& why) {
  if (!axes_of(axes, input.rank(), why)) return false;
  if (axes.empty() || axes.size() != indices.size()) {
    why = fmt::format("{} indices for {} axes", indices.size(), axes.size());
    return false;
  }
  for (std::size_t i = 1; i < axes.size(); ++i)
    if (axes[i] != axes[0] + static_cast<std::int64_t>(i)) {
      why = "the axes are not adjacent";
      return false;
    }
  for (const Type& index : indices) {
    if (!is_integer(index.element())) {
      why = fmt::format("an index of type {}", index.text());
      return false;
    }
    if (index.shape() != indices[0].shape()) return same(index, indices[0], why);
  }
  return true;
}

}  // namespace

#define TYPE_RULE(name)                                                     \
  std::optional<Type> name([[maybe_unused]] const InstructionDefinition& d, \
                           [[maybe_unused]] const Signature& s, [[maybe_unused]] std::string& why)

TYPE_RULE(end) { return Type(); }

TYPE_RULE(conditional) {
  if (s.operands[0].is_scalar(ElementType::boolean)) return Type();
  return fail(why, fmt::format("the condition is {}, not bool; where it holds for a tensor, reduce it by "
                               "and or or",
                               s.operands[0].text()));
}

TYPE_RULE(branch_enum) {
  const Type& value = s.operands[0];
  if (!value.is_enumeration()) return fail(why, value.text() + " is not an enum");
  const auto& members = value.declaration().members;
  std::vector<bool> named(members.size());
  for (const std::int64_t at : integers(s, 0)) {
    if (at < 0 || at >= static_cast<std::int64_t>(members.size()))
      return fail(why, "no such case in " + value.text());
    const auto i = static_cast<std::size_t>(at);
    if (named[i]) return fail(why, fmt::format("the case ?{} is named twice", members[i].name));
    named[i] = true;
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    if (!named[i])
      return fail(why, fmt::format("the case ?{} of {} is missing", members[i].name, value.text()));
  return Type();
}

namespace {

/// Whether the operands have the types of what is to be made of them.
bool are_components(const Signature& s, const std::vector<Type>& types, std::string_view what,
                    std::string& why) {
  if (s.operands.size() != types.size()) {
    why = fmt::format("{} values for the {} of {}", s.operands.size(), types.size(), what);
    return false;
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!(s.operands[i] == types[i])) {
      why = fmt::format("component {} of {} is {}, not {}", i, what, types[i].text(), s.operands[i].text());
      return false;
    }
  return true;
}

}  // namespace

TYPE_RULE(literal) {
  if (std::holds_alternative<std::monostate>(s.attributes[0])) {
    if (!std::holds_alternative<std::monostate>(s.attributes[1])) return fail(why, "a case without an enum");
    std::vector<Type> elements(s.operands.begin(), s.operands.end());
    return Type::tuple(std::move(elements));
  }
  const Type& type = std::get<Type>(s.attributes[0]);
  if (type.kind() == Type::Kind::array || type.is_structure()) {
    if (!are_components(s, type.components(), type.text(), why)) return std::nullopt;
    return type;
  }
  const auto* at = std::get_if<Integers>(&s.attributes[1]);
  if (!type.is_enumeration() || at == nullptr || at->size() != 1)
    return fail(why, type.text() + " is not made of values");
  const auto& members = type.declaration().members;
  if ((*at)[0] < 0 || (*at)[0] >= static_cast<std::int64_t>(members.size()))
    return fail(why, "no such case in " + type.text());
  const auto& member = members[static_cast<std::size_t>((*at)[0])];
  if (!are_components(s, member.types, fmt::format("?{} of {}", member.name, type.text()), why))
    return std::nullopt;
  return type;
}

namespace {

/// The type of the only component that the path names.
std::optional<Type> component_at(const Type& aggregate, const Integers& path, std::string& why) {
  if (!aggregate.is_aggregate()) return fail(why, aggregate.text() + " is not a tuple, struct or array");
  if (path.size() != 1 || path[0] < 0) return fail(why, "takes one position");
  auto component = component_type(aggregate, path[0]);
  if (!component) why = "no such element in " + aggregate.text();
  return component;
}

}  // namespace

TYPE_RULE(extract) { return component_at(s.operands[0], integers(s, 0), why); }

TYPE_RULE(insert) {
  const auto component = component_at(s.operands[1], integers(s, 0), why);
  if (!component || !same(*component, s.operands[0], why)) return std::nullopt;
  return s.operands[1];
}

TYPE_RULE(apply) {
  const Function* callee = std::get<const Function*>(s.attributes[0]);
  const Type& type = callee->type();
  if (type.parameters().size() != s.operands.size())
    return fail(why, fmt::format("@{} takes {} arguments, not {}", callee->name(), type.parameters().size(),
                                 s.operands.size()));
  Extent::Substitution substitution;
  for (std::size_t i = 0; i < s.operands.size(); ++i)
    if (!unify(type.parameters()[i], s.operands[i], substitution))
      return fail(why,
                  fmt::format("argument {} of @{} is {}, not {}", i, callee->name(),
                              type.parameters()[i].substitute(substitution).text(), s.operands[i].text()));
  return type.result().substitute(substitution);
}

TYPE_RULE(elementwise) {
  if (!all_tensors(s, why)) return std::nullopt;
  const ElementType element = s.operands[0].element();
  if (!accepted(d, element, why)) return std::nullopt;
  const Type* whole = &s.operands[0];
  bool stretches = false;  // mostly there is one shape, and scalars: then no shape is copied
  for (const Type& operand : s.operands.subspan(1)) {
    if (operand.element() != element)
      return fail(why, fmt::format("operands of types {} and {}", s.operands[0].text(), operand.text()));
    if (whole->is_scalar())
      whole = &operand;
    else
      stretches = stretches || (!operand.is_scalar() && operand.shape() != whole->shape());
  }
  const ElementType result = d.is(Trait::comparison) ? ElementType::boolean : element;
  if (!stretches) return result == element ? *whole : whole->with_element(result);
  Shape shape = s.operands[0].shape();
  for (const Type& operand : s.operands.subspan(1)) {
    auto joined = broadcast_shapes(shape, operand.shape(), why);
    if (!joined) return std::nullopt;
    shape = std::move(*joined);
  }
  return Type::tensor(result, std::move(shape));
}

TYPE_RULE(select) {
  if (!all_tensors(s, why)) return std::nullopt;
  if (s.operands[2].element() != ElementType::boolean)
    return fail(why, "the condition is " + s.operands[2].text());
  if (s.operands[0].element() != s.operands[1].element())
    return fail(why, fmt::format("sides of types {} and {}", s.operands[0].text(), s.operands[1].text()));
  auto shape = broadcast_shapes(s.operands[0].shape(), s.operands[1].shape(), why);
  if (shape) shape = broadcast_shapes(*shape, s.operands[2].shape(), why);
  if (!shape) return std::nullopt;
  return Type::tensor(s.operands[0].element(), std::move(*shape));
}

TYPE_RULE(cast) {
  if (!all_tensors(s, why)) return std::nullopt;
  return s.operands[0].with_element(std::get<ElementType>(s.attributes[0]));
}

TYPE_RULE(bit_cast) {
  if (!all_tensors(s, why)) return std::nullopt;
  const ElementType from = s.operands[0].element(), to = std::get<ElementType>(s.attributes[0]);
  if (is_boolean(from) || is_boolean(to)) return fail(why, "a bool has one bit");
  if (info(from).bytes != info(to).bytes)
    return fail(why, fmt::format("elements of {} have {} bytes, those of {} {}", info(from).name,
                                 info(from).bytes, info(to).name, info(to).bytes));
  return s.operands[0].with_element(to);
}

TYPE_RULE(pad_shape) {
  if (!all_tensors(s, why) || !one_axis(integers(s, 0), s.operands[0].rank() + 1, why)) return std::nullopt;
  Shape shape = s.operands[0].shape();
  shape.insert(shape.begin() + integers(s, 0)[0], Extent(1));
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(squeeze_shape) {
  if (!all_tensors(s, why) || !one_axis(integers(s, 0), s.operands[0].rank(), why)) return std::nullopt;
  Shape shape = s.operands[0].shape();
  const auto at = shape.begin() + integers(s, 0)[0];
  if (!at->is(1)) return fail(why, fmt::format("the axis has extent {}, not 1", at->text()));
  shape.erase(at);
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(shape_cast) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Shape& to = extents(s, 0);
  const Extent before = unit_count(s.operands[0].shape()), after = unit_count(to);
  // Where the dimensions leave it open, the function's requirements (or the interpreter) settle it.
  if (provably_equal(before, after) == Proof::no)
    return fail(why, fmt::format("[{}] has {} elements, [{}] has {}", text(s.operands[0].shape()),
                                 before.text(), text(to), after.text()));
  return s.operands[0].with_shape(to);
}

TYPE_RULE(transpose) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Shape& from = s.operands[0].shape();
  if (std::holds_alternative<std::monostate>(s.attributes[0]))
    return s.operands[0].with_shape(Shape(from.rbegin(), from.rend()));
  const Integers& permutation = integers(s, 0);
  if (permutation.size() != from.size()) return fail(why, "the permutation is not of the tensor's rank");
  if (!axes_of(permutation, from.size(), why)) return std::nullopt;
  Shape shape;
  for (const auto axis : permutation) shape.push_back(from[static_cast<std::size_t>(axis)]);
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(reverse) {
  if (!all_tensors(s, why) || !axes_of(integers(s, 0), s.operands[0].rank(), why)) return std::nullopt;
  return s.operands[0];
}

TYPE_RULE(slice) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Shape& whole = s.operands[0].shape();
  const Shape &from = extents(s, 0), &upto = extents(s, 1);
  const bool stepped = std::holds_alternative<Integers>(s.attributes[2]);
  if (from.size() != whole.size() || upto.size() != whole.size() ||
      (stepped && integers(s, 2).size() != whole.size()))
    return fail(why, "a bound for each axis");
  Shape shape;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::int64_t step = stepped ? integers(s, 2)[i] : 1;
    if (step < 1) return fail(why, "a step is at least 1");
    if (provably_at_most(0, from[i]) == Proof::no || provably_at_most(from[i], upto[i]) == Proof::no ||
        provably_at_most(upto[i], whole[i]) == Proof::no)
      return fail(why, fmt::format("{} upto {} is outside the extent {} of axis {}", from[i].text(),
                                   upto[i].text(), whole[i].text(), i));
    shape.push_back(Extent::floor_divide(upto[i] - from[i] + Extent(step - 1), step));
  }
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(concatenate) {
  if (!all_tensors(s, why)) return std::nullopt;
  if (s.operands.empty()) return fail(why, "nothing to concatenate");
  Shape shape = s.operands[0].shape();
  if (!one_axis(integers(s, 0), shape.size(), why)) return std::nullopt;
  const auto axis = static_cast<std::size_t>(integers(s, 0)[0]);
  for (const Type& operand : s.operands.subspan(1)) {
    Shape expected = operand.shape();
    if (expected.size() == shape.size()) expected[axis] = shape[axis];
    if (expected != shape || operand.element() != s.operands[0].element())
      return fail(why, fmt::format("{} and {} along axis {}", s.operands[0].text(), operand.text(), axis));
    shape[axis] = shape[axis] + operand.shape()[axis];
  }
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(pad) {
  if (!all_tensors(s, why)) return std::nullopt;
  const auto& amounts = std::get<ExtentPairs>(s.attributes[0]);
  Shape shape = s.operands[0].shape();
  if (amounts.size() != shape.size()) return fail(why, "a pair of amounts for each axis");
  if (!same(s.operands[1], Type::scalar(s.operands[0].element()), why)) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (provably_at_most(0, amounts[i].first) == Proof::no ||
        provably_at_most(0, amounts[i].second) == Proof::no)
      return fail(why, "an amount is at least 0");
    shape[i] = amounts[i].first + shape[i] + amounts[i].second;
  }
  return s.operands[0].with_shape(std::move(shape));
}

TYPE_RULE(broadcast) {
  if (!all_tensors(s, why)) return std::nullopt;
  const auto joined = broadcast_shapes(s.operands[0].shape(), extents(s, 0), why);
  if (!joined) return std::nullopt;
  if (*joined != extents(s, 0))
    return fail(
        why, fmt::format("[{}] does not stretch to [{}]", text(s.operands[0].shape()), text(extents(s, 0))));
  return s.operands[0].with_shape(extents(s, 0));
}

TYPE_RULE(gather) {
  if (!all_tensors(s, why)) return std::nullopt;
  const auto indices = s.operands.subspan(1);
  if (!indexes(s.operands[0], indices, integers(s, 0), why)) return std::nullopt;
  return s.operands[0].with_shape(replaced(s.operands[0].shape(), integers(s, 0), indices[0].shape()));
}

TYPE_RULE(scatter) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type &updates = s.operands[0], &input = s.operands[1];
  const auto indices = s.operands.subspan(2);
  const Integers& axes = integers(s, 1);
  if (!indexes(input, indices, axes, why)) return std::nullopt;
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why)) return std::nullopt;
  if (!same(updates, input.with_shape(replaced(input.shape(), axes, indices[0].shape())), why))
    return std::nullopt;
  return input;
}

TYPE_RULE(iota) {
  const ElementType element = std::get<ElementType>(s.attributes[2]);
  if (!accepted(d, element, why) || !one_axis(integers(s, 1), extents(s, 0).size(), why)) return std::nullopt;
  return Type::tensor(element, extents(s, 0));
}

TYPE_RULE(extent) {
  const ElementType element = std::get<ElementType>(s.attributes[1]);
  if (!accepted(d, element, why)) return std::nullopt;
  if (extents(s, 0).size() != 1) return fail(why, "takes one extent");
  return Type::scalar(element);
}

TYPE_RULE(check_index) {
  if (!all_tensors(s, why) || !accepted(d, s.operands[0].element(), why)) return std::nullopt;
  if (extents(s, 0).size() != 1 || extents(s, 1).size() != 1)
    return fail(why, "takes one bound on each side");
  return s.operands[0];
}

TYPE_RULE(reduce) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  const Integers& axes = integers(s, 1);
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why)) return std::nullopt;
  if (!same(s.operands[1], Type::scalar(input.element()), why) || !axes_of(axes, input.rank(), why))
    return std::nullopt;
  Shape shape;
  for (std::size_t i = 0; i < input.rank(); ++i)
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) == axes.end())
      shape.push_back(input.shape()[i]);
  return input.with_shape(std::move(shape));
}

TYPE_RULE(reduce_window) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why) ||
      !same(s.operands[1], Type::scalar(input.element()), why))
    return std::nullopt;
  if (integers(s, 1).size() != input.rank()) return fail(why, "a window has an extent for each axis");
  const auto axes = reduce_window_axes(input, s.attributes, why);
  if (!axes) return std::nullopt;
  Shape shape;
  for (const WindowAxis& axis : *axes) shape.push_back(axis.result());
  return input.with_shape(std::move(shape));
}

TYPE_RULE(scan) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!combines(std::get<Combinator>(s.attributes[0]), input.element(), why) ||
      !one_axis(integers(s, 1), input.rank(), why))
    return std::nullopt;
  return input;
}

TYPE_RULE(recurrence) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& factors = s.operands[0];
  if (!accepted(d, factors.element(), why) || !same(factors, s.operands[1], why) ||
      !one_axis(integers(s, 0), factors.rank(), why))
    return std::nullopt;
  return factors;
}

TYPE_RULE(argsort) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!accepted(d, input.element(), why) || !one_axis(integers(s, 1), input.rank(), why)) return std::nullopt;
  const auto* comparison = std::get_if<Combinator>(&s.attributes[0]);
  if (comparison != nullptr && !comparison->is(Opcode::lessThan) && !comparison->is(Opcode::greaterThan))
    return fail(why, "elements are compared by lessThan or by greaterThan");
  return input.with_element(ElementType::i32);
}

TYPE_RULE(sort) {
  const auto positions = argsort(d, s, why);
  if (!positions) return std::nullopt;
  return s.operands[0];
}

TYPE_RULE(topk) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!accepted(d, input.element(), why) || !one_axis(integers(s, 1), input.rank(), why)) return std::nullopt;
  if (extents(s, 0).size() != 1) return fail(why, "takes one count");
  const Extent& count = extents(s, 0)[0];
  Shape shape = input.shape();
  Extent& extent = shape[static_cast<std::size_t>(integers(s, 1)[0])];
  if (provably_at_most(0, count) == Proof::no || provably_at_most(count, extent) == Proof::no)
    return fail(why, fmt::format("{} of the {} elements of the axis", count.text(), extent.text()));
  extent = count;
  return Type::tuple({input.with_shape(shape), Type::tensor(ElementType::i32, shape)});
}

TYPE_RULE(arg_extremum) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type& input = s.operands[0];
  if (!accepted(d, input.element(), why) || !one_axis(integers(s, 0), input.rank(), why)) return std::nullopt;
  Shape shape = input.shape();
  shape.erase(shape.begin() + integers(s, 0)[0]);
  return Type::tensor(ElementType::i32, std::move(shape));
}

TYPE_RULE(dot) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type &left = s.operands[0], &right = s.operands[1];
  if (!accepted(d, left.element(), why)) return std::nullopt;
  if (left.element() != right.element())
    return fail(why, fmt::format("operands of types {} and {}", left.text(), right.text()));
  const DotAxes axes = dot_axes(left, right, s.attributes);
  Integers used[2];
  for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
    for (const auto& [l, r] : *pairs) {
      used[0].push_back(l);
      used[1].push_back(r);
    }
  if (!axes_of(used[0], left.rank(), why) || !axes_of(used[1], right.rank(), why)) return std::nullopt;
  for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
    for (const auto& [l, r] : *pairs) {
      const Extent &a = left.shape()[static_cast<std::size_t>(l)],
                   &b = right.shape()[static_cast<std::size_t>(r)];
      if (a != b)
        return fail(why,
                    fmt::format("{} and {}: {} against {}", left.text(), right.text(), a.text(), b.text()));
    }
  Shape shape;
  for (const auto& [l, r] : axes.batch) shape.push_back(left.shape()[static_cast<std::size_t>(l)]);
  for (const auto axis : axes.left_free) shape.push_back(left.shape()[static_cast<std::size_t>(axis)]);
  for (const auto axis : axes.right_free) shape.push_back(right.shape()[static_cast<std::size_t>(axis)]);
  return left.with_shape(std::move(shape));
}

TYPE_RULE(convolve) {
  if (!all_tensors(s, why)) return std::nullopt;
  const Type &input = s.operands[0], &kernel = s.operands[1];
  if (!accepted(d, input.element(), why)) return std::nullopt;
  if (input.element() != kernel.element() || input.rank() != kernel.rank())
    return fail(why, fmt::format("operands of types {} and {}", input.text(), kernel.text()));
  if (input.rank() < 3 || input.rank() > 5)
    return fail(why, "takes a batch, channels and 1 to 3 spatial axes, not " + input.text());
  const auto* listed = std::get_if<Integers>(&s.attributes[4]);
  if (listed != nullptr && (listed->size() != 1 || listed->front() < 1))
    return fail(why, "the number of groups is one integer of at least 1");
  const Extent groups = listed != nullptr ? listed->front() : 1;
  const Extent &channels = input.shape()[1], &filters = kernel.shape()[0];
  if (channels != groups * kernel.shape()[1])
    return fail(why, fmt::format("{} channels in {} groups against a kernel of {} channels", channels.text(),
                                 groups.text(), kernel.shape()[1].text()));
  if (!Extent::exact_divide(filters, groups))
    return fail(why, fmt::format("{} groups do not divide {} filters", groups.text(), filters.text()));
  const auto axes = convolve_axes(input, kernel, s.attributes, why);
  if (!axes) return std::nullopt;
  Shape shape{input.shape()[0], filters};
  for (const WindowAxis& axis : *axes) shape.push_back(axis.result());
  return input.with_shape(std::move(shape));
}

TYPE_RULE(random) {
  const Type& low = s.operands[0];
  if (!all_tensors(s, why)) return std::nullopt;
  if (!low.is_scalar()) return fail(why, "bounds are scalars, not " + low.text());
  if (!accepted(d, low.element(), why) || !same(low, s.operands[1], why)) return std::nullopt;
  for (const Type& word : s.operands.subspan(2))
    if (!same(word, Type::scalar(ElementType::u64), why)) return std::nullopt;
  return low.with_shape(extents(s, 0));
}

TYPE_RULE(rank) {
  if (!all_tensors(s, why)) return std::nullopt;
  return Type::scalar(ElementType::i64);
}

TYPE_RULE(shape) {
  if (!all_tensors(s, why)) return std::nullopt;
  return Type::tensor(ElementType::i64, {Extent(static_cast<std::int64_t>(s.operands[0].rank()))});
}

TYPE_RULE(unit_count) { return rank(d, s, why); }

}  // namespace type_rules

DotAxes dot_axes(const Type& left, const Type& right, std::span<const Attribute> attributes) {
  DotAxes axes;
  if (const auto* contract = std::get_if<AxisPairs>(&attributes[0]))
    axes.contract = *contract;
  else if (left.rank() > 0 && right.rank() > 0)
    axes.contract = {{static_cast<std::int64_t>(left.rank()) - 1, 0}};
  if (const auto* batch = std::get_if<AxisPairs>(&attributes[1])) axes.batch = *batch;
  const auto is_free = [&](std::int64_t axis, bool of_left) {
    for (const AxisPairs* pairs : {&axes.contract, &axes.batch})
      for (const auto& [l, r] : *pairs)
        if ((of_left ? l : r) == axis) return false;
    return true;
  };
  for (std::size_t i = 0; i < left.rank(); ++i)
    if (is_free(static_cast<std::int64_t>(i), true)) axes.left_free.push_back(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < right.rank(); ++i)
    if (is_free(static_cast<std::int64_t>(i), false)) axes.right_free.push_back(static_cast<std::int64_t>(i));
  return axes;
}

}  // namespace dlvm
