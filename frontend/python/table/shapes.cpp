// Shapes, parts and new tensors.
#include "frontend/python/table/table.h"

namespace frontend::python::table {
namespace {

constexpr Row rows[]{
    // Shapes
    {"reshape view", "x shape*", "{x} as {shape}"},
    {"flatten ravel", "x", "{x} as [?]"},
    {"flatten", "x start_dim", "{x} as {=flattened}"},
    {"flatten_behind_batch", "x", "{x} as {=flattened}"},
    {"unsqueeze expand_dims", "x dim", "{x} as {=unsqueezed}"},
    {"squeeze", "x dim", "{x} as {=squeezed}"},
    {"flatten flatten_behind_batch squeeze unsqueeze expand_dims", "x rest*",
     "!give the whole shape: {x} as [N x ?]"},
    {"transpose swapaxes swapdims", "x dim0 dim1", "{=swapped}"},
    {"transpose swapaxes swapdims", "x dim0 dim1",
     "!the last two axes are swapped by {x:transposed}; others by a list of all axes, transpose({x}, [0, 2, "
     "1])"},
    {"t adjoint", "x", "{x:transposed}"},
    {"transpose", "x", "{x:transposed}"},
    {"permute transpose", "x dims*", "transpose({x}, {dims:list})"},
    {"cat concat concatenate", "parts dim?", "{parts:list}< along {dim}>"},
    {"stack", "parts dim?", "stack({parts}<, along: {dim}>)"},
    {"vstack row_stack", "parts", "!matrices are joined by {parts:list} along 0, vectors by stack({parts})"},
    {"hstack", "parts", "!matrices are joined by {parts:list} along 1, vectors by {parts:list}"},
    {"chunk", "x pieces dim?", "!the parts are slices: {=parts}"},
    {"split", "numpy: x places dim?", "!the parts are slices: {=parts}"},
    {"split", "not_numpy: x sizes dim?", "!the parts are slices: {=parts}"},
    {"unbind", "x", "!the parts are {x}[0], {x}[1] and so on"},
    {"split chunk unbind tensor_split array_split", "x rest*",
     "!a part is a slice: {x}[0:n] of the first axis, {x}[:, 0:n] of the second"},
    {"repeat", "numpy: x times dim", "{=repeated}"},
    {"repeat_interleave", "x times dim", "{=repeated}"},
    {"repeat", "not_numpy: x counts*", "{=tiled}"},
    {"tile", "x counts*", "{=tiled}"},
    {"repeat", "numpy: x rest*",
     "!each element is there several times in {x}[floor_divide(iota(2 * n), 2)], of the first axis"},
    {"repeat_interleave", "x rest*",
     "!each element is there several times in {x}[floor_divide(iota(2 * n), 2)], of the first axis"},
    {"repeat tile", "x rest*",
     "!copies are joined, [{x}, {x}]; an axis of extent 1 is stretched by broadcast({x}, to: [n x m])"},
    {"expand broadcast_to", "x shape*", "broadcast({x}, to: {shape})"},
    {"roll", "x shifts dims", "{=rolled}"},
    {"roll", "x shifts dim", "{=rolled}"},
    {"roll", "x rest*",
     "!the parts are exchanged: [{x}[-1:], {x}[:-1]], of the second axis [{x}[:, -1:], {x}[:, :-1]] along 1"},
    {"flip", "x dims", "reverse({x}, along: {dims})"},
    {"flipud", "x", "reverse({x}, along: 0)"},
    {"fliplr", "x", "reverse({x}, along: 1)"},

    // Elements
    {"index_select", "x dim index", "{=selected}"},
    {"take", "x index dim", "{=selected}"},
    {"take", "x index", "({x} as [?])[{index}]"},
    {"embedding", "x weight", "{weight}[{x}]"},
    {"gather take_along_axis take_along_dim", "x rest*",
     "!an equation for each element says it: y[i, j] = {x}[i, k[i, j]]; one of each row is {x}[iota(N), k]"},
    {"one_hot", "x num_classes", "one_hot({x}, {num_classes})"},
    {"tril", "x", "!an equation for each element: y[i, j] = if j <= i then {x}[i, j] else 0"},
    {"triu", "x", "!an equation for each element: y[i, j] = if j >= i then {x}[i, j] else 0"},
    {"diag diagonal", "x", "!of a vector it is {x} * eye(n); of a matrix an equation, d[i] = {x}[i, i]"},
    {"einsum", "rest*", "!an equation for each element says it: C[i, j] = sum(A[i, k] * B[k, j] for k)"},
    {"conv1d conv2d conv3d", "x weight stride? padding? dilation? groups?",
     "convolve({x}, {weight}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: "
     "{groups}>)"},
    {"conv1d conv2d conv3d", "rest*",
     "!convolve(x, W, stride: 1, padding: 0, dilation: 1, groups: 1) is the convolution, to which a bias is "
     "added"},
    {"conv_transpose1d conv_transpose2d conv_transpose3d", "rest*",
     "!transposed_convolve(x, W, stride: 1, padding: 0) is the transposed convolution"},
    {"Conv1d Conv2d Conv3d",
     "of in_channels out_channels kernel_size stride? padding? dilation? groups? rest*",
     "!it is a net of the library: import convolution, conv: {name}({in_channels}, {out_channels}, "
     "{kernel_size}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: {groups}>), "
     "and "
     "conv({of})"},
    {"Conv1d Conv2d Conv3d", "in_channels out_channels kernel_size stride? padding? dilation? groups? rest*",
     "!it is a net of the library: import convolution, conv: {name}({in_channels}, {out_channels}, "
     "{kernel_size}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: {groups}>), "
     "and "
     "conv(x)"},
    {"max_pool1d max_pool2d max_pool3d", "x kernel_size stride? padding?",
     "max_pool({x}, {kernel_size}<, stride: {stride}><, padding: {padding}>)"},
    {"avg_pool1d avg_pool2d avg_pool3d", "x kernel_size stride? padding?",
     "avg_pool({x}, {kernel_size}<, stride: {stride}><, padding: {padding}>)"},
    {"MaxPool1d MaxPool2d MaxPool3d", "kernel_size rest*",
     "!windows need no layer: max_pool(x, {kernel_size})"},
    {"AvgPool1d AvgPool2d AvgPool3d", "kernel_size rest*",
     "!windows need no layer: avg_pool(x, {kernel_size})"},
    {"adaptive_avg_pool1d", "x output_size", "mean({x}, along: 2, keep: true){=to_one_element}"},
    {"adaptive_avg_pool2d", "x output_size", "mean({x}, along: [2, 3], keep: true){=to_one_element}"},
    {"adaptive_avg_pool3d", "x output_size", "mean({x}, along: [2, 3, 4], keep: true){=to_one_element}"},
    {"adaptive_max_pool1d", "x output_size", "max({x}, along: 2, keep: true){=to_one_element}"},
    {"adaptive_max_pool2d", "x output_size", "max({x}, along: [2, 3], keep: true){=to_one_element}"},
    {"adaptive_max_pool3d", "x output_size", "max({x}, along: [2, 3, 4], keep: true){=to_one_element}"},
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", "x rest*",
     "!all windows have one size, avg_pool({x}, 2); the mean over an axis is mean({x}, along: -1, keep: "
     "true)"},
    {"adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d", "x rest*",
     "!all windows have one size, max_pool({x}, 2); the largest over an axis is max({x}, along: -1, keep: "
     "true)"},
    {"pad", "numpy: x pad_width mode=constant?", "pad({x}, {=padded_axes})"},
    {"pad", "numpy: x pad_width mode=constant? value", "pad({x}, {=padded_axes}, value: {value:number})"},
    {"pad", "torch: x pad mode=constant?", "pad({x}, {=padded_from_last})"},
    {"pad", "torch: x pad mode=constant? value", "pad({x}, {=padded_from_last}, value: {value:number})"},
    {"pad", "x rest*", "!pad({x}, [1, 1; 0, 0]) has a row for each axis, with the numbers before and behind"},

