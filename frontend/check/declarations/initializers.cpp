// Random numbers: initial values of parameters, and with a shape of their own those of each call. All that
// one declaration draws come from one stream: its key comes from the seed and the name, each draw has a
// counter of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/diagnostics/index_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Opcode;

/// Instructions on values of one element type.
class Formula {
 public:
  Formula(BodyContext& context, ElementType element, Location location)
      : context_(context), element_(element), location_(location) {}

  Node* number(Number value) { return make_constant(context_, std::move(value), element_, location_); }
  Node* literal(const char* text) { return number(Number::parse(text).value_or(0)); }
  Node* apply(Opcode opcode, std::vector<Node*> operands, std::vector<dlvm::Attribute> attributes = {}) {
    return make_operation(context_, opcode, std::move(operands), std::move(attributes), location_);
  }
  Node* add(Node* a, Node* b) { return apply(Opcode::add, {a, b}); }
  Node* multiply(Node* a, Node* b) { return apply(Opcode::multiply, {a, b}); }

  /// Uniform in [low, high).
  Node* uniform(const Shape& shape, Node* low, Node* high) {
    Node key;
    key.kind = Node::Kind::key;
    key.type.element = ElementType::u64;
    key.location = location_;
    key.draws = Draws::always;
    Node* counter = make_constant(context_, Number(context_.next_counter++), ElementType::u64, location_);
    return apply(Opcode::random, {low, high, add_node(context_, std::move(key)), counter}, {shape});
  }

  /// Normally distributed with mean 0 and deviation 1, from two uniform numbers (Box, Muller: A note on the
  /// generation of random normal deviates, 1958): sqrt(-2 log(1 - u)) cos(2 pi v).
  Node* standard_normal(const Shape& shape) {
    Node* u = uniform(shape, number(0), number(1));
    Node* v = uniform(shape, number(0), number(1));
    Node* log = apply(Opcode::log, {apply(Opcode::subtract, {number(1), u})});
    Node* radius = apply(Opcode::sqrt, {multiply(number(-2), log)});
    Node* angle = multiply(literal("6.28318530717958647692528676655900577"), v);
    return multiply(radius, apply(Opcode::cos, {angle}));
  }

 private:
  BodyContext& context_;
  ElementType element_;
  Location location_;
};

/// Returns the shape behind `to:`, if the call has one.
const Shape* written_shape(const BuiltinCall& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.builtin.parameters[i].kind == ParameterKind::shape && call.arguments[i].given)
      return &call.arguments[i].shape;
  return nullptr;
}

void report_without_shape(BodyContext& context, const BuiltinCall& call) {
  const std::string draw = quoted(call.location, fmt::format("{}(...)", call.builtin.name));
  const bool takes_shape = std::ranges::any_of(
      call.builtin.parameters, [](const auto& each) { return each.kind == ParameterKind::shape; });
  auto& report = context.diagnostics.report(takes_shape ? draw_without_shape : initializer_only,
                                            call.location, call.builtin.name);
  const Declaration* d = context.declaration;
  const bool is_value = d != nullptr && d->syntax->value && d->syntax->value->location == call.location;
  const std::string shape =
      is_value && d->syntax->type.shape ? quoted(d->syntax->type.location, "[...]") : "";
  if (takes_shape)
    report.fix(fmt::format("numbers that differ from call to call: {}, to: {})",
                           draw.substr(0, draw.size() - 1), shape.starts_with('[') ? shape : "[...]"));
  if (shape.empty())
    report.fix(
        fmt::format("what is drawn once is a param with a shape of its own, NAME: param[SHAPE] = {}", draw));
  else
    report.fix(fmt::format("what is drawn once is a param: {}: param{}{} = {}", d->name,
                           shape.starts_with('[') ? "" : " ", shape, draw));
}

