// Types, properties of values, and layers.
#include "frontend/python/table/table.h"

namespace frontend::python::table {
namespace {

constexpr Row rows[]{
    // Types, and what a value needs no function for
    {"half", "x", "{x} as float16"},
    {"float", "x=inf", "1e30"},
    {"float", "x=-inf", "-1e30"},
    {"float", "x=nan", "!there is no literal for NaN; is_nan(x) asks for it"},
    {"float", "x", "{x} as float32"},
    {"double", "x", "{x} as float64"},
    {"int", "x", "{x} as int32"},
    {"long", "x", "{x} as int64"},
    {"short", "x", "{x} as int16"},
    {"byte", "x", "{x} as uint8"},
    {"bool", "x", "{x} as bool"},
    {"to type astype cast", "x dtype", "{x} as {dtype}"},
    {"to", "x device=device", "{x}"},
    {"to", "x rest*",
     "!values are not moved, the target is chosen when compiling: {x} alone will do; a type is changed by "
     "{x} "
     "as float16"},
    {"clone copy contiguous cpu cuda item numpy tolist", "x", "{x}"},
    {"detach data", "x", "stop_gradient({x})"},
    {"stop_gradient", "x", "stop_gradient({x})"},
    {"size shape", "x dim", "{=extent}"},
    {"len", "x", "{=length}"},
    {"isinstance hasattr callable", "rest*",
     "!types are known when telc compiles: functions of one name may take different ones"},
    {"dim ndim", "x", "{=rank}"},
    {"numel", "x", "{=count}"},
    {"size", "numpy: x", "{=count}"},
    {"size shape length", "x", "!an extent is written by its name or number: {=extents}"},
    {"dtype", "x",
     "!an element type stands in the declaration, in float32[N], and is changed by a conversion, {x} as "
     "float16"},
    {"device is_cuda", "x", "!values are not moved: the target is chosen when compiling"},
    {"grad", "numpy: x rest*", "!the derivative of a scalar is an expression: gradient(e, wrt: w)"},
    {"grad", "not_numpy: x wrt", "gradient({x}, wrt: {wrt})"},
    {"grad", "x y",
     "!the derivative of a scalar is an expression: gradient(e, wrt: w), or of several: wrt: (w, b)"},
    {"grad", "x",
     "!the derivative of L by {x} is gradient(L, wrt: {x}); the gradient of a loss by each param is an entry "
     "point"},
    {"requires_grad requires_grad_", "x rest*",
     "!what is trained is declared a param; the derivative by another value is declared: gradient slope of L "
     "wrt "
     "{x}"},
    {"size shape length len numel dim ndim", "rest*",
     "!an extent is written by its name or number: [N x 4] has N and 4"},
    {"finfo iinfo", "rest*", "!a large number is written out: 1e30, in float16 6e4"},
    {"manual_seed", "rest*", "!the program that calls the network gives the seed: Parameters(42)"},
    {"save load", "rest*",
     "!the program that calls the network reads and writes files: Parameters::load(path), "
     "parameters.save(path)"},
    {"loadtxt genfromtxt", "rest*", "!a module reads no files: what the caller gives is an in, x: in[N x 4]"},
    {"zip enumerate", "rest*",
     "!an equation for each element says it, y[i] = a[i] * b[i]; a loop of a function counts, for i in 0..n"},
    {"str repr", "rest*", "!there are no texts"},
    {"print", "rest*", "!there is no output: declare what is to be seen an out, y: out = ..."},

    // Layers
    {"Linear", "of in_features out_features rest*",
     "!it is a net of the library: import layers, fc: Linear({in_features}, {out_features}), and fc({of})"},
    {"Linear", "in_features out_features bias=false",
     "!it is a net of the library: import layers, fc: Projection({in_features}, {out_features}), and fc(x)"},
    {"Linear", "in_features out_features bias?",
     "!it is a net of the library: import layers, fc: Linear({in_features}, {out_features}), and fc(x)"},
    {"Dense", "of units activation rest*",
     "!it is a net of the library: import layers, fc: Linear({=last_of}, {units}), and "
     "{activation:word}(fc({of}))"},
    {"Dense", "of units activation rest*",
     "!it is a net of the library: import layers, fc: Linear(inputs, {units}), and "
     "{activation:word}(fc({of}))"},
    {"Dense", "of inputs outputs",
     "!it is a net of the library: import layers, fc: Linear({inputs}, {outputs}), and fc({of})"},
    {"Dense", "of units rest*",
     "!it is a net of the library: import layers, fc: Linear({=last_of}, {units}), and fc({of})"},
    {"Dense", "of units rest*",
     "!it is a net of the library: import layers, fc: Linear(inputs, {units}), and fc({of})"},
    {"Dense", "units rest*",
     "!it is a net of the library: import layers, fc: Linear(inputs, {units}), and fc(x)"},
    {"Dense", "rest*", "!it is a net of the library: import layers, fc: Linear(inputs, outputs), and fc(x)"},
    {"Embedding", "n d padding_idx=none",
     "!it is a net of the library: import layers, table: Embedding({n}, {d}), and table(i)"},
    {"Embedding", "n d padding_idx rest*",
     "!it is a net of the library, whose rows are all trained: import layers, table: Embedding({n}, {d}), "
     "and "
     "if (i != {padding_idx}) as [N x T x 1] then table(i) else 0"},
    {"Embedding", "of n d rest*",
     "!it is a net of the library: import layers, table: Embedding({n}, {d}), and table({of})"},
    {"Embedding", "n d",
     "!it is a net of the library: import layers, table: Embedding({n}, {d}), and table(i)"},
    {"LayerNorm", "n rest*",
     "!it is a net of the library: import normalization, norm: LayerNorm({n}), and norm(x)"},
    {"MultiheadAttention", "size heads of rest*",
     "!it is a net of the library: import transformer, attend: MultiHeadAttention({size}, {heads}), and "
     "attend({of})"},
    {"MultiheadAttention", "size heads rest*",
     "!it is a net of the library: import transformer, attend: MultiHeadAttention({size}, {heads}), and "
     "attend(x)"},
    {"TransformerEncoderLayer", "size heads of rest*",
     "!it is a net of the library: import transformer, block: EncoderBlock({size}, {heads}), and "
     "block({of})"},
    {"TransformerEncoderLayer", "size heads rest*",
     "!it is a net of the library: import transformer, block: EncoderBlock({size}, {heads}), and block(x)"},
    {"ModuleList ModuleDict", "rest*", "!an array of nets is declared with its number: blocks: [4] Block()"},
    {"Sequential", "rest*", "!functions are applied in turn by x |> f |> g"},
    {"LSTM", "input_size hidden_size num_layers=1 | bidirectional=true rest*",
     "!it is a net of the library: import recurrent, layer: BidirectionalLSTM({input_size}, {hidden_size}), "
     "and layer(x), where the first axis of x is time"},
    {"LSTM", "input_size hidden_size num_layers | bidirectional=true rest*",
     "!each layer is a net of the library: import recurrent, first: BidirectionalLSTM({input_size}, "
     "{hidden_size}), second: BidirectionalLSTM(2*{hidden_size}, {hidden_size}), and x |> first |> second, "
     "where the first axis of x is time"},
    {"LSTM", "input_size hidden_size | bidirectional=true rest*",
     "!it is a net of the library: import recurrent, layer: BidirectionalLSTM({input_size}, {hidden_size}), "
     "and layer(x), where the first axis of x is time"},
    {"RNN GRU", "input_size hidden_size num_layers=1 | bidirectional=true rest*",
     "!it is a net of the library: import recurrent, layer: Bidirectional({input_size}, {hidden_size}, "
     "Layer: {name}), and layer(x), where the first axis of x is time"},
    {"RNN GRU", "input_size hidden_size num_layers | bidirectional=true rest*",
     "!each layer is a net of the library: import recurrent, first: Bidirectional({input_size}, "
     "{hidden_size}, Layer: {name}), second: Bidirectional(2*{hidden_size}, {hidden_size}, Layer: {name}), "
     "and x |> first |> second, where the first axis of x is time"},
    {"RNN GRU", "input_size hidden_size | bidirectional=true rest*",
     "!it is a net of the library: import recurrent, layer: Bidirectional({input_size}, {hidden_size}, "
     "Layer: {name}), and layer(x), where the first axis of x is time"},
    {"RNN GRU LSTM", "input_size hidden_size num_layers=1 rest*",
     "!it is a net of the library: import recurrent, layer: {name}({input_size}, {hidden_size}), and "
     "layer(x), "
     "where the first axis of x is time"},
    {"RNN GRU LSTM", "input_size hidden_size num_layers rest*",
     "!each layer is a net of the library: import recurrent, first: {name}({input_size}, {hidden_size}), "
     "second: {name}({hidden_size}, {hidden_size}), and x |> first |> second, where the first axis of x is "
     "time"},
    {"RNN GRU LSTM", "input_size hidden_size rest*",
     "!it is a net of the library: import recurrent, layer: {name}({input_size}, {hidden_size}), and "
     "layer(x), "
     "where the first axis of x is time"},
    {"RNNCell GRUCell", "input_size hidden_size rest*",
     "!it is a net of the library: import cells, cell: {name}({input_size}, {hidden_size}), and cell(x, h)"},
    {"LSTMCell", "input_size hidden_size rest*",
     "!it is a net of the library: import cells, cell: LSTMCell({input_size}, {hidden_size}), "
     "c' = cell.memory(x, h, c), and h' = cell.output(x, h, c')"},
    {"RNN GRU LSTM RNNCell GRUCell LSTMCell", "rest*",
     "!import recurrent has the nets over whole sequences, RNN, GRU and LSTM; import cells those of one "
     "step, "
     "RNNCell, GRUCell and LSTMCell"},
    {"Parameter", "rest*",
     "!a parameter is declared with its shape and initial value: W: param[4 x 3] = glorot()"},
};

}  // namespace

std::span<const Row> networks() { return rows; }

}  // namespace frontend::python::table
