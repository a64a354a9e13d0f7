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
    {"squeeze", "x dim?", "{x} as {=squeezed}"},
    {"flatten flatten_behind_batch", "x rest*", "!give the whole shape: {x} as [N x ?]"},
    {"unsqueeze expand_dims", "x rest*",
     "!give the whole shape, with the extent 1 in its place: {x} as [N x 1 x ?]"},
    {"squeeze", "x dim", "!only an axis of extent 1 is left out, and {=longer_axis}"},
    {"squeeze", "x dim", "!an axis of extent 1 is left out by its only index: {=first_of_axis}"},
    {"squeeze", "x rest*",
     "!axes of extent 1 are left out by their only index, {x}[:, 0] for axis 1, or by the shape that is "
     "left"},
    {"transpose swapaxes swapdims", "x dim0 dim1", "{=swapped}"},
    {"transpose swapaxes swapdims", "x dim0 dim1",
     "!the last two axes are swapped by {x:transposed}; others by a list of all axes, transpose({x}, [0, 2, "
     "1])"},
    {"moveaxis movedim", "x source destination", "transpose({x}, {=moved})"},
    {"rearrange", "x pattern", "transpose({x}, {=rearranged})"},
    {"moveaxis movedim rearrange", "x rest*",
     "!axes change places by a list of all, transpose({x}, [0, 2, 1]), and are joined by {x} as [N x ?]"},
    {"view_as reshape_as", "x y", "{x} as {=shape_of_other}"},
    {"expand_as", "x y", "broadcast({x}, to: {=shape_of_other})"},
    {"t adjoint", "x", "{x:transposed}"},
    {"transpose", "x", "{x:transposed}"},
    {"permute transpose", "x dims*", "transpose({x}, {=permutation})"},
    {"cat concat concatenate", "parts dim?", "{parts:list}< along {dim}>"},
    {"cat concat concatenate", "first second | dim", "[{first}, {second}] along {dim}"},
    {"cat concat concatenate", "first second parts* | dim", "[{first}, {second}, {parts}] along {dim}"},
    {"cat concat concatenate", "first second dim",
     "!tensors are joined as a list: [{first}, {second}] along {dim}"},
    {"cat concat concatenate", "first second rest*",
     "!tensors are joined as a list, [{first}, {second}] along the number of the axis"},
    {"stack", "parts dim?", "stack({parts}<, along: {dim}>)"},
    {"vstack row_stack", "parts", "{=stacked_rows}"},
    {"hstack", "parts", "{=side_by_side}"},
    {"vstack row_stack", "parts", "!matrices are joined by {parts:list} along 0, vectors by stack({parts})"},
    {"hstack", "parts", "!matrices are joined by {parts:list} along 1, vectors by {parts:list}"},
    {"chunk", "x pieces dim?", several_parts},
    {"split", "numpy: x places dim?", several_parts},
    {"split", "not_numpy: x sizes dim?", several_parts},
    {"unbind", "x", "!the parts are {x}[0], {x}[1] and so on"},
    {"split chunk unbind tensor_split array_split", "x rest*",
     "!a part is a slice: {x}[0:n] of the first axis, {x}[:, 0:n] of the second"},
    {"repeat", "numpy: x times dim?", "{=repeated}"},
    {"repeat_interleave", "x times dim?", "{=repeated}"},
    {"repeat", "not_numpy: x counts*", "{=tiled}"},
    {"tile", "x counts*", "{=tiled}"},
    {"repeat", "numpy: x rest*",
     "!each element is there several times in {x}[floor_divide(iota(2 * n), 2)], of the first axis"},
    {"repeat_interleave", "x rest*",
     "!each element is there several times in {x}[floor_divide(iota(2 * n), 2)], of the first axis"},
    {"repeat tile", "x rest*",
     "!copies are joined, [{x}, {x}]; an axis of extent 1 is stretched by broadcast({x}, to: [n x m])"},
    {"expand broadcast_to", "x shape*", "broadcast({x}, to: {=stretched})"},
    {"expand broadcast_to", "x rest*",
     "!it is stretched to a whole shape, with the extents that stay: broadcast({x}, to: [N x m])"},
    {"diff", "x dim?", "{=difference}"},
    {"narrow", "x dim start length", "{=narrowed}"},
    {"roll", "x shifts dims", "{=rolled}"},
    {"roll", "x shifts dim?", "{=rolled}"},
    {"roll", "x rest*",
     "!the parts are exchanged: [{x}[-1:], {x}[:-1]], of the second axis [{x}[:, -1:], {x}[:, :-1]] along 1"},
    {"flip", "x dims", "reverse({x}, along: {dims})"},
    {"flip", "x dim", "reverse({x}, along: {dim})"},
    {"flip", "x", "{=backwards}"},
    {"flipud", "x", "reverse({x}, along: 0)"},
    {"fliplr", "x", "reverse({x}, along: 1)"},

    // Elements
    {"index_select", "x dim index", "{=selected}"},
    {"take", "x index dim", "{=selected}"},
    {"take", "x index", "({x} as [?])[{index}]"},
    {"embedding", "x weight", "{weight}[{x}]"},
    {"gather take_along_dim", "x dim=1 index",
     "!an equation for each element says it: y[i, j] = {x}[i, {index}[i, j]]; one of each row is "
     "{x}[iota(N), k] "
     "for a vector k"},
    {"gather take_along_dim", "x dim=0 index",
     "!an equation for each element says it: y[i, j] = {x}[{index}[i, j], j]"},
    {"gather take_along_axis take_along_dim", "x rest*",
     "!an equation for each element says it: y[i, j] = {x}[i, k[i, j]]; one of each row is {x}[iota(N), k]"},
    {"index_copy index_copy_", "x dim index source", "replace({x}, {source}, at: {index}, along: {dim})"},
    {"index_fill index_fill_", "x dim index value", "replace({x}, {value}, at: {index}, along: {dim})"},
    {"scatter scatter_ scatter_add scatter_add_ index_add index_add_", "x rest*",
     "!nothing is written in place: rows of u that belong to an index are added up by one_hot(i, n)^T • u"},
    {"meshgrid", "x y rest*", "!a grid follows from shapes: f({x} as [? x 1], {y} as [1 x ?])"},
    {"one_hot", "x num_classes", "one_hot({x}, {num_classes})"},
    {"tril", "x", "!an equation for each element: y[i, j] = if j <= i then {x}[i, j] else 0"},
    {"triu", "x", "!an equation for each element: y[i, j] = if j >= i then {x}[i, j] else 0"},
    {"tril", "x diagonal",
     "!an equation for each element: y[i, j] = if j <= i{=offset} then {x}[i, j] else 0"},
    {"triu", "x diagonal",
     "!an equation for each element: y[i, j] = if j >= i{=offset} then {x}[i, j] else 0"},
    {"diag", "x", "{=diagonal}"},
    {"diag diagonal", "x", "!of a vector it is {x} * eye(n); of a matrix an equation, d[i] = {x}[i, i]"},
    {"einsum", "rest*", "!an equation for each element says it: C[i, j] = sum(A[i, k] * B[k, j] for k)"},
    {"conv1d conv2d conv3d", "x weight | stride? padding? dilation? groups?",
     "convolve({x}, {weight}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: "
     "{groups}>)"},
    {"conv1d conv2d conv3d", "x weight bias=None stride? padding? dilation? groups?",
     "convolve({x}, {weight}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: "
     "{groups}>)"},
    {"conv1d", "x weight bias stride? padding? dilation? groups?",
     "convolve({x}, {weight}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: "
     "{groups}>) + ({bias} as [? x 1])"},
    {"conv2d", "x weight bias stride? padding? dilation? groups?",
     "convolve({x}, {weight}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: "
     "{groups}>) + ({bias} as [? x 1 x 1])"},
    {"conv3d", "x weight bias stride? padding? dilation? groups?",
     "convolve({x}, {weight}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: "
     "{groups}>) + ({bias} as [? x 1 x 1 x 1])"},
    {"conv1d conv2d conv3d", "rest*",
     "!convolve(x, W, stride: 1, padding: 0, dilation: 1, groups: 1) is the convolution, to which a bias is "
     "added; a kernel of 3 with padding: 1 keeps the extents"},
    {"conv_transpose1d conv_transpose2d conv_transpose3d", "rest*",
     "!transposed_convolve(x, W, stride: 1, padding: 0) is the transposed convolution"},
    {"Conv2D", "of filters kernel_size rest*",
     "!it is a net of the library, of pictures [N x channels x height x width]: import convolution, conv: "
     "Conv2d({=channels_of}, {filters}, {kernel_size}), and conv({of})"},
    {"Conv2D", "of filters kernel_size rest*",
     "!it is a net of the library, of pictures [N x channels x height x width]: import convolution, conv: "
     "Conv2d(channels, {filters}, {kernel_size}), and conv({of})"},
    {"Conv2D", "filters kernel_size rest*",
     "!it is a net of the library: import convolution, conv: Conv2d(channels, {filters}, {kernel_size}), and "
     "conv(x)"},
    {"ConvTranspose1d",
     "in_channels out_channels kernel_size of stride? padding? output_padding? groups? bias=false dilation? "
     "rest*",
     "!without a bias it is a param and a function: W: param[{in_channels} x {out_channels}</{groups}> x "
     "{kernel_size}] = he(), and transposed_convolve({of}, W<, stride: {stride}><, padding: {padding}><, "
     "extra: {output_padding}><, dilation: {dilation}><, groups: {groups}>)"},
    {"ConvTranspose1d",
     "in_channels out_channels kernel_size stride? padding? output_padding? groups? bias=false dilation? "
     "rest*",
     "!without a bias it is a param and a function: W: param[{in_channels} x {out_channels}</{groups}> x "
     "{kernel_size}] = he(), and transposed_convolve(x, W<, stride: {stride}><, padding: {padding}><, extra: "
     "{output_padding}><, dilation: {dilation}><, groups: {groups}>)"},
    {"ConvTranspose2d",
     "in_channels out_channels kernel_size of stride? padding? output_padding? groups? bias=false dilation? "
     "rest*",
     "!without a bias it is a param and a function: W: param[{in_channels} x {out_channels}</{groups}> x "
     "{kernel_size} x {kernel_size}] = he(), and transposed_convolve({of}, W<, stride: {stride}><, padding: "
     "{padding}><, extra: {output_padding}><, dilation: {dilation}><, groups: {groups}>)"},
    {"ConvTranspose2d",
     "in_channels out_channels kernel_size stride? padding? output_padding? groups? bias=false dilation? "
     "rest*",
     "!without a bias it is a param and a function: W: param[{in_channels} x {out_channels}</{groups}> x "
     "{kernel_size} x {kernel_size}] = he(), and transposed_convolve(x, W<, stride: {stride}><, padding: "
     "{padding}><, extra: {output_padding}><, dilation: {dilation}><, groups: {groups}>)"},
    {"ConvTranspose3d",
     "in_channels out_channels kernel_size of stride? padding? output_padding? groups? bias=false dilation? "
     "rest*",
     "!without a bias it is a param and a function: W: param[{in_channels} x {out_channels}</{groups}> x "
     "{kernel_size} x {kernel_size} x {kernel_size}] = he(), and transposed_convolve({of}, W<, stride: "
     "{stride}><, padding: {padding}><, extra: {output_padding}><, dilation: {dilation}><, groups: "
     "{groups}>)"},
    {"ConvTranspose3d",
     "in_channels out_channels kernel_size stride? padding? output_padding? groups? bias=false dilation? "
     "rest*",
     "!without a bias it is a param and a function: W: param[{in_channels} x {out_channels}</{groups}> x "
     "{kernel_size} x {kernel_size} x {kernel_size}] = he(), and transposed_convolve(x, W<, stride: "
     "{stride}><, padding: {padding}><, extra: {output_padding}><, dilation: {dilation}><, groups: "
     "{groups}>)"},
    {"ConvTranspose1d ConvTranspose2d ConvTranspose3d",
     "in_channels out_channels kernel_size of stride? padding? output_padding? groups? bias? dilation? rest*",
     "!it is a net of the library: import convolution, conv: {name}({in_channels}, {out_channels}, "
     "{kernel_size}<, stride: {stride}><, padding: {padding}><, extra: {output_padding}><, dilation: "
     "{dilation}><, "
     "groups: {groups}>), and conv({of})"},
    {"ConvTranspose1d ConvTranspose2d ConvTranspose3d",
     "in_channels out_channels kernel_size stride? padding? output_padding? groups? bias? dilation? rest*",
     "!it is a net of the library: import convolution, conv: {name}({in_channels}, {out_channels}, "
     "{kernel_size}<, stride: {stride}><, padding: {padding}><, extra: {output_padding}><, dilation: "
     "{dilation}><, "
     "groups: {groups}>), and conv(x)"},
    {"Conv1d Conv2d",
     "of in_channels out_channels kernel_size stride? padding? dilation? groups? bias=false rest*",
     "!it is a net of the library: import torch, conv: {name}WithoutBias({in_channels}, {out_channels}, "
     "{kernel_size}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: {groups}>), "
     "and conv({of})"},
    {"Conv1d Conv2d",
     "in_channels out_channels kernel_size stride? padding? dilation? groups? bias=false rest*",
     "!it is a net of the library: import torch, conv: {name}WithoutBias({in_channels}, {out_channels}, "
     "{kernel_size}<, stride: {stride}><, padding: {padding}><, dilation: {dilation}><, groups: {groups}>), "
     "and conv(x)"},
    {"Conv3d", "of in_channels out_channels kernel_size stride? padding? dilation? groups? bias=false rest*",
     "!without a bias it is a param and a function: W: param[{out_channels} x {in_channels}</{groups}> x "
     "{kernel_size} x {kernel_size} x {kernel_size}] = he(), and convolve({of}, W<, stride: {stride}><, "
     "padding: {padding}><, dilation: {dilation}><, groups: {groups}>)"},
    {"Conv3d", "in_channels out_channels kernel_size stride? padding? dilation? groups? bias=false rest*",
     "!without a bias it is a param and a function: W: param[{out_channels} x {in_channels}</{groups}> x "
     "{kernel_size} x {kernel_size} x {kernel_size}] = he(), and convolve(x, W<, stride: {stride}><, "
     "padding: {padding}><, dilation: {dilation}><, groups: {groups}>)"},
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
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", "x output_size",
     "avg_pool({x}, {=window_of_pooling})"},
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", "x rest*",
     "!all windows have one size, avg_pool({x}, 2); the mean over an axis is mean({x}, along: -1, keep: "
     "true)"},
    {"adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d", "x output_size",
     "max_pool({x}, {=window_of_pooling})"},
    {"adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d", "x rest*",
     "!all windows have one size, max_pool({x}, 2); the largest over an axis is max({x}, along: -1, keep: "
     "true)"},
    {"interpolate", "x size? scale_factor? mode=bilinear rest*",
     "!it is a net of the library: import image, resize: ResizeBilinear(height, width), and resize({x})"},
    {"interpolate", "x rest*",
     "!it is a net of the library: import image, resize: ResizeNearest(height, width), or ResizeBilinear, "
     "and resize({x})"},
    {"Upsample", "rest*",
     "!it is a net of the library: import image, resize: ResizeBilinear(height, width), and resize(x)"},
    {"pad", "numpy: x pad_width mode=constant?", "pad({x}, {=padded_axes})"},
    {"pad", "numpy: x pad_width mode=constant? value", "pad({x}, {=padded_axes}, value: {value:number})"},
    {"pad", "torch: x pad mode=constant?", "pad({x}, {=padded_from_last})"},
    {"pad", "torch: x pad mode=constant? value", "pad({x}, {=padded_from_last}, value: {value:number})"},
    {"pad", "x rest*", "!pad({x}, [1, 1; 0, 0]) has a row for each axis, with the numbers before and behind"},

    // Making tensors
    {"new_zeros new_empty", "x shape*", "broadcast(0, to: {shape})"},
    {"new_ones", "x shape*", "broadcast(1, to: {shape})"},
    {"zeros empty", "shape*", "broadcast(0, to: {shape})"},
    {"zeros", "", "0"},
    {"ones", "shape*", "broadcast(1, to: {shape})"},
    {"ones", "", "1"},
    {"full", "shape value", "broadcast({value}, to: {shape})"},
    {"zeros_like", "x", "broadcast(0, to: {=whole})"},
    {"ones_like", "x", "broadcast(1, to: {=whole})"},
    {"full_like", "x value", "broadcast({value}, to: {=whole})"},
    {"zero_", "x", "broadcast(0, to: {=whole})"},
    {"fill_", "x value", "broadcast({value}, to: {=whole})"},
    {"copy_", "x y", "{y}"},
    {"zeros_like ones_like full_like zero_ fill_", "x rest*",
     "!a number is stretched to the shape of what it is combined with"},
    {"arange range iota", "n", "iota({n})"},
    {"arange range", "start=0 n", "iota({n})"},
    {"arange range", "start n", "{start} + iota({n} - {start})"},
    {"arange range", "start n step", "{=progression}"},
    {"arange range", "start n step",
     "!the numbers are start + step * iota(n), where n is how many there are"},
    {"linspace", "start=0 stop=1 n", "iota({n}) / ({n} - 1)"},
    {"linspace", "start=0 stop n", "{stop} * iota({n}) / ({n} - 1)"},
    {"linspace", "start stop n", "{start} + ({stop} - {start}) * iota({n}) / ({n} - 1)"},
    {"eye identity", "n", "eye({n})"},
    {"tensor array asarray as_tensor from_numpy", "x", "{x}"},
    {"randn standard_normal", "shape*", "normal(0, 1, to: {shape})"},
    {"rand", "shape*", "random(0, 1, to: {shape})"},
    {"normal", "mean std size", "normal({mean}, {std}, to: {size:shape})"},
    {"normal", "numpy: loc scale size", "normal({loc}, {scale}, to: {size:shape})"},
    {"uniform", "numpy: low high size", "random({low}, {high}, to: {size:shape})"},
    {"randn_like", "x", "normal(0, 1, to: {=whole})"},
    {"rand_like", "x", "random(0, 1, to: {=whole})"},
    {"bernoulli", "x", "if random(0, 1, to: {=whole}) < {x} then 1 else 0"},
    {"rand randn randn_like rand_like bernoulli random_normal uniform_ normal_ randint permutation shuffle",
     "rest*",
     "!random numbers are the initial values of params, W: param[4 x 3] = normal(0, 1); in each call they "
     "are drawn "
     "by normal(0, 1, to: [4 x 3]), or random(0, 1, to: [4 x 3])"},
    {"unfold im2col", "x rest*",
     "!windows are written by indices: y[n, i, j] = sum({x}[n, c, i + u, j + v] * k[c, u, v] for c, u, v)"},
    {"xavier_uniform glorot_uniform", "", "glorot()"},
    {"kaiming_normal he_normal", "", "he()"},
    {"kaiming_uniform", "", "he_uniform()"},
    {"xavier_normal", "", "glorot_normal()"},
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
