// Examples of the mistakes with names.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example names_examples[]{
    {"E0201",
     "x: in[N]\n"
     "y: out = z\n",
     "x: in[N]\n"
     "z = 2 * x\n"
     "y: out = z\n"},
    {"E0202",
     "x: in[N]\n"
     "y: out = twice(x)\n",
     "func twice(x: [s...]) -> [s...] = 2 * x\n"
     "x: in[N]\n"
     "y: out = twice(x)\n"},
    {"E0203",
     "x: in[N]\n"
     "h = 2 * x\n"
     "h = h + 1\n"
     "y: out = h\n",
     "x: in[N]\n"
     "h = 2 * x\n"
     "g = h + 1\n"
     "y: out = g\n"},
    {"E0204",
     "x: in[N]\n"
     "a = b + x\n"
     "b = 2 * a\n"
     "y: out = b\n",
     "x: in[N]\n"
     "a = x\n"
     "b = 2 * a\n"
     "y: out = b\n"},
    {"E0205",
     "x: in[N]\n"
     "y: out = 1 + exp\n",
     "x: in[N]\n"
     "y: out = 1 + exp(x)\n"},
    {"E0206",
     "x: in[N]\n"
     "y: out = x(0)\n",
     "x: in[N]\n"
     "y: out = x[0]\n"},
    {"E0207",
     "dim d = 4\n"
     "x: in[N x d]\n"
     "d: param[4] = 1\n"
     "y: out = x * d\n",
     "dim d = 4\n"
     "x: in[N x d]\n"
     "scale: param[d] = 1\n"
     "y: out = x * scale\n"},
    {"E0208",
     "n: in int64\n"
     "x: in[n x 3]\n"
     "y: out = x\n",
     "x: in[n x 3]\n"
     "y: out = x * n\n"},
    {"E0209",
     "x: in[N]\n"
     "y: out = iota(M) + x\n",
     "x: in[N]\n"
     "y: out = iota(N) + x\n"},
    {"E0210",
     "x: in[Nx10]\n"
     "y: out = x\n",
     "x: in[N x 10]\n"
     "y: out = x\n"},
    {"E0215",
     "x: in[N]\n"
     "y: out = nn.rellu(x)\n",
     "x: in[N]\n"
     "y: out = nn.relu(x)\n"},
    {"E0216",
     "x: in[N x 3]\n"
     "y: out = x.T\n",
     "x: in[N x 3]\n"
     "y: out = x^T\n"},
    {"E0217",
     "import layers\n"
     "x: in[N]\n"
     "y: out = x + layers\n",
     "import losses\n"
     "x: in[N x 3]\n"
     "y: in[N x 3]\n"
     "L: loss = losses.kl_divergence(x, y)\n"},
    {"E0218",
     "scale: param = 2\n"
     "x: in[N]\n"
     "func scaled(x: [s...]) -> [s...] = scale * x\n"
     "y: out = scaled(x)\n",
     "scale: param = 2\n"
     "x: in[N]\n"
     "func scaled(x: [s...], by: []) -> [s...] = by * x\n"
     "y: out = scaled(x, scale)\n"},
    {"E0219",
     "func f(x: []) -> [] = x * f(x - 1)\n"
     "x: in\n"
     "y: out = f(x)\n",
     "func f(x: []) -> [] = if x < 1 then 1 else x * f(x - 1)\n"
     "x: in\n"
     "y: out = f(x)\n"},
    {"E0220",
     "func half(x: [s...]) -> [s...] = x / 2\n"
     "func half(y: [n]) -> [n] = 0.5 * y\n"
     "x: in[N]\n"
     "y: out = half(x)\n",
     "func half(x: [s...]) -> [s...] = x / 2\n"
     "func half(x: int[s...]) -> int[s...] = floor_divide(x, 2)\n"
     "x: in[N]\n"
     "y: out = half(x)\n"},
    {"E0221",
     "func zeros(x: []) -> [n] = broadcast(x, to: [n])\n"
     "x: in\n"
     "y: out = zeros(x)\n",
     "func zeros(x: [], like: [n]) -> [n] = broadcast(x, to: [n])\n"
     "x: in\n"
     "v: in[N]\n"
     "y: out = zeros(x, v)\n"},
    {"E0222",
     "func wide(x: [n]) -> [s...] = 2 * x\n"
     "x: in[N]\n"
     "y: out = wide(x)\n",
     "func wide(x: [s...]) -> [s...] = 2 * x\n"
     "x: in[N]\n"
     "y: out = wide(x)\n"},
    {"E0223",
     "x: in[N x 3]\n"
     "y: out = sum(x, axis: 0)\n",
     "x: in[N x 3]\n"
     "y: out = sum(x, along: 0)\n"},
    {"E0224",
     "x: in[N]\n"
     "y: out = relu(x, 0.1)\n",
     "x: in[N]\n"
     "y: out = leaky_relu(x, 0.1)\n"},
    {"E0225",
     "x: in[N]\n"
     "y: out = leaky_relu(x, 0.1, slope: 0.2)\n",
     "x: in[N]\n"
     "y: out = leaky_relu(x, slope: 0.2)\n"},
    {"E0226",
     "x: in[N]\n"
     "L: loss = mse(x)\n",
     "x: in[N]\n"
     "target: in[N]\n"
     "L: loss = mse(x, target)\n"},
    {"E0228",
     "// compiled with -D n=4\n"
     "dim d = 4\n"
     "x: in[N x d]\n"
     "y: out = x\n",
     "// compiled with -D d=4\n"
     "dim d = 4\n"
     "x: in[N x d]\n"
     "y: out = x\n"},
    {"E0229",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"
     "gradient slopes of y wrt x, x\n",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"
     "gradient slopes of y wrt x, W\n"},
    {"E0230",
     "x: in[N x 3]\n"
     "W: param[3] = 1\n"
     "V: param[3] = 2 * W\n"
     "y: out = x * W * V\n",
     "x: in[N x 3]\n"
     "start: const[3] = [1, 2, 3]\n"
     "W: param[3] = start\n"
     "V: param[3] = 2 * start\n"
     "y: out = x * W * V\n"},
    {"E0231",
     "dim n = 4\n"
     "dim m = n - 5\n"
     "x: in[N x n]\n"
     "y: out = x * m\n",
     "dim n = 4\n"
     "dim m = n - 4\n"
     "x: in[N x n]\n"
     "y: out = x * m\n"},
    {"E0241",
     "x: in[N]\n"
     "count = 0\n"
     "count' = count + 1\n"
     "y: out = x * count\n",
     "x: in[N]\n"
     "count: state = 0\n"
     "count' = count + 1\n"
     "y: out = x * count\n"},
    {"E0242",
     "x: in[N x 3]\n"
     "mean: state[3] = 0\n"
     "y: out = x - mean'\n",
     "x: in[N x 3]\n"
     "mean: state[3] = 0\n"
     "mean' = 0.9 * mean + 0.1 * x[0]\n"
     "y: out = x - mean'\n"},
    {"E0580",
     "w: in[N]\n"
     "p, _: out = w + 1\n",
     "w: in[N]\n"
     "p: out = w + 1\n"},
    {"W0501",
     "x: in[N]\n"
     "h = 2 * x\n"
     "y: out = x\n",
     "x: in[N]\n"
     "h = 2 * x\n"
     "y: out = h\n"},
    {"W0515",
     "x: in[N x 3]\n"
     "mean: state[3] = 0\n"
     "y: out = x - mean\n",
     "x: in[N x 3]\n"
     "mean: const[3]\n"
     "y: out = x - mean\n"},
    {"W0516",
     "x: in[N]\n"
     "w: param = 0\n"
     "y: out = w * x\n"
     "loss = mean(y^2)\n",
     "x: in[N]\n"
     "w: param = 0\n"
     "y: out = w * x\n"
     "loss: loss = mean(y^2)\n"},
};

}  // namespace

std::span<const Example> names() { return names_examples; }

}  // namespace frontend::examples
