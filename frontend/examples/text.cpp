// Examples of the mistakes with the text of a module and its imports.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example text_examples[]{
    {"E0103",
     "x: in[N]\n"
     "/* doubled\n"
     "y: out = 2 * x\n",
     "x: in[N]\n"
     "/* doubled */\n"
     "y: out = 2 * x\n"},
    {"E0104",
     "x: in[N]\n"
     "y: out = 2 * x  # twice\n",
     "x: in[N]\n"
     "y: out = 2 * x  // twice\n"},
    {"E0581",
     "x: in[N]\n"
     "w: param[4] from fc.bias = 0\n"
     "y: out = x * sum(w)\n",
     "x: in[N]\n"
     "w: param[4] from \"fc.bias\" = 0\n"
     "y: out = x * sum(w)\n"},
    {"E0105",
     "x: in[N]\n"
     "y: out = .5 * x\n",
     "x: in[N]\n"
     "y: out = 0.5 * x\n"},
    {"E0106",
     "x: in[N x 3]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = x. W\n",
     "x: in[N x 3]\n"
     "W: param[3x2] = glorot()\n"
     "y: out = x . W\n"},
    {"E0107",
     "x: in[2 x N]\n"
     "y: in[2xN]\n"
     "z: out = x + y\n",
     "x: in[2 x N]\n"
     "y: in[2 x N]\n"
     "z: out = x + y\n"},
    {"E0110",
     "x: in[N]\n"
     "y: out = exp(x\n",
     "x: in[N]\n"
     "y: out = exp(x)\n"},
    {"E0111",
     "x: in[N]\n"
     "y: out = x)\n",
     "x: in[N]\n"
     "y: out = (x)\n"},
    {"E0112",
     "x: in[N]\n"
     "y: out = sum(x[0:1))\n",
     "x: in[N]\n"
     "y: out = sum(x[0:1])\n"},
    {"E0120",
     "x: in[N]\n"
     "y: out = 2 x\n",
     "x: in[N]\n"
     "y: out = 2 * x\n"},
    {"E0121",
     "2 * x\n"
     "x: in[N]\n",
     "x: in[N]\n"
     "y: out = 2 * x\n"},
    {"E0122",
     "x: in[N]\n"
     "match: out = x\n",
     "x: in[N]\n"
     "matches: out = x\n"},
    {"E0123",
     "x: input[N]\n"
     "y: out = x\n",
     "x: in[N]\n"
     "y: out = x\n"},
    {"E0124",
     "x: in float[N]\n"
     "y: out = x\n",
     "x: in float32[N]\n"
     "y: out = x\n"},
    {"E0125",
     "x: in[N x 2.5]\n"
     "y: out = x\n",
     "x: in[N x 2]\n"
     "y: out = x\n"},
    {"E0126",
     "x: in[N]\n"
     "y: in[2*x]\n"
     "z: out = sum(x) + sum(y)\n",
     "x: in[N]\n"
     "y: in[2*N]\n"
     "z: out = sum(x) + sum(y)\n"},
    {"E0127",
     "x: in[N]\n"
     "y: out = 0 < x < 1\n",
     "x: in[N]\n"
     "y: out = 0 < x and x < 1\n"},
    {"E0128",
     "x: in[4]\n"
     "y: out = x as [2x2][0]\n",
     "x: in[4]\n"
     "y: out = (x as [2x2])[0]\n"},
    {"E0129", "m: out = [[1, 2], [3, 4]]\n", "m: out = [1, 2; 3, 4]\n"},
    {"E0130",
     "x: in[N]\n"
     "type float64\n"
     "y: out = x\n",
     "type float64\n"
     "x: in[N]\n"
     "y: out = x\n"},
    {"E0131",
     "x: in[N, 3]\n"
     "y: out = x\n",
     "x: in[N x 3]\n"
     "y: out = x\n"},
    {"E0132",
     "x: in[N x 3]\n"
     "y: out = sum(x, along=1)\n",
     "x: in[N x 3]\n"
     "y: out = sum(x, along: 1)\n"},
    {"E0133",
     "x: in[N x 3]\n"
     "y: out = [x, x] along 1.5\n",
     "x: in[N x 3]\n"
     "y: out = [x, x] along 1\n"},
    {"E0134",
     "x: in[3x4]\n"
     "c[3x4] = 2 * x\n"
     "y: out = c\n",
     "x: in[3x4]\n"
     "c: hidden[3x4] = 2 * x\n"
     "y: out = c\n"},
    {"E0136",
     "x: in[N]\n"
     "let y = 2 * x\n"
     "z: out = y\n",
     "x: in[N]\n"
     "y = 2 * x\n"
     "z: out = y\n"},
    {"E0140",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "x: in[N x 3]\n",
     "net Dense(n, m) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3, 2)\n"
     "y: out = fc(x)\n"},
    {"E0141",
     "net Dense(n) {\n"
     "  dim m = 4\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3)\n"
     "y: out = fc(x)\n",
     "net Dense(n, m = 4) {\n"
     "  W: param[n x m] = glorot()\n"
     "  func apply(x: [s... x n]) -> [s... x m] = x • W\n"
     "}\n"
     "x: in[N x 3]\n"
     "fc: Dense(3)\n"
     "y: out = fc(x)\n"},
    {"E0142",
     "net Scale(n) {\n"
     "  s: param[n] = 1\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x * s\n"
     "}\n"
     "x: in[N x 3]\n"
     "scales: [2 x 2] Scale(3)\n"
     "y: out = scales(x)\n",
     "net Scale(n) {\n"
     "  s: param[n] = 1\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x * s\n"
     "}\n"
     "x: in[N x 3]\n"
     "scales: [4] Scale(3)\n"
     "y: out = scales(x)\n"},
    {"E0151",
     "A: in[3 x 4]\n"
     "y[0, j]: out = A[0, j]\n",
     "A: in[3 x 4]\n"
     "y[j]: out = A[0, j]\n"},
    {"E0152",
     "x: in[N]\n"
     "y: out = x[i]^2 for i\n",
     "x: in[N]\n"
     "y[i]: out = x[i]^2\n"},
    {"E0211",
     "import layer\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = fc(x)\n",
     "import layers\n"
     "x: in[N x 3]\n"
     "fc: Linear(3, 2)\n"
     "y: out = fc(x)\n"},
    {"W0518",
     "x: in[3]\n"
     "func scaled(x: [n], by: []) -> [n] = 2 * x\n"
     "y: out = scaled(x, 3)\n",
     "x: in[3]\n"
     "func scaled(x: [n], by: []) -> [n] = by * x\n"
     "y: out = scaled(x, 3)\n"},
    {"W0521",
     "x: in[N]\n"
     "y: out = x[0:7/2]\n",
     "x: in[N]\n"
     "y: out = x[0:3]\n"},
    {"W0517",
     "n: in int32[N]\n"
     "half: out = n // 2\n",
     "n: in int32[N]\n"
     "half: out = floor_divide(n, 2)\n"},
};

}  // namespace

std::span<const Example> text() { return text_examples; }

}  // namespace frontend::examples
