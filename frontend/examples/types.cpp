// Examples of the mistakes with shapes, element types and extents.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example types_examples[]{
    {"E0301",
     "x: in[N x 3]\n"
     "b: param[4] = 0\n"
     "y: out = x + b\n",
     "x: in[N x 3]\n"
     "b: param[3] = 0\n"
     "y: out = x + b\n"},
    {"E0302",
     "x: in[N]\n"
     "i: in int32[N]\n"
     "y: out = x + i\n",
     "x: in[N]\n"
     "i: in int32[N]\n"
     "y: out = x + (i as float32)\n"},
    {"E0303",
     "x: in[N x 3]\n"
     "W: param[4x3] = 0\n"
     "y: out = x • W\n",
     "x: in[N x 3]\n"
     "W: param[4x3] = 0\n"
     "y: out = x • W^T\n"},
    {"E0304",
     "i: in int32[N]\n"
     "y: out = i / 2\n",
     "i: in int32[N]\n"
     "y: out = floor_divide(i, 2)\n"},
    {"E0305",
     "i: in int32[N]\n"
     "y: out = i * 0.5\n",
     "i: in int32[N]\n"
     "y: out = (i as float32) * 0.5\n"},
    {"E0306",
     "x: in[N]\n"
     "y: out = x * 1e99999\n",
     "x: in[N]\n"
     "y: out = x * 1e30\n"},
    {"E0307",
     "x: in[N x 3]\n"
     "y: out[N] = x\n",
     "x: in[N x 3]\n"
     "y: out[N] = sum(x, along: 1)\n"},
    {"E0308",
     "x: in[N]\n"
     "y: out int32[N] = x\n",
     "x: in[N]\n"
     "y: out int32[N] = x as int32\n"},
    {"E0309",
     "x: in[N]\n"
     "y: out = x as [9_000_000_000_000 * 9_000_000_000_000]\n",
     "x: in[N]\n"
     "y: out = x as [N x 1]\n"},
    {"E0310",
     "x: in[100_000_000 x 10_000_000]\n"
     "y: out = sum(x)\n",
     "x: in[1_000 x 10_000_000]\n"
     "y: out = sum(x)\n"},
    {"E0311",
     "x: in[3]\n"
     "y: out = broadcast(x, to: [0 x 3])\n",
     "x: in[3]\n"
     "y: out = broadcast(x, to: [1 x 3])\n"},
    {"E0312",
     "dim d = 0\n"
     "x: in[N x 12/d]\n"
     "y: out = x\n",
     "dim d = 2\n"
     "x: in[N x 12/d]\n"
     "y: out = x\n"},
    {"E0313",
     "x: in[N]\n"
     "y: out = iota(sum(x))\n",
     "x: in[N]\n"
     "y: out = x + iota(N)\n"},
    {"E0314",
     "x: in[N]\n"
     "y: out = broadcast(x, to: [? x N])\n",
     "x: in[N]\n"
     "y: out = broadcast(x, to: [3 x N])\n"},
    {"E0315",
     "x: in[N x 12]\n"
     "y: out = x as [? x ? x 3]\n",
     "x: in[N x 12]\n"
     "y: out = x as [N x ? x 3]\n"},
    {"E0316",
     "x: in[3 x 4]\n"
     "y: out = x as [5 x 3]\n",
     "x: in[3 x 4]\n"
     "y: out = x as [4 x 3]\n"},
    {"E0317",
     "x: in[N x 3]\n"
     "y: out = sum(x, along: sum(x))\n",
     "x: in[N x 3]\n"
     "y: out = sum(x, along: 0)\n"},
    {"E0318",
     "x: in[N x 3]\n"
     "y: out = transpose(x, 1)\n",
     "x: in[N x 3]\n"
     "y: out = transpose(x, [1, 0])\n"},
    {"E0319",
     "x: in[N x 3]\n"
     "y: out = softmax(x, along: 2)\n",
     "x: in[N x 3]\n"
     "y: out = softmax(x, along: 1)\n"},
};

}  // namespace

std::span<const Example> types() { return types_examples; }

}  // namespace frontend::examples
