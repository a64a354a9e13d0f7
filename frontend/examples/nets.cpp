// Examples of the mistakes with nets.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example nets_examples[]{
    {"E0260",
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = fc(x)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0261",
     "net Dense(n, m) {\n"
     "  x: in[n]\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [n]) -> [m] = x • W\n"
     "}\n"
     "x: in[3]\n"
     "fc: Dense(3, 2)\n"
     "y: out = fc(x)\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[3]\n"
     "fc: Dense(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0262",
     "net Block(n) {\n"
     "  inner: Block(n)\n"
     "  func apply(x: [s... x n]) -> [s... x n] = 2 * inner(x)\n"
     "}\n"
     "x: in[N x 3]\n"
     "block: Block(3)\n"
     "y: out = block(x)\n",
     "net Layer(n) {\n"
     "  W: param[n x n] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x • W\n"
     "}\n"
     "net Block(n) {\n"
     "  inner: Layer(n)\n"
     "  func apply(x: [s... x n]) -> [s... x n] = 2 * inner(x)\n"
     "}\n"
     "x: in[N x 3]\n"
     "block: Block(3)\n"
     "y: out = block(x)\n"},
    {"E0264",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [100000] Linear(3, 3)\n"
     "y: out = tower(x)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [12] Linear(3, 3)\n"
     "y: out = tower(x)\n"},
    {"E0265",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, 2, 1)\n"
     "y: out = fc(x)\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0266",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3)\n"
     "y: out = fc(x)\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0267",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(n: 3, units: 2)\n"
     "y: out = fc(x)\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(n: 3, m: 2)\n"
     "y: out = fc(x)\n"},
    {"E0268",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, 2, n: 3)\n"
     "y: out = fc(x)\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, m: 2)\n"
     "y: out = fc(x)\n"},
    {"E0269",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [N] Linear(3, 3)\n"
     "y: out = tower(x)\n",
     "import layers\n"
     "dim depth = 4\n"
     "x: in[N x 3]\n"
     "tower: [depth] Linear(3, 3)\n"
     "y: out = tower(x)\n"},
    {"E0270",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = relu(fc)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = relu(fc(x))\n"},
    {"E0271",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "func f(x: [s... x 3]) -> [s... x 2] = relu(fc(x))\n"
     "y: out = f(x)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "func f(h: [s... x 2]) -> [s... x 2] = relu(h)\n"
     "y: out = f(fc(x))\n"},
    {"E0272",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = fc(x) + fc.bias\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = fc(x) + fc.b\n"},
    {"E0273",
     "net Scale(n) {\n"
     "  s: param[n] = 1\n"
     "  func scaled(x: [s... x n]) -> [s... x n] = x * s\n"
     "}\n"
     "x: in[N x 3]\n"
     "scale: Scale(3)\n"
     "y: out = scale(x)\n",
     "net Scale(n) {\n"
     "  s: param[n] = 1\n"
     "  func scaled(x: [s... x n]) -> [s... x n] = x * s\n"
     "}\n"
     "x: in[N x 3]\n"
     "scale: Scale(3)\n"
     "y: out = scale.scaled(x)\n"},
    {"E0274",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [2] Linear(3, 3)\n"
     "y: out = tower.2(x)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [2] Linear(3, 3)\n"
     "y: out = tower.1(x)\n"},
    {"E0275",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [2] Linear(3, 3)\n"
     "y: out = tower(x) + tower.b\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "tower: [2] Linear(3, 3)\n"
     "y: out = tower(x) + tower.0.b\n"},
    {"E0276",
     "import transformer\n"
     "x: in[N x T x 8]\n"
     "a: MultiHeadAttention(8, heads: 2)\n"
     "y: out = a.causal\n",
     "import transformer\n"
     "x: in[N x T x 8]\n"
     "a: MultiHeadAttention(8, heads: 2)\n"
     "y: out = a.causal(x)\n"},
    {"E0277",
     "x: in[N x 3]\n"
     "fc: layers.Linear(3, 2)\n"
     "y: out = fc(x)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: layers.Linear(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0278",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "y: out = Dense(x)\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0279",
     "import layers\n"
     "net Residual(n, Inner = Linear) {\n"
     "  inner: Inner(n, n)\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x + inner(x)\n"
     "}\n"
     "x: in[N x 3]\n"
     "block: Residual(3, Inner: 3)\n"
     "y: out = block(x)\n",
     "import layers\n"
     "net Residual(n, Inner = Linear) {\n"
     "  inner: Inner(n, n)\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x + inner(x)\n"
     "}\n"
     "x: in[N x 3]\n"
     "block: Residual(3, Inner: Projection)\n"
     "y: out = block(x)\n"},
    {"E0595",
     "net Calls {\n"
     "  count: state = 0\n"
     "  func apply(x: [s...]) -> [s...] {\n"
     "    count' = count + 1\n"
     "    return x * count\n"
     "  }\n"
     "}\n"
     "x: in[N x 3]\n"
     "a: Calls()\n"
     "y: out = a(a(x))\n",
     "net Calls {\n"
     "  count: state = 0\n"
     "  func apply(x: [s...]) -> [s...] {\n"
     "    count' = count + 1\n"
     "    return x * count\n"
     "  }\n"
     "}\n"
     "x: in[N x 3]\n"
     "a, b: Calls()\n"
     "y: out = a(b(x))\n"},
    {"E0596",
     "net Calls {\n"
     "  count: state = 0\n"
     "  func apply(x: [s...]) -> [s...] {\n"
     "    if sum(x) > 0 { count' = count + 1 }\n"
     "    return x * count\n"
     "  }\n"
     "}\n"
     "x: in[N x 3]\n"
     "a: Calls()\n"
     "y: out = a(x)\n",
     "net Calls {\n"
     "  count: state = 0\n"
     "  func apply(x: [s...]) -> [s...] {\n"
     "    count' = if sum(x) > 0 then count + 1 else count\n"
     "    return x * count\n"
     "  }\n"
     "}\n"
     "x: in[N x 3]\n"
     "a: Calls()\n"
     "y: out = a(x)\n"},
    {"E0597",
     "net Halves {\n"
     "  count: state = 0\n"
     "  func apply(x: []) -> [] {\n"
     "    count' = count + 1\n"
     "    return if x > 1 then apply(x / 2) else x\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "a: Halves()\n"
     "y: out = a(x)\n",
     "net Halves {\n"
     "  count: state = 0\n"
     "  func halved(x: []) -> [] = if x > 1 then halved(x / 2) else x\n"
     "  func apply(x: []) -> [] {\n"
     "    count' = count + 1\n"
     "    return halved(x)\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "a: Halves()\n"
     "y: out = a(x)\n"},
    {"E0598",
     "net Calls {\n"
     "  count: state = 0\n"
     "  func apply(x: [s...]) -> [s...] {\n"
     "    count' = count + 1\n"
     "    return x * count\n"
     "  }\n"
     "}\n"
     "x: in[N x 3]\n"
     "a: Calls()\n"
     "y: out = a(x) * a.count'\n",
     "net Calls {\n"
     "  count: state = 0\n"
     "  func apply(x: [s...]) -> ([s...], []) {\n"
     "    count' = count + 1\n"
     "    return (x * count, count')\n"
     "  }\n"
     "}\n"
     "x: in[N x 3]\n"
     "a: Calls()\n"
     "h, count = a(x)\n"
     "y: out = h * count\n"},
};

}  // namespace

std::span<const Example> nets() { return nets_examples; }

}  // namespace frontend::examples
