// Reductions and products.
#include "frontend/python/table/table.h"

namespace frontend::python::table {
namespace {

constexpr Row rows[]{
    // Reductions
    {"sum mean any all", "x dim? keepdim?", "{name}({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"prod product", "x dim? keepdim?", "product({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"average reduce_mean", "x dim? keepdim?", "mean({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"reduce_sum", "x dim? keepdim?", "sum({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"reduce_prod", "x dim? keepdim?", "product({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"reduce_max", "x dim? keepdim?", "max({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"reduce_min", "x dim? keepdim?", "min({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"reduce_logsumexp", "x dim? keepdim?", "logsumexp({x}<, along: {dim}><, keep: {keepdim}>)"},
    {"nansum", "x dim?", "sum(if is_nan({x}) then 0 else {x}<, along: {dim}>)"},
    {"count_nonzero", "x dim?", "sum(if {x} == 0 then 0 else 1<, along: {dim}>)"},
    {"ptp", "x dim?", "max({x}<, along: {dim}>) - min({x}<, along: {dim}>)"},
    {"max", "x dim keepdim?", "max({x}, along: {dim}<, keep: {keepdim}>)",
     "argmax({x}, along: {dim}<, keep: {keepdim}>)"},
    {"min", "x dim keepdim?", "min({x}, along: {dim}<, keep: {keepdim}>)",
     "argmin({x}, along: {dim}<, keep: {keepdim}>)"},
    {"amax", "x dim keepdim?", "max({x}, along: {dim}<, keep: {keepdim}>)"},
    {"amin", "x dim keepdim?", "min({x}, along: {dim}<, keep: {keepdim}>)"},
    {"max min", "x y?", "{name}({x}<, {y}>)"},
    {"amax", "x", "max({x})"},
    {"amin", "x", "min({x})"},
    {"argmax argmin logsumexp", "x dim keepdim?", "{name}({x}, along: {dim}<, keep: {keepdim}>)"},
    {"argmax argmin", "x", "{name}({x} as [?])"},
    {"var", "numpy: x dim? keepdim? | ddof? correction?", "{=variance_by_count}"},
    {"var", "torch: x dim? unbiased=false keepdim?", "{=variance_by_count}"},
    {"var", "torch: x dim? | keepdim? unbiased? correction?", "{=variance_by_one_less}"},
    {"std", "numpy: x dim? keepdim? | ddof? correction?", "sqrt({=variance_by_count})"},
    {"std", "torch: x dim? unbiased=false keepdim?", "sqrt({=variance_by_count})"},
    {"std", "torch: x dim? | keepdim? unbiased? correction?", "sqrt({=variance_by_one_less})"},
    {"var", "x dim? keepdim?",
     "!variance({x}<, along: {dim}>) divides by n, as NumPy does; with `unbiased: true` by n - 1, as "
     "PyTorch"},
    {"std", "x dim? keepdim?",
     "!sqrt(variance({x}<, along: {dim}>)) divides by n, as NumPy does; with `unbiased: true` by n - 1, as "
     "PyTorch"},
    {"norm vector_norm", "x p=2 dim keepdim?", "norm({x}, along: {dim}<, keep: {keepdim}>)"},
    {"norm vector_norm", "x ord=2 dim keepdim?", "norm({x}, along: {dim}<, keep: {keepdim}>)"},
    {"norm vector_norm", "x p=1 dim keepdim?", "sum(abs({x}), along: {dim}<, keep: {keepdim}>)"},
    {"norm vector_norm", "x | dim keepdim?", "norm({x}, along: {dim}<, keep: {keepdim}>)"},
    {"norm vector_norm", "x p=1", "sum(abs({x}))"},
    {"norm vector_norm", "x ord=1", "sum(abs({x}))"},
    {"norm vector_norm", "x p=2", "norm({x} as [?])"},
    {"norm vector_norm", "x ord=2", "norm({x} as [?])"},
    {"norm vector_norm", "x", "norm({x} as [?])"},
    {"cumsum", "x dim", "cumsum({x}, along: {dim})"},
    {"cumprod", "x dim?", "!there is no running product; of positive numbers it is exp(cumsum(log({x})))"},
    {"trace", "x", "sum({x}[i, i] for i)"},
    {"median quantile sort argsort topk kthvalue", "rest*",
     "!there is no sorting in the language; max, min, argmax and argmin find the extremes"},
    {"bincount", "x | minlength", "sum(one_hot({x}, {minlength}), along: 0)"},
    {"bincount", "x rest*", "!of labels below n it is sum(one_hot({x}, n), along: 0)"},
    {"nonzero argwhere unique masked_select", "rest*",
     "!the shape would depend on the data; `if condition then a else b` chooses at each position"},

    // Products
    {"matmul mm bmm mv dot", "x y", "{x} • {y}"},
    {"inner", "x y", "!of vectors it is {x} • {y}, of matrices {x} • {y:transposed}"},
    {"tensordot", "x y dims=1", "!of vectors and matrices it is {x} • {y}"},
    {"kron", "x y",
     "!of vectors it is (({x} as [? x 1]) * {y}) as [?]; of matrices an equation, y[i, k, j, l] = {x}[i, j] "
     "* {y}[k, l], whose axes `as` joins"},
    {"cross", "x y rest*",
     "!of vectors of 3 elements it is {x}[[1, 2, 0]] * {y}[[2, 0, 1]] - {x}[[2, 0, 1]] * {y}[[1, 2, 0]]"},
    {"tensordot", "rest*", "!an equation for each element says it: C[i, j] = sum(A[i, k] * B[k, j] for k)"},
    {"addmm baddbmm", "b x y", "{b} + {x} • {y}"},
    {"outer", "x y", "({x} as [? x 1]) * {y}"},
    {"linear", "torch: x weight bias?", "{x} • {weight:transposed}< + {bias}>"},
    {"linear", "x weight bias?", "{x} • {weight}< + {bias}>"},
    {"scaled_dot_product_attention", "x key value is_causal=false?",
     "softmax({x} • {key:transposed} / sqrt({=last})) • {value}"},
    {"scaled_dot_product_attention", "x key value is_causal=true",
     "!it is a function of the library: import transformer, and causal_attention({x}, {key}, {value})"},
    {"scaled_dot_product_attention", "x key value rest*",
     "!it is a function of the library: import transformer, and attention({x}, {key}, {value}), or "
     "masked_attention with a mask"},
    {"convolve correlate", "numpy: x y rest*",
     "!a convolution of vectors is an equation: c[i] = sum({x}[i + k] * {y}[k] for k)"},
    {"inv inverse det svd qr eig eigh cholesky pinv", "rest*",
     "!there are no inverses and decompositions of matrices"},
};

}  // namespace

std::span<const Row> reductions() { return rows; }

}  // namespace frontend::python::table
