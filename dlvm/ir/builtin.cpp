#include "dlvm/ir/builtin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "dlvm/ir/identity.h"

namespace dlvm {
namespace {

Value* identity(Builder& b, Opcode combinator, ElementType element) {
  return b.function().literal(Type::scalar(element), identity_of(combinator, element));
}

/// The axes over which a tensor of `shape` is reduced to one of `result`; nothing if there are none such.
std::optional<Integers> reduced_axes(const Shape& shape, const Shape& result) {
  Integers axes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool is_reduced = result.empty() || (result.size() == shape.size() && result[d].is(1));
    if (is_reduced) axes.push_back(static_cast<std::int64_t>(d));
    if (!is_reduced && (result.size() != shape.size() || result[d] != shape[d])) return std::nullopt;
  }
  return axes;
}

Value* extremum(Builder& b, Opcode opcode, Value* x, const Shape& result, Integers axes) {
  Value* reduced = b.reduce(x, {opcode, nullptr}, identity(b, opcode, x->type().element()), std::move(axes));
  return b.shape_cast(reduced, result);
}

Value* mean(Builder& b, Value* x, const Shape& result, const Integers& axes) {
  Extent count = 1;
  for (const auto axis : axes) count = count * x->type().shape()[static_cast<std::size_t>(axis)];
  Value* sum = b.shape_cast(b.sum(x, axes), result);
  return b.divide(sum, b.extent(count, x->type().element()));
}

/// The shift by the largest element keeps exp from overflowing and changes nothing, so it has no derivative.
Value* softmax(Builder& b, Value* x) {
  const std::size_t last = x->type().rank() - 1;
  Shape kept = x->type().shape();
  kept[last] = 1;
  const Integers axes{static_cast<std::int64_t>(last)};
  Value* shift = b.unary(Opcode::detach, extremum(b, Opcode::max, x, kept, axes));
  Value* zero = b.constant(x->type().element(), 0);
  Value* finite = b.select(shift, zero, b.unary(Opcode::isFinite, shift));
  Value* e = b.unary(Opcode::exp, b.subtract(x, finite));
  return b.divide(e, b.shape_cast(b.sum(e, axes), kept));
}

Value* elementwise(Builder& b, Opcode opcode, Value* x, Value* y, std::string& why) {
  const std::vector<Type> types{x->type(), y->type()};
  return infer_type(opcode, {types, {}}, why) ? b.binary(opcode, x, y) : nullptr;
}

}  // namespace

Value* build_builtin(Builder& b, std::string_view name, std::span<Value* const> operands, const Type& type,
                     std::string& why) {
  const auto fail = [&](std::string reason) {
    why = std::move(reason);
    return nullptr;
  };
  const bool is_min = name == "min", is_max = name == "max", is_mean = name == "mean";
  if (std::ranges::find(builtin_names, name) == std::end(builtin_names))
    return fail(fmt::format("there is no such function; those are {}", fmt::join(builtin_names, ", ")));
  const Opcode opcode = is_min ? Opcode::min : Opcode::max;
  for (const Value* operand : operands)
    if (!operand->type().is_tensor() || is_boolean(operand->type().element()))
      return fail("operand of type " + operand->type().text() + " is no tensor of numbers");
  if (operands.size() == 2 && (is_min || is_max))
    return elementwise(b, opcode, operands[0], operands[1], why);
  if (operands.size() != 1) return fail("takes one operand");
  Value* x = operands[0];
  const bool is_real = is_floating(x->type().element());
  if (!is_min && !is_max && !is_real) return fail("takes floating-point elements");
  if (name == "softmax") return x->type().rank() > 0 ? softmax(b, x) : fail("takes a tensor with an axis");
  const auto axes = type.is_tensor() ? reduced_axes(x->type().shape(), type.shape()) : std::nullopt;
  if (!axes) return fail(x->type().text() + " does not reduce to " + type.text());
  return is_mean ? mean(b, x, type.shape(), *axes) : extremum(b, opcode, x, type.shape(), *axes);
}

}  // namespace dlvm
