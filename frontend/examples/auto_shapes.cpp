// Examples of the mistakes with params that are declared `auto`.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example auto_shapes_examples[]{
    {"E0570",
     "x: in[N x 8]\n"
     "z: in[N x 5]\n"
     "W: param[auto] = glorot()\n"
     "y: out[N x 3] = x • W\n"
     "u: out[N x 3] = z • W\n",
     "x: in[N x 8]\n"
     "z: in[N x 5]\n"
     "W, V: param[auto] = glorot()\n"
     "y: out[N x 3] = x • W\n"
     "u: out[N x 3] = z • V\n"},
    {"E0571",
     "x: in[N x 8]\n"
     "W: param[auto] = glorot()\n"
     "b: param[auto] = 0\n"
     "y: out[N x 3] = x • W + b\n",
     "x: in[N x 8]\n"
     "W: param[auto] = glorot()\n"
     "b: param[3] = 0\n"
     "y: out[N x 3] = x • W + b\n"},
    {"E0572",
     "x: in[N x 8]\n"
     "centre: param[auto] = 0\n"
     "L: loss = mse(x, centre)\n",
     "x: in[N x 8]\n"
     "centre: param[auto] = 0\n"
     "L: loss = mse(mean(x, along: 0), centre)\n"},
    {"E0573",
     "n: in\n"
     "W: param[auto] = glorot()\n"
     "y: out[3] = n • W\n",
     "n: in\n"
     "W: param[auto] = glorot()\n"
     "y: out[3] = n * W\n"},
    {"E0574",
     "x: in[auto]\n"
     "y: out = 2 * x\n",
     "x: in[N]\n"
     "y: out = 2 * x\n"},
};

}  // namespace

std::span<const Example> auto_shapes() { return auto_shapes_examples; }

}  // namespace frontend::examples