    // Making tensors
    {"zeros", "shape*", "broadcast(0, to: {shape})"},
    {"ones", "shape*", "broadcast(1, to: {shape})"},
    {"full", "shape value", "broadcast({value}, to: {shape})"},
    {"zeros_like", "x", "broadcast(0, to: {=whole})"},
    {"ones_like", "x", "broadcast(1, to: {=whole})"},
    {"full_like", "x value", "broadcast({value}, to: {=whole})"},
    {"zeros_like ones_like full_like", "x rest*",
     "!a number is stretched to the shape of what it is combined with"},
    {"arange range iota", "n", "iota({n})"},
    {"arange range", "start=0 n", "iota({n})"},
    {"arange range", "start n", "{start} + iota({n} - {start})"},
    {"arange range", "start n step",
     "!the numbers are start + step * iota(n), where n is how many there are"},
    {"linspace", "start=0 stop=1 n", "iota({n}) / ({n} - 1)"},
    {"linspace", "start=0 stop n", "{stop} * iota({n}) / ({n} - 1)"},
    {"linspace", "start stop n", "{start} + ({stop} - {start}) * iota({n}) / ({n} - 1)"},
    {"eye identity", "n", "eye({n})"},
    {"tensor array asarray as_tensor", "x", "{x}"},
    {"rand randn random_normal uniform_ normal_", "rest*",
     "!random numbers are the initial values of params: W: param[4 x 3] = normal(0, 1), or random(0, 1)"},
    {"xavier_uniform xavier_uniform_ glorot_uniform", "rest*",
     "!it is an initial value: W: param[4 x 3] = glorot()"},
    {"kaiming_normal kaiming_normal_ he_normal", "rest*", "!it is an initial value: W: param[4 x 3] = he()"},
    {"kaiming_uniform kaiming_uniform_", "rest*", "!it is an initial value: W: param[4 x 3] = he_uniform()"},
    {"xavier_normal xavier_normal_", "rest*", "!it is an initial value: W: param[4 x 3] = glorot_normal()"},
    {"orthogonal_", "rest*", "!it is an initial value: W: param[4 x 3] = orthogonal()"},
};

}  // namespace

std::span<const Row> shapes() { return rows; }

}  // namespace frontend::python::table
