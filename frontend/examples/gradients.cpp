// Examples of the mistakes with gradients inside expressions and derivatives of functions.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example gradients_examples[]{
    {"E0470",
     "x: in[N]\n"
     "y: out = gradient(sum(x^2))\n",
     "x: in[N]\n"
     "y: out = gradient(sum(x^2), wrt: x)\n"},
    {"E0471",
     "x: in[N]\n"
     "u = tanh(x)\n"
     "y: out = gradient(u, wrt: x)\n",
     "x: in[N]\n"
     "u = tanh(x)\n"
     "y: out = gradient(sum(u), wrt: x)\n"},
    {"E0472",
     "x: in[N]\n"
     "y: out = gradient(sum(tanh(2 * x)), wrt: 2 * x)\n",
     "x: in[N]\n"
     "z = 2 * x\n"
     "y: out = gradient(sum(tanh(z)), wrt: z)\n"},
    {"E0473",
     "func own(wrt: []) -> [] = 2 * wrt\n"
     "x: in\n"
     "t: in\n"
     "y: out = own(wrt: (x, t))\n",
     "func own(wrt: [n]) -> [n] = 2 * wrt\n"
     "x: in\n"
     "t: in\n"
     "y: out = own(wrt: [x, t])\n"},
    {"E0635",
     "struct Line { slope: []  points: int32 }\n"
     "line: in Line\n"
     "g = gradient(line.slope^2, wrt: line)\n"
     "y: out = g.slope\n",
     "struct Line { slope: []  points: int32 }\n"
     "line: in Line\n"
     "y: out = gradient(line.slope^2, wrt: line.slope)\n"},
    {"E0636",
     "struct Two { a: []  b: [] }\n"
     "struct Four { a: Two  b: Two }\n"
     "struct Eight { a: Four  b: Four }\n"
     "struct S16 { a: Eight  b: Eight }\n"
     "struct S32 { a: S16  b: S16 }\n"
     "struct S64 { a: S32  b: S32 }\n"
     "struct S128 { a: S64  b: S64 }\n"
     "struct S256 { a: S128  b: S128 }\n"
     "func f(s: S256) -> [] = gradient(s.a.a.a.a.a.a.a.a^2, wrt: s.a.a.a.a.a.a.a.a)\n",
     "func own(x: []) -> [] = gradient(x^2, wrt: x)\n"
     "x: in\n"
     "y: out = own(x)\n"},
    {"W0522",
     "x: in[N]\n"
     "t: in[N]\n"
     "y: out = gradient(sum(x^2), wrt: t)\n",
     "x: in[N]\n"
     "t: in[N]\n"
     "y: out = gradient(sum(x^2 * t), wrt: t)\n"},
    {"E0475",
     "func moved(x: []) -> [] {\n"
     "  var y = x\n"
     "  for i in 0..3 { y = y - 0.1 * gradient(y^2, wrt: x) }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "y: out = moved(x)\n",
     "func moved(x: []) -> [] {\n"
     "  var y = x\n"
     "  for i in 0..3 { y = y - 0.1 * gradient(y^2, wrt: y) }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "y: out = moved(x)\n"},
    {"E0476",
     "x: in[N]\n"
     "u = tanh(x)\n"
     "y[i]: out = gradient(u[i], wrt: x)\n",
     "x: in[N]\n"
     "u = tanh(x)\n"
     "y[i]: out = gradient(sum(u), wrt: x)[i]\n"},
    {"E0477",
     "k: const = 2.0\n"
     "slope: const = gradient(k^2, wrt: k)\n"
     "x: in[N]\n"
     "y: out = slope * x\n",
     "k: const = 2.0\n"
     "slope: const = 2 * k\n"
     "x: in[N]\n"
     "y: out = slope * x\n"},
    {"E0480",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"
     "gradient slope of y wrt W seedable\n",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"
     "gradient slope of y wrt W\n"},
    {"E0481",
     "func half(x: [s...]) -> [s...] = x / 2\n"
     "func half(x: int[s...]) -> int[s...] = floor_divide(x, 2)\n"
     "gradient half_slope of half wrt x\n"
     "x: in[N]\n"
     "y: out = half(x)\n",
     "func half(x: [s...]) -> [s...] = x / 2\n"
     "gradient half_slope of half wrt x\n"
     "x: in[N]\n"
     "y: out = half(x) + half_slope(x)\n"},
    {"E0482",
     "func layer(x: [n x k], W: [k x m]) -> [n x m] = x • W\n"
     "gradient layer_back of layer wrt b\n"
     "x: in[N x 3]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = layer(x, W)\n",
     "func layer(x: [n x k], W: [k x m]) -> [n x m] = x • W\n"
     "gradient layer_back of layer wrt W\n"
     "x: in[N x 3]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = layer(x, W)\n"
     "z: out = layer_back(x, W)\n"},
    {"E0483",
     "func moments(x: [n]) -> ([], []) = (mean(x), variance(x))\n"
     "gradient slope of moments from 2 wrt x\n"
     "x: in[N]\n"
     "y: out = sum(x)\n",
     "func moments(x: [n]) -> ([], []) = (mean(x), variance(x))\n"
     "gradient slope of moments from 1 wrt x\n"
     "x: in[N]\n"
     "y: out = slope(x)\n"},
    {"E0484",
     "func layer(x: [n x k], W: [k x m]) -> [n x m] = tanh(x • W)\n"
     "gradient layer_back of layer wrt W seedable\n"
     "x: in[N x 3]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = layer_back(x, W, x)\n",
     "func layer(x: [n x k], W: [k x m]) -> [n x m] = tanh(x • W)\n"
     "gradient layer_back of layer wrt W seedable\n"
     "x: in[N x 3]\n"
     "dy: in[N x 2]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = layer_back(x, W, dy)\n"},
    {"E0485",
     "func layer(x: [n x k], W: [k x m]) -> [n x m] = tanh(x • W)\n"
     "gradient layer_back of layer wrt W seedable\n"
     "x: in[N x 3]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = layer_back(x, W)\n",
     "func layer(x: [n x k], W: [k x m]) -> [n x m] = tanh(x • W)\n"
     "gradient layer_back of layer wrt W seedable\n"
     "x: in[N x 3]\n"
     "dy: in[N x 2]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = layer_back(x, W, cotangent: dy)\n"},
};

}  // namespace

std::span<const Example> gradients() { return gradients_examples; }

}  // namespace frontend::examples
