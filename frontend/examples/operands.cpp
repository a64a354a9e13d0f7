// Examples of the mistakes with operands: axes, indices, literals.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example operands_examples[]{
    {"E0320",
     "x: in[N x 3]\n"
     "y: out = sum(x, along: [1, -1])\n",
     "x: in[N x 3]\n"
     "y: out = sum(x, along: [0, 1])\n"},
    {"E0321",
     "x: in[N]\n"
     "y: out = if x then 1 else 0\n",
     "x: in[N]\n"
     "y: out = if x > 0 then 1 else 0\n"},
    {"E0322",
     "x: in[N]\n"
     "y: out = x • 2\n",
     "x: in[N]\n"
     "y: out = x * 2\n"},
    {"E0323",
     "x: in[N]\n"
     "y: out = x^T\n",
     "x: in[N]\n"
     "y: out = (x as [1 x N])^T\n"},
    {"E0324",
     "x: in[2 x 3]\n"
     "y: in[2 x 4]\n"
     "z: out = [x, y]\n",
     "x: in[2 x 3]\n"
     "y: in[2 x 4]\n"
     "z: out = [x, y] along 1\n"},
    {"E0325",
     "x: in[3]\n"
     "m: out = [1, 2; 3, x]\n",
     "x: in[3]\n"
     "m: out = [1, 2; 3, x[0]]\n"},
    {"E0326", "m: out = [1, 2; 3]\n", "m: out = [1, 2; 3, 4]\n"},
    {"E0327",
     "x: in[N x 3]\n"
     "y: out = x[:, 3]\n",
     "x: in[N x 3]\n"
     "y: out = x[:, 2]\n"},
    {"E0532",
     "dim P = 3\n"
     "x: in[N x 8]\n"
     "y: out = x[:, 2-P:]\n",
     "x: in[N x 8]\n"
     "y: out = x[:, -1:]\n"},
    {"E0328",
     "x: in[N x 3]\n"
     "y: out = x[:, 1:4]\n",
     "x: in[N x 3]\n"
     "y: out = x[:, 1:3]\n"},
    {"E0329",
     "x: in[N x 3]\n"
     "y: out = x[:, 2:1]\n",
     "x: in[N x 3]\n"
     "y: out = x[:, 1:2]\n"},
    {"E0330",
     "x: in[N x 4]\n"
     "y: out = x[:, 0:4:0]\n",
     "x: in[N x 4]\n"
     "y: out = x[:, 0:4:2]\n"},
    {"E0331",
     "x: in[N]\n"
     "i: in[M]\n"
     "y: out = x[i]\n",
     "x: in[N]\n"
     "i: in int32[M]\n"
     "y: out = x[i]\n"},
    {"E0332", "y: out = one_hot([0, 1, 3], 3)\n", "y: out = one_hot([0, 1, 2], 3)\n"},
    {"E0333",
     "x: in[N x 3]\n"
     "y: out = x[0, 1, 2]\n",
     "x: in[N x 3]\n"
     "y: out = x[0, 1]\n"},
    {"E0334",
     "x: in[3 x 4 x 5]\n"
     "i: in int32[N]\n"
     "y: out = x[i, :, i]\n",
     "x: in[3 x 4 x 5]\n"
     "i: in int32[N]\n"
     "y: out = transpose(x, [0, 2, 1])[i, i]\n"},
    {"E0335",
     "x: in[3 x 4]\n"
     "y: out = broadcast(x, to: [5 x 4])\n",
     "x: in[1 x 4]\n"
     "y: out = broadcast(x, to: [5 x 4])\n"},
    {"E0336",
     "x: in[N]\n"
     "y: out = pad(x, [1, 1], value: [0, 1])\n",
     "x: in[N]\n"
     "y: out = pad(x, [1, 1], value: 1)\n"},
    {"E0337", "y: out = [3 x 4]\n", "y: out = broadcast(0, to: [3 x 4])\n"},
    {"E0338",
     "x: in[N]\n"
     "y: out = x |> 2 * x\n",
     "x: in[N]\n"
     "y: out = x |> relu\n"},
    {"E0339",
     "i: in int32[N]\n"
     "y: out = i^-1\n",
     "i: in int32[N]\n"
     "y: out = (i as float32)^-1\n"},
};

}  // namespace

std::span<const Example> operands() { return operands_examples; }

}  // namespace frontend::examples
