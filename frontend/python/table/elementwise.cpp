// Functions of each element, activations and losses.
#include "frontend/python/table/table.h"

namespace frontend::python::table {
namespace {

constexpr Row rows[]{
    // Elementwise
    {"abs sign square sqrt rsqrt exp expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
     "atanh "
     "erf erfc lgamma digamma floor ceil",
     "x", "{name}({x})"},
    {"absolute fabs", "x", "abs({x})"},
    {"round rint", "x", "rint({x})"},
    {"arcsin", "x", "asin({x})"},
    {"arccos", "x", "acos({x})"},
    {"arctan", "x", "atan({x})"},
    {"arcsinh", "x", "asinh({x})"},
    {"arccosh", "x", "acosh({x})"},
    {"arctanh", "x", "atanh({x})"},
    {"arctan2 atan2", "x y", "atan2({x}, {y})"},
    {"ln", "x", "log({x})"},
    {"log2", "x", "log({x}) / log(2)"},
    {"log10", "x", "log({x}) / log(10)"},
    {"exp2", "x", "2^{x}"},
    {"neg negative", "x", "-{x}"},
    {"reciprocal", "x", "1 / {x}"},
    {"add", "x y", "{x} + {y}"},
    {"sub subtract", "x y", "{x} - {y}"},
    {"mul multiply", "x y", "{x} * {y}"},
    {"div divide true_divide", "x y", "{x} / {y}"},
    {"mod remainder", "x y", "{x} % {y}"},
    {"floor_divide", "x y", "floor_divide({x}, {y})"},
    {"pow power float_power", "x exponent", "{x}^{exponent}"},
    {"maximum", "x y", "max({x}, {y})"},
    {"minimum", "x y", "min({x}, {y})"},
    {"clamp clip", "x min max", "min(max({x}, {min}), {max})"},
    {"clamp clip", "x min", "max({x}, {min})"},
    {"clamp clip", "x max", "min({x}, {max})"},
    {"isnan", "x", "is_nan({x})"},
    {"isfinite", "x", "is_finite({x})"},
    {"isinf", "x", "not (is_finite({x}) or is_nan({x}))"},
    {"eq", "x y", "{x} == {y}"},
    {"ne not_equal", "x y", "{x} != {y}"},
    {"lt less", "x y", "{x} < {y}"},
    {"le less_equal", "x y", "{x} <= {y}"},
    {"gt greater", "x y", "{x} > {y}"},
    {"ge greater_equal", "x y", "{x} >= {y}"},
    {"logical_and", "x y", "{x} and {y}"},
    {"logical_or", "x y", "{x} or {y}"},
    {"logical_xor", "x y", "{x} != {y}"},
    {"logical_not", "x", "not {x}"},
    {"where select", "condition x y", "if {condition} then {x} else {y}"},
    {"where select", "condition",
     "!the shape would depend on the data; if condition then a else b chooses at each position"},
    {"masked_fill", "x mask value", "if {mask} then {value} else {x}"},

    // Activations
    {"leaky_relu", "x negative_slope inplace?", "leaky_relu({x}, slope: {negative_slope})"},
    {"elu", "x alpha inplace?", "elu({x}, alpha: {alpha})"},
    {"gelu", "x approximate=tanh", "0.5 * {x} * (1 + tanh(0.7978845608 * ({x} + 0.044715 * {x}^3)))"},
    {"gelu", "x approximate=true", "0.5 * {x} * (1 + tanh(0.7978845608 * ({x} + 0.044715 * {x}^3)))"},
    {"gelu", "x approximate=none", "gelu({x})"},
    {"gelu", "x approximate=false", "gelu({x})"},
    {"relu selu elu leaky_relu gelu silu softplus sigmoid", "x inplace?", "{name}({x})"},
    {"swish", "x", "silu({x})"},
    {"logistic expit", "x", "sigmoid({x})"},
    {"relu6", "x", "min(relu({x}), 6)"},
    {"hardtanh", "x", "min(max({x}, -1), 1)"},
    {"hardsigmoid", "x", "min(max({x} / 6 + 0.5, 0), 1)"},
    {"mish", "x", "{x} * tanh(softplus({x}))"},
    {"softsign", "x", "{x} / (1 + abs({x}))"},
    {"logsigmoid log_sigmoid", "x", "-softplus(-{x})"},
    {"tanhshrink", "x", "{x} - tanh({x})"},
    {"softmax log_softmax", "x dim?", "{name}({x}<, along: {dim}>)"},
    {"dropout", "x p? training=false", "{x}"},
    {"dropout", "x p training=true inplace?", "dropout({x}, {p})"},
    {"dropout", "x p inplace?", "dropout({x}, {p})"},
    {"dropout", "x", "dropout({x}, 0.5)"},
    {"layer_norm", "x normalized_shape? weight? bias?",
     "({x} - mean({x}, along: -1, keep: true)) / sqrt(variance({x}, along: -1, keep: true) + 1e-5)< * "
     "{weight}>< + {bias}>"},
    {"BatchNorm1d BatchNorm2d BatchNorm3d", "channels of rest*",
     "!it is a net of the library: import normalization, norm: BatchNorm({channels}), and norm({of}); its "
     "running values are states of the net"},
    {"batch_norm BatchNorm1d BatchNorm2d BatchNorm3d", "rest*",
     "!it is a net of the library: import normalization, norm: BatchNorm(channels); its running values are "
     "states of the net"},
    {"normalize", "x dim", "{x} / max(norm({x}, along: {dim}, keep: true), 1e-12)"},
    {"normalize", "x", "{x} / max(norm({x}, along: 1, keep: true), 1e-12)"},

    // Losses
    {"cross_entropy", "x target", "cross_entropy({x}, {target})"},
    {"mse_loss", "x target", "mse({x}, {target})"},
    {"l1_loss", "x target", "mae({x}, {target})"},
    {"huber_loss", "x target delta?", "huber({x}, {target}<, delta: {delta}>)"},
    {"smooth_l1_loss", "x target", "huber({x}, {target})"},
    {"binary_cross_entropy_with_logits", "x target", "binary_cross_entropy({x}, {target})"},
    {"bce_loss binary_cross_entropy", "x target",
     "!binary_cross_entropy(logits, {target}) takes the values before the sigmoid"},
    {"nll_loss", "x target", "!cross_entropy(logits, {target}) takes the values before log_softmax"},
};

}  // namespace

std::span<const Row> elementwise() { return rows; }

}  // namespace frontend::python::table