/// Returns the type of the numbers: that of what is initialized, or that of the call's own shape. Reports a
/// call that has neither.
std::optional<Type> target(BodyContext& context, const BuiltinCall& call) {
  const Shape* shape = written_shape(call);
  if (context.initializer) {
    Type type = *context.initializer;
    if (shape != nullptr) type.shape = *shape;
    return type;
  }
  if (shape == nullptr) {
    report_without_shape(context, call);
    return std::nullopt;
  }
  if (context.constant) {
    context.diagnostics.report(draw_in_constant, call.location);
    return std::nullopt;
  }
  if (context.equation != nullptr) {
    context.diagnostics.report(draw_of_element, call.location, call.builtin.name)
        .fix("draw a tensor before, normal(0, 1, to: [...]), and use its elements");
    return std::nullopt;
  }
  if (context.instance != nullptr) context.instance->draws = Draws::always;
  const ElementType own = own_element(context);
  Type type{dlvm::is_floating(own) ? own : ElementType::f32, *shape};
  for (const BuiltinArgument& argument : call.arguments)
    if (argument.value != nullptr && resolved(context, argument.value->type.element).known())
      type.element = resolved(context, argument.value->type.element);
  return type;
}

/// The value of an argument that is a number; nothing where it is computed.
const Number* number_of(const Node* x) {
  return x->is_constant() && x->values.size() == 1 ? x->values.data() : nullptr;
}

/// 16-bit floats are drawn as float32 and rounded.
ElementType drawn(const Type& type) {
  return type.element.type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

bool scalar_bounds(BodyContext& context, const BuiltinCall& call, const Type& type) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    Node* value = call.value(i);
    if (value == nullptr) continue;
    if (!value->type.is_scalar()) {
      context.diagnostics.report(scalar_wanted, value->location, call.builtin.parameters[i].name,
                                 spelling(type_of(context, value)));
      return false;
    }
    if (!unify_elements(context, value->type.element, type.element)) {
      context.diagnostics.report(element_types_differ, value->location, call.builtin.name, spelling(type),
                                 spelling(type_of(context, value)));
      return false;
    }
  }
  return true;
}

/// Fan in and fan out: those of the call, or else the last two axes; a vector's extent both ways. A dimension
/// of a net's own check, which stands for itself, counts as 1.
std::pair<std::int64_t, std::int64_t> fans(const Shape& shape, const BuiltinCall* call = nullptr) {
  const auto extent = [&](std::size_t argument, std::size_t from_end) {
    if (call != nullptr && argument < call->arguments.size() && call->arguments[argument].given)
      return call->arguments[argument].extent.constant().value_or(1);
    return shape.size() < from_end ? 1 : shape[shape.size() - from_end].constant().value_or(1);
  };
  return {extent(0, shape.size() >= 2 ? 2 : 1), extent(1, 1)};
}

/// The standard numbers `x`, of the type in which is drawn, times the deviation, plus the mean.
Node* scaled(BodyContext& context, const Type& type, Formula& f, Node* x, Node* mean, Node* deviation,
             Location location) {
  mean = make_conversion(context, mean, drawn(type), location);
  deviation = make_conversion(context, deviation, drawn(type), location);
  if (mean == nullptr || deviation == nullptr) return nullptr;
  return make_conversion(context, f.add(f.multiply(x, deviation), mean), type.element.type, location);
}

/// Whether the arguments are scalars, a mean and a deviation.
bool has_moments(BodyContext& context, const BuiltinCall& call, const Type& type) {
  if (!scalar_bounds(context, call, type)) return false;
  const Number* deviation = number_of(call.value(1));
  if (deviation == nullptr || !deviation->is_negative()) return true;
  context.diagnostics
      .report(initializer_range, call.location, call.builtin.name,
              fmt::format("the standard deviation is {}, which is negative", deviation->text()))
      .fix(fmt::format("write the mean first, then the deviation: {}({}, {})", call.builtin.name,
                       quoted(call.value(0)->place(), "0"), (-*deviation).text()));
  return false;
}

