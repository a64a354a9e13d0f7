#include "frontend/check/calls/builtins.h"
#include "frontend/check/expressions/operators.h"

#include <algorithm>

namespace frontend::check {
namespace {

using enum ParameterKind;
using dlvm::Opcode;

constexpr BuiltinParameter x[]{{"x"}};
constexpr BuiltinParameter a_b[]{{"a"}, {"b"}};
constexpr BuiltinParameter reduced[]{{"x"}, {"along", axes, false}, {"keep", flag, false}};
constexpr BuiltinParameter with_bias[]{
    {"x"}, {"along", axes, false}, {"keep", flag, false}, {"unbiased", flag, false}};
constexpr BuiltinParameter along_one[]{{"x"}, {"along", axis, false}};
constexpr BuiltinParameter along_one_kept[]{{"x"}, {"along", axis, false}, {"keep", flag, false}};
constexpr BuiltinParameter along_some[]{{"x"}, {"along", axes, false}};
constexpr BuiltinParameter stacked[]{{"parts", values}, {"along", axis, false}};
constexpr BuiltinParameter hot[]{{"i"}, {"n", extent}};
constexpr BuiltinParameter count[]{{"n", extent}};
constexpr BuiltinParameter to_shape[]{{"x"}, {"to", shape}};
constexpr BuiltinParameter replaced[]{{"x"}, {"rows"}, {"at"}, {"along", axis, false}};
constexpr BuiltinParameter padded[]{{"x"}, {"by", amounts}, {"value", value, false}};
constexpr BuiltinParameter permuted[]{{"x"}, {"by", permutation}};
constexpr BuiltinParameter convolved[]{{"x"},
                                       {"kernel"},
                                       {"stride", extents, false},
                                       {"padding", paddings, false},
                                       {"dilation", extents, false},
                                       {"groups", extents, false}};
constexpr BuiltinParameter spread[]{{"x"},
                                    {"kernel"},
                                    {"stride", extents, false},
                                    {"padding", paddings, false},
                                    {"dilation", extents, false},
                                    {"groups", extents, false},
                                    {"extra", extents, false}};
constexpr BuiltinParameter pooled[]{
    {"x"}, {"window", extents}, {"stride", extents, false}, {"padding", paddings, false}};
constexpr BuiltinParameter averaged[]{{"x"},
                                      {"window", extents},
                                      {"stride", extents, false},
                                      {"padding", paddings, false},
                                      {"count_padding", flag, false}};
constexpr BuiltinParameter dropped[]{{"x"}, {"rate"}};
constexpr BuiltinParameter bounds[]{{"low"}, {"high"}, {"to", shape, false}};
constexpr BuiltinParameter moments[]{{"mean"}, {"std"}, {"to", shape, false}};
constexpr BuiltinParameter both_fans[]{{"fan_in", extent, false}, {"fan_out", extent, false}};
constexpr BuiltinParameter fan_in[]{{"fan_in", extent, false}};
constexpr std::span<const BuiltinParameter> nothing;

constexpr Builtin table[]{
    // Elementwise
    {"abs", x, make::unary, Opcode::abs, "absolute value; derivative 0 at 0"},
    {"sign", x, make::unary, Opcode::sign, "-1, 0 or 1"},
    {"square", x, make::unary, Opcode::square, "x * x"},
    {"sqrt", x, make::unary, Opcode::sqrt, "square root; NaN below 0"},
    {"rsqrt", x, make::unary, Opcode::rsqrt, "1 / sqrt(x)"},
    {"exp", x, make::unary, Opcode::exp, "e to the x"},
    {"expm1", x, make::unary, Opcode::expm1, "exp(x) - 1, accurate near 0"},
    {"log", x, make::unary, Opcode::log, "natural logarithm"},
    {"log1p", x, make::unary, Opcode::log1p, "log(1 + x), accurate near 0"},
    {"sin", x, make::unary, Opcode::sin, "sine"},
    {"cos", x, make::unary, Opcode::cos, "cosine"},
    {"tan", x, make::unary, Opcode::tan, "tangent"},
    {"asin", x, make::unary, Opcode::asin, "inverse sine"},
    {"acos", x, make::unary, Opcode::acos, "inverse cosine"},
    {"atan", x, make::unary, Opcode::atan, "inverse tangent"},
    {"atan2", a_b, make::binary, Opcode::atan2, "the angle of the point with ordinate a and abscissa b"},
    {"sinh", x, make::unary, Opcode::sinh, "hyperbolic sine"},
    {"cosh", x, make::unary, Opcode::cosh, "hyperbolic cosine"},
    {"tanh", x, make::unary, Opcode::tanh, "hyperbolic tangent"},
    {"asinh", x, make::unary, Opcode::asinh, "inverse hyperbolic sine"},
    {"acosh", x, make::unary, Opcode::acosh, "inverse hyperbolic cosine"},
    {"atanh", x, make::unary, Opcode::atanh, "inverse hyperbolic tangent"},
    {"erf", x, make::unary, Opcode::erf, "error function"},
    {"erfc", x, make::unary, Opcode::erfc, "1 - erf(x), accurate for large x"},
    {"normal_cdf", x, make::unary, Opcode::normalCdf,
     "the probability that a standard normal variable is below x"},
    {"gelu_tanh_odds", x, make::unary, Opcode::geluTanhOdds,
     "p / (1 - p) of the probability p by which gelu_tanh multiplies x"},
    {"lgamma", x, make::unary, Opcode::lgamma, "log |gamma(x)|"},
    {"digamma", x, make::unary, Opcode::digamma, "derivative of lgamma"},
    {"floor", x, make::unary, Opcode::floor, "the greatest integer not above x"},
    {"ceil", x, make::unary, Opcode::ceil, "the least integer not below x"},
    {"round", x, make::unary, Opcode::round, "to the nearest integer, half away from zero"},
    {"rint", x, make::unary, Opcode::rint, "to the nearest integer, half to even"},
    {"floor_divide", a_b, make::binary, Opcode::floorDivide, "a / b rounded down; of integers by 0 it is 0"},
    {"is_nan", x, make::unary, Opcode::isNaN, "whether x is NaN"},
    {"is_finite", x, make::unary, Opcode::isFinite, "whether x is neither infinite nor NaN"},
    {"min", a_b, make::binary, Opcode::min, "the smaller of each pair; NaN where either is"},
    {"max", a_b, make::binary, Opcode::max, "the larger of each pair; NaN where either is"},
    {"stop_gradient", x, make::stop_gradient, Opcode::detach, "x, without a derivative"},

    // Reductions: over all axes, or those named; `keep: true` leaves them with extent 1
    {"sum", reduced, make::reduction, Opcode::add, "sum"},
    {"product", reduced, make::reduction, Opcode::multiply, "product"},
    {"min", reduced, make::reduction, Opcode::min, "the smallest; NaN where there is one"},
    {"max", reduced, make::reduction, Opcode::max, "the largest; NaN where there is one"},
    {"any", reduced, make::reduction, Opcode::or_, "whether one is true"},
    {"all", reduced, make::reduction, Opcode::and_, "whether all are true"},
    {"mean", reduced, make::mean, Opcode::divide, "arithmetic mean; NaN if there are no elements"},
    {"variance", with_bias, make::variance, Opcode::divide, "mean square deviation from the mean"},
    {"logsumexp", reduced, make::logsumexp, Opcode::log, "log(sum(exp(x))) without overflow"},
    {"argmax", along_one_kept, make::arg_extremum, Opcode::argmax,
     "position of the largest, the first of equals"},
    {"argmin", along_one_kept, make::arg_extremum, Opcode::argmin,
     "position of the smallest, the first of equals"},

    // Along an axis, the last by default
    {"cumsum", along_one, make::cumsum, Opcode::scan, "running sum, inclusive"},
    {"reverse", along_some, make::reverse, Opcode::reverse, "the axis backwards"},
    {"stack", stacked, make::stack, Opcode::concatenate,
     "tensors of one shape along a new axis, 0 by default"},

    // Making and moving
    {"one_hot", hot, make::one_hot, Opcode::equal, "1 at position i of n, 0 elsewhere"},
    {"iota", count, make::iota, Opcode::iota, "0, 1, ... n - 1"},
    {"eye", count, make::eye, Opcode::equal, "the identity matrix"},
    {"broadcast", to_shape, make::broadcast, Opcode::broadcast, "x stretched to a shape"},
    {"pad", padded, make::pad, Opcode::pad,
     "x with so many elements before and after on each axis, 0 or `value`"},
    {"replace", replaced, make::replace, Opcode::scatter,
     "x, but what x[at] shows along the axis, 0 by default, is rows; of equal positions the last one counts"},
    {"transpose", permuted, make::transpose, Opcode::transpose, "axis i of the result is axis by[i] of x"},

    // Over the axes behind batch and channels: [N x C x W], [N x C x H x W], [N x C x D x H x W]
    {"convolve", convolved, make::convolve, Opcode::convolve,
     "for each filter the sum over a group's channels and the kernel's taps of kernel times input"},
    {"transposed_convolve", spread, make::transposed_convolve, Opcode::convolve,
     "each element of the input times the kernel, added up at steps of the stride"},
    {"max_pool", pooled, make::extreme_pool, Opcode::max, "the largest of each window"},
    {"min_pool", pooled, make::extreme_pool, Opcode::min, "the smallest of each window"},
    {"avg_pool", averaged, make::avg_pool, Opcode::add, "the mean of each window"},

    // Random numbers of each call
    {"dropout", dropped, make::dropout, Opcode::random,
     "in training, 0 in the place of each element with probability rate, and x / (1 - rate) else"},

    // Initial values of parameters; with a shape, the first three are random numbers of each call
    {"random", bounds, make::uniform, Opcode::random, "uniform in [low, high)"},
    {"normal", moments, make::normal, Opcode::random, "normally distributed"},
    {"truncated_normal", moments, make::truncated_normal, Opcode::random,
     "normally distributed, drawn again where further than 2 std from the mean"},
    {"glorot", both_fans, make::glorot, Opcode::random, "uniform, +-sqrt(6 / (fan in + fan out))"},
    {"glorot_normal", both_fans, make::glorot_normal, Opcode::random,
     "normal, deviation sqrt(2 / (fan in + fan out))"},
    {"he", fan_in, make::he, Opcode::random, "normal, deviation sqrt(2 / fan in)"},
    {"he_uniform", fan_in, make::he_uniform, Opcode::random, "uniform, +-sqrt(6 / fan in)"},
    {"lecun", fan_in, make::lecun, Opcode::random, "normal, deviation sqrt(1 / fan in)"},
    {"lecun_uniform", fan_in, make::lecun_uniform, Opcode::random, "uniform, +-sqrt(3 / fan in)"},
    {"orthogonal", nothing, make::orthogonal, Opcode::random, "rows or columns orthonormal"},
};

}  // namespace

std::span<const Builtin> builtins() { return table; }

const Builtin* find_builtin(std::string_view name) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const Builtin& b) { return b.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

const Builtin* find_builtin(std::string_view name, std::span<const Argument> arguments) {
  const auto fits = [&](const Builtin& builtin) {
    std::size_t named = 0, positional = 0;
    for (const Argument& argument : arguments) {
      if (argument.name == nullptr) {
        ++positional;
        continue;
      }
      named += std::any_of(builtin.parameters.begin(), builtin.parameters.end(),
                           [&](const auto& p) { return p.required && p.name == argument.name->text; });
    }
    const auto required = static_cast<std::size_t>(std::count_if(
        builtin.parameters.begin(), builtin.parameters.end(), [](const auto& p) { return p.required; }));
    return positional + named >= required;
  };
  const Builtin* any = nullptr;
  for (const Builtin& builtin : table) {
    if (builtin.name != name) continue;
    any = &builtin;
    if (fits(builtin)) return &builtin;
  }
  return any;
}

std::string signature(const Builtin& builtin) {
  std::string out(builtin.name);
  out += "(";
  for (std::size_t i = 0; i < builtin.parameters.size(); ++i) {
    const BuiltinParameter& parameter = builtin.parameters[i];
    out += i > 0 ? ", " : "";
    out += parameter.name;
    if (parameter.kind == values) out += ", ...";
  }
  return out + ")";
}

namespace make {

Node* unary(BodyContext& context, const BuiltinCall& call) {
  return make_unary(context, call.builtin.opcode, call.value(0), call.builtin.name, call.location);
}

Node* binary(BodyContext& context, const BuiltinCall& call) {
  return make_elementwise(context, call.builtin.opcode, call.value(0), call.value(1), call.builtin.name,
                          call.location);
}

}  // namespace make
}  // namespace frontend::check
