// Examples of the mistakes with arguments, values and constants.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example values_examples[]{
    {"E0340",
     "i: in int32[N]\n"
     "y: out = softmax(i)\n",
     "i: in int32[N]\n"
     "y: out = softmax(i as float32)\n"},
    {"E0341",
     "x: in[N]\n"
     "y: in float64[N]\n"
     "L: loss = mse(x, y)\n",
     "x: in[N]\n"
     "y: in float64[N]\n"
     "L: loss = mse(x, y as float32)\n"},
    {"E0342",
     "func scaled(x: [s... x n], w: [n]) -> [s... x n] = x * w\n"
     "x: in[N x 3]\n"
     "y: out = scaled(x, [1, 2])\n",
     "func scaled(x: [s... x n], w: [n]) -> [s... x n] = x * w\n"
     "x: in[N x 3]\n"
     "y: out = scaled(x, [1, 2, 3])\n"},
    {"E0343",
     "func half(x: [s...]) -> [s...] = x / 2\n"
     "func half(x: int[s...]) -> int[s...] = floor_divide(x, 2)\n"
     "x: in bool[N]\n"
     "y: out = half(x)\n",
     "func half(x: [s...]) -> [s...] = x / 2\n"
     "func half(x: int[s...]) -> int[s...] = floor_divide(x, 2)\n"
     "x: in bool[N]\n"
     "y: out = half(x as float32)\n"},
    {"E0344",
     "func half(x: []) -> [] = x / 2\n"
     "func half(x: int[]) -> int[] = floor_divide(x, 2)\n"
     "y: out = half(3)\n",
     "func half(x: []) -> [] = x / 2\n"
     "func half(x: int[]) -> int[] = floor_divide(x, 2)\n"
     "y: out = half(3 as int32)\n"},
    {"E0345",
     "x: in[N]\n"
     "y: out[N]\n",
     "x: in[N]\n"
     "y: out[N] = 2 * x\n"},
    {"E0346",
     "x: in[N] = 0\n"
     "y: out = x\n",
     "x: in[N]\n"
     "y: out = x\n"},
    {"E0347",
     "x: in[N x 3]\n"
     "W: param[N x 3] = 0\n"
     "y: out = x * W\n",
     "x: in[N x 3]\n"
     "W: param[3] = 0\n"
     "y: out = x * W\n"},
    {"E0348",
     "x: in int32[N x 3]\n"
     "W: param int32[3] = 1\n"
     "y: out = x * W\n",
     "x: in[N x 3]\n"
     "W: param[3] = 1\n"
     "y: out = x * W\n"},
    {"E0349",
     "x: in[N]\n"
     "w: param = 1\n"
     "L: loss = (w * x)^2\n",
     "x: in[N]\n"
     "w: param = 1\n"
     "L: loss = mean((w * x)^2)\n"},
    {"E0350",
     "x: in[N x 3]\n"
     "y: out = x • glorot()\n",
     "W: param[3x4] = glorot()\n"
     "x: in[N x 3]\n"
     "y: out = x • W\n"},
    {"E0351",
     "x: in[N x 3]\n"
     "w: param[3] = orthogonal()\n"
     "y: out = x * w\n",
     "x: in[N x 3]\n"
     "w: param[3x3] = orthogonal()\n"
     "y: out = x • w\n"},
    {"E0352",
     "x: in[N]\n"
     "y: out = x * 1.001^100000\n",
     "x: in[N]\n"
     "y: out = x * (1.001 as float32)^100000\n"},
    {"E0354",
     "x: in[N x 3]\n"
     "w: param[3] = random(1, -1)\n"
     "y: out = x * w\n",
     "x: in[N x 3]\n"
     "w: param[3] = random(-1, 1)\n"
     "y: out = x * w\n"},
    {"E0355",
     "x: in[N x 3]\n"
     "mask: const[3] = dropout([1, 1, 1], 0.5)\n"
     "y: out = x * mask\n",
     "x: in[N x 3]\n"
     "y: out = dropout(x, 0.5)\n"},
    {"E0356",
     "x: in[N x 3]\n"
     "y: out = dropout(x, 20)\n",
     "x: in[N x 3]\n"
     "y: out = dropout(x, 0.2)\n"},
    {"W0502",
     "x: in[N x 3]\n"
     "W: param[3x1] = glorot()\n"
     "y: out = softmax(x • W)\n",
     "x: in[N x 3]\n"
     "W: param[3x1] = glorot()\n"
     "y: out = sigmoid(x • W)\n"},
    {"W0519",
     "x: in[N x 3]\n"
     "label: in int32[N]\n"
     "W: param[3x5] = glorot()\n"
     "y: out = softmax(x • W)\n"
     "L: loss = cross_entropy(y, label)\n",
     "x: in[N x 3]\n"
     "label: in int32[N]\n"
     "W: param[3x5] = glorot()\n"
     "logits = x • W\n"
     "y: out = softmax(logits)\n"
     "L: loss = cross_entropy(logits, label)\n"},
    {"W0520",
     "x: in[N x T x 4]\n"
     "W: param[4x4] = glorot()\n"
     "recurrent t over z = x {\n"
     "  h: hidden[N x 4] = tanh(z • W + h[t-1])\n"
     "}\n"
     "y: out = h\n",
     "x: in[N x T x 4]\n"
     "W: param[4x4] = glorot()\n"
     "recurrent t over z = transpose(x, [1, 0, 2]) {\n"
     "  h: hidden[N x 4] = tanh(z • W + h[t-1])\n"
     "}\n"
     "y: out = h\n"},
    {"W0506",
     "x: in[N x 4]\n"
     "W: param[4x4] = 0\n"
     "y: out = x * W\n",
     "x: in[N x 4]\n"
     "W: param[4x4] = 0\n"
     "y: out = x • W\n"},
    {"W0523",
     "x: in[N x T x 4]\n"
     "target: in[N x 4]\n"
     "y: out = mean(x, along: 0)\n"
     "L: loss = mean((y - target)^2)\n",
     "x: in[N x T x 4]\n"
     "target: in[N x 4]\n"
     "y: out = mean(x, along: 1)\n"
     "L: loss = mean((y - target)^2)\n"},
    {"W0507",
     "x: in[N x 4]\n"
     "y: out = max(x, -1)\n",
     "x: in[N x 4]\n"
     "y: out = max(x, along: -1)\n"},
    {"W0524",
     "x: in[N]\n"
     "y: out = stack([x, 2 * x], along: 1)\n",
     "x: in[N]\n"
     "y: out = stack(x, 2 * x, along: 1)\n"},
    {"W0508",
     "x: in[N]\n"
     "limit: const = 1 / 0\n"
     "y: out = min(x, limit)\n",
     "x: in[N]\n"
     "limit: const = 1e30\n"
     "y: out = min(x, limit)\n"},
    {"E0525",
     "x: in[N x 3]\n"
     "y: out = x + normal(0, 1)\n",
     "x: in[N x 3]\n"
     "y: out = x + normal(0, 1, to: [N x 3])\n"},
};

}  // namespace

std::span<const Example> values() { return values_examples; }

}  // namespace frontend::examples
