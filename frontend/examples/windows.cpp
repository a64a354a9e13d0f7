// Examples of the mistakes with convolutions and pooling.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example windows_examples[]{
    {"E0384",
     "x: in[N x 28 x 28]\n"
     "k: param[8x1x3x3] = he()\n"
     "y: out = convolve(x, k)\n",
     "x: in[N x 28 x 28]\n"
     "k: param[8x1x3x3] = he()\n"
     "y: out = convolve(x as [N x 1 x 28 x 28], k)\n"},
    {"E0385",
     "x: in[N x 3 x 32 x 32]\n"
     "k: param[3x8x5x5] = he()\n"
     "y: out = convolve(x, k)\n",
     "x: in[N x 3 x 32 x 32]\n"
     "k: param[8x3x5x5] = he()\n"
     "y: out = convolve(x, k)\n"},
    {"E0386",
     "x: in[N x 3 x 32 x 32]\n"
     "y: out = max_pool(x, 2, stride: 0)\n",
     "x: in[N x 3 x 32 x 32]\n"
     "y: out = max_pool(x, 2, stride: 1)\n"},
    {"E0387",
     "x: in[N x 3 x 4 x 4]\n"
     "y: out = max_pool(x, 5)\n",
     "x: in[N x 3 x 4 x 4]\n"
     "y: out = max_pool(x, 4)\n"},
};

}  // namespace

std::span<const Example> windows() { return windows_examples; }

}  // namespace frontend::examples
