// Examples of the mistakes with optimizers.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example optimizers_examples[]{
    {"E0430",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adan(rate: 0.001)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0431",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "func descent(p: [n], g: [n], rate: []) -> [n] = p - rate * g\n"
     "optimize with descent(rate: 0.1)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "func descent(p: [s...], g: [s...], rate: []) -> [s...] = p - rate * g\n"
     "optimize with descent(rate: 0.1)\n"},
    {"E0432",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with 0.001\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.001)\n"},
    {"E0433",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(rate: 0.001, m: 0)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0434",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(lr: 0.001)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0435",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(0.001)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0436",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "rates: in[2]\n"
     "optimize with adam(rate: rates)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "rates: in[2]\n"
     "optimize with adam(rate: rates[0])\n"},
    {"E0437",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1)\n"
     "optimize with adam(rate: 0.001)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0438",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "y: out = x • W\n"
     "optimize with adam(rate: 0.001)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "y: out = x • W\n"
     "L: loss = mean(y^2)\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0439",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimizer: out = x\n"
     "optimize with adam(rate: 0.001)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "y: out = x\n"
     "optimize with adam(rate: 0.001)\n"},
    {"E0526",
     "func noisy(p: [s...], g: [s...], rate: []) -> [s...] = dropout(p - rate * g, 0.1)\n"
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with noisy(rate: 0.1)\n",
     "func plain(p: [s...], g: [s...], rate: []) -> [s...] = p - rate * g\n"
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((dropout(x, 0.1) • W)^2)\n"
     "optimize with plain(rate: 0.1)\n"},
};

}  // namespace

std::span<const Example> optimizers() { return optimizers_examples; }

}  // namespace frontend::examples
