// Examples of the mistakes with index notation.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example indices_examples[]{
    {"E0371",
     "A: in[N x N]\n"
     "d[i, i]: out = A[i, i]\n",
     "A: in[N x N]\n"
     "d[i]: out = A[i, i]\n"},
    {"E0372",
     "A: in[3 x 4]\n"
     "B: in[5 x 2]\n"
     "C[i, j]: out = sum(A[i, k] * B[k, j] for k)\n",
     "A: in[3 x 4]\n"
     "B: in[4 x 2]\n"
     "C[i, j]: out = sum(A[i, k] * B[k, j] for k)\n"},
    {"E0373",
     "A: in[3 x 4]\n"
     "y[i]: out = A[i, 4]\n",
     "A: in[3 x 4]\n"
     "y[i]: out = A[i, 3]\n"},
    {"E0374",
     "x: in[N]\n"
     "y[i]: out = 2 * i + sum(x)\n",
     "x: in[N]\n"
     "y[i]: out[4] = 2 * i + sum(x)\n"},
    {"E0375",
     "x: in[3]\n"
     "y: out = sum(x[k] for k in 3..3)\n",
     "x: in[3]\n"
     "y: out = sum(x[k] for k in 0..3)\n"},
    {"E0376",
     "A: in[3 x 4]\n"
     "b: in[4]\n"
     "y[i]: out = A[i, 0] + b\n",
     "A: in[3 x 4]\n"
     "b: in[4]\n"
     "y[i]: out = A[i, 0] + sum(b)\n"},
    {"E0377",
     "A: in[3 x 4]\n"
     "y[i]: out = A[i]\n",
     "A: in[3 x 4]\n"
     "y[i]: out = sum(A[i, k] for k)\n"},
    {"E0378",
     "A: in[3 x 4]\n"
     "y[i]: out = sum(A[i, 0:2])\n",
     "A: in[3 x 4]\n"
     "y[i]: out = sum(A[i, k] for k in 0..2)\n"},
    {"E0379",
     "x: in[N]\n"
     "y[i]: out = sum([x[i], 1])\n",
     "x: in[N]\n"
     "y[i]: out = x[i] + 1\n"},
    {"E0380",
     "x: in[N]\n"
     "y: out = softmax(x[i] for i)\n",
     "x: in[N]\n"
     "y[i]: out = exp(x[i]) / sum(exp(x[k]) for k)\n"},
    {"E0381",
     "A: in[3 x 4]\n"
     "y[i]: out = sum(iota(i)) * A[i, 0]\n",
     "A: in[3 x 4]\n"
     "y[i]: out = sum(k for k in 0..4) * A[i, 0]\n"},
    {"E0382",
     "x: in[3]\n"
     "W[i]: param = 0\n"
     "y: out = x * W\n",
     "x: in[3]\n"
     "W: param[3] = 0\n"
     "y: out = x * W\n"},
    {"E0527",
     "x: in[N]\n"
     "y[i]: out = x[i] + normal(0, 1, to: [])\n",
     "x: in[N]\n"
     "noise = normal(0, 1, to: [N])\n"
     "y[i]: out = x[i] + noise[i]\n"},
};

}  // namespace

std::span<const Example> indices() { return indices_examples; }

}  // namespace frontend::examples
