// Examples of the mistakes with derivatives that functions declare.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example custom_gradients_examples[]{
    {"E0540",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient g(x, dy) = dy\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n"},
    {"E0541",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x) = x\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n"},
    {"E0542",
     "x: in[N]\n"
     "func f(x: [s...]) = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n"},
    {"E0543",
     "k: in int32\n"
     "func f(k: int32[]) -> [] = k as float32\n"
     "custom gradient f(k, dy) = dy\n"
     "y: out = f(k)\n",
     "k: in int32\n"
     "func f(k: []) -> [] = floor(k)\n"
     "custom gradient f(k, dy) = dy\n"
     "y: out = f(k as float32)\n"},
    {"E0544",
     "x: in[N]\n"
     "func f(x: [n]) -> [n] = floor(x)\n"
     "func f(x: [n x m]) -> [n x m] = ceil(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func f(x: [n]) -> [n] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n"},
    {"E0545",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "custom gradient f(x, dy) = 2 * dy\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n"},
    {"E0546",
     "x: in[N]\n"
     "func f(x: [n]) -> [n] = dropout(x, 0.5)\n"
     "custom gradient f(x, dy) = dy\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func f(x: [n], mask: [n]) -> [n] = x * mask\n"
     "custom gradient f(x, mask, dy) = (dy * mask, 0 * mask)\n"
     "y: out = f(x, dropout(0 * x + 1, 0.5))\n"},
    {"E0547",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "y[i]: out = 2 * f(x[i])\n",
     "x: in[N]\n"
     "func f(x: [s...]) -> [s...] = floor(x)\n"
     "custom gradient f(x, dy) = dy\n"
     "z = f(x)\n"
     "y[i]: out = 2 * z[i]\n"},
    {"E0582",
     "x: in[N]\n"
     "func f(x: [n]) -> [n] = tanh(x)\n"
     "custom gradient f(x, dy) = 0.5 * gradient(sum(f(x) * dy), wrt: x)\n"
     "y: out = f(x)\n",
     "x: in[N]\n"
     "func plain(x: [n]) -> [n] = tanh(x)\n"
     "func f(x: [n]) -> [n] = plain(x)\n"
     "custom gradient f(x, dy) = 0.5 * gradient(sum(plain(x) * dy), wrt: x)\n"
     "y: out = f(x)\n"},
};

}  // namespace

std::span<const Example> custom_gradients() { return custom_gradients_examples; }

}  // namespace frontend::examples