/// Uniform in +-sqrt(scale / fan), where `fan` combines fan in and fan out.
template <typename Fan>
Node* uniform_within(BodyContext& context, const BuiltinCall& call, std::int64_t scale, Fan fan) {
  const auto type = target(context, call);
  if (!type) return nullptr;
  const auto [in, out] = fans(type->shape, &call);
  Formula f(context, type->element.type, call.location);
  Node* limit = f.apply(Opcode::sqrt, {f.number((Number(scale) / fan(in, out)).value_or(1))});
  return f.uniform(type->shape, f.apply(Opcode::negate, {limit}), limit);
}

/// Normal with mean 0 and deviation sqrt(scale / fan).
template <typename Fan>
Node* normal_with(BodyContext& context, const BuiltinCall& call, std::int64_t scale, Fan fan) {
  const auto type = target(context, call);
  if (!type) return nullptr;
  const auto [in, out] = fans(type->shape, &call);
  Formula f(context, drawn(*type), call.location);
  Node* deviation = f.apply(Opcode::sqrt, {f.number((Number(scale) / fan(in, out)).value_or(1))});
  return scaled(context, *type, f, f.standard_normal(type->shape), f.number(0), deviation, call.location);
}

}  // namespace

namespace make {

Node* uniform(BodyContext& context, const BuiltinCall& call) {
  const auto type = target(context, call);
  if (!type || !scalar_bounds(context, call, *type)) return nullptr;
  const Number *low = number_of(call.value(0)), *high = number_of(call.value(1));
  if (low != nullptr && high != nullptr && *low > *high) {
    context.diagnostics
        .report(initializer_range, call.location, call.builtin.name,
                fmt::format("the range from {} to {} is empty", low->text(), high->text()))
        .fix(fmt::format("write the lower bound first: random({}, {})", high->text(), low->text()));
    return nullptr;
  }
  return Formula(context, type->element.type, call.location)
      .uniform(type->shape, call.value(0), call.value(1));
}

Node* normal(BodyContext& context, const BuiltinCall& call) {
  const auto type = target(context, call);
  if (!type || !has_moments(context, call, *type)) return nullptr;
  Formula f(context, drawn(*type), call.location);
  return scaled(context, *type, f, f.standard_normal(type->shape), call.value(0), call.value(1),
                call.location);
}

// By inversion: Newton's iteration for the x with cdf(x) = u, which from 0 comes to the root from one side,
// since the cdf is convex below 0 and concave above.
Node* truncated_normal(BodyContext& context, const BuiltinCall& call) {
  const auto type = target(context, call);
  if (!type || !has_moments(context, call, *type)) return nullptr;
  Formula f(context, drawn(*type), call.location);
  const char *below = "0.022750131948179207200282637166533437",  // the cdf at -2 and at 2
      *above = "0.977249868051820792799717362833466563";
  Node* u = f.uniform(type->shape, f.literal(below), f.literal(above));
  Node* x = f.multiply(f.number(0), u);
  constexpr int steps = 9;
  for (int i = 0; i < steps; ++i) {
    Node* error = f.apply(Opcode::subtract, {f.apply(Opcode::normalCdf, {x}), u});
    Node* exponent = f.apply(Opcode::negate, {f.multiply(f.literal("0.5"), f.multiply(x, x))});
    Node* density =
        f.multiply(f.literal("0.398942280401432677939946059934381868"), f.apply(Opcode::exp, {exponent}));
    x = f.apply(Opcode::subtract, {x, f.apply(Opcode::divide, {error, density})});
  }
  return scaled(context, *type, f, x, call.value(0), call.value(1), call.location);
}

Node* glorot(BodyContext& context, const BuiltinCall& call) {
  return uniform_within(context, call, 6, [](auto in, auto out) { return *(Number(in) + Number(out)); });
}

Node* glorot_normal(BodyContext& context, const BuiltinCall& call) {
  return normal_with(context, call, 2, [](auto in, auto out) { return *(Number(in) + Number(out)); });
}

Node* he(BodyContext& context, const BuiltinCall& call) {
  return normal_with(context, call, 2, [](auto in, auto) { return Number(in); });
}

Node* he_uniform(BodyContext& context, const BuiltinCall& call) {
  return uniform_within(context, call, 6, [](auto in, auto) { return Number(in); });
}

Node* lecun(BodyContext& context, const BuiltinCall& call) {
  return normal_with(context, call, 1, [](auto in, auto) { return Number(in); });
}

Node* lecun_uniform(BodyContext& context, const BuiltinCall& call) {
  return uniform_within(context, call, 3, [](auto in, auto) { return Number(in); });
}

// The orthogonal factor of the polar decomposition of a Gaussian matrix, which is uniformly distributed, by
// Newton-Schulz iterations: with X scaled to norm 1, first the quintic of Jordan et al. (Muon, 2024), which
// brings singular values from 1e-6 into [0.68, 1.14] in twelve steps, then X (3 - X^T X) / 2, which converges
// quadratically to singular values of 1. The last two axes are the matrix, those before are a batch.
Node* orthogonal(BodyContext& context, const BuiltinCall& call) {
  const auto type = target(context, call);
  if (!type) return nullptr;
  const auto rank = static_cast<std::int64_t>(type->rank());
  if (rank < 2) {
    context.diagnostics.report(orthogonal_rank, call.location, spelling(*type));
    return nullptr;
  }
  Formula f(context, drawn(*type), call.location);
  const auto [rows, columns] = fans(type->shape);
  const bool tall = rows > columns;
  Node* x = f.standard_normal(type->shape);
  if (tall) x = swap_last_axes(context, x, call.location);
  if (x == nullptr) return nullptr;
  dlvm::AxisPairs batch;
  for (std::int64_t i = 0; i < rank - 2; ++i) batch.emplace_back(i, i);
  const auto product = [&](Node* a, Node* b, bool transposed) {
    return f.apply(Opcode::dot, {a, b},
                   {dlvm::AxisPairs{{rank - 1, transposed ? rank - 1 : rank - 2}},
                    batch.empty() ? dlvm::Attribute() : dlvm::Attribute(batch)});
  };

  Node* zero = f.number(0);
  Node* squares = f.apply(Opcode::reduce, {f.apply(Opcode::square, {x}), zero},
                          {dlvm::Combinator{Opcode::add, nullptr}, dlvm::Integers{rank - 2, rank - 1}});
  Shape scalar = x->type.shape;
  scalar[static_cast<std::size_t>(rank) - 1] = scalar[static_cast<std::size_t>(rank) - 2] = Extent(1);
  x = f.multiply(x, make_reshape(context, f.apply(Opcode::rsqrt, {squares}), scalar, call.location));
  constexpr int expanding = 12;
  const int converging = drawn(*type) == ElementType::f64 ? 8 : 7;
  for (int i = 0; i < expanding; ++i) {
    Node* gram = product(x, x, true);
    Node* quartic = f.apply(Opcode::subtract, {f.multiply(f.literal("2.0315"), product(gram, gram, false)),
                                               f.multiply(f.literal("4.7750"), gram)});
    x = f.add(f.multiply(f.literal("3.4445"), x), product(quartic, x, false));
  }
  for (int i = 0; i < converging; ++i) {
    Node* cubic = product(product(x, x, true), x, false);
    x = f.apply(Opcode::subtract, {f.multiply(f.literal("1.5"), x), f.multiply(f.literal("0.5"), cubic)});
  }
  if (tall) x = swap_last_axes(context, x, call.location);
  return make_conversion(context, x, type->element.type, call.location);
}

}  // namespace make
}  // namespace frontend::check
