// Examples of the mistakes with entry points.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example entries_examples[]{
    {"E0401",
     "x: in[N]\n"
     "h = 2 * x\n",
     "x: in[N]\n"
     "h: out = 2 * x\n"},
    {"E0402",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"
     "gradient forward of y wrt x\n",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"
     "gradient slope of y wrt x\n"},
    {"E0403",
     "i: in int32[N]\n"
     "x: in[N]\n"
     "y: out = x * (i as float32)\n"
     "gradient slope of y wrt i\n",
     "i: in int32[N]\n"
     "x: in[N]\n"
     "y: out = x * (i as float32)\n"
     "gradient slope of y wrt x\n"},
    {"E0405",
     "x: in[N x 4]\n"
     "label: in int32[N]\n"
     "W: param[4x3] = glorot()\n"
     "L: loss = 1 - accuracy(x • W, label)\n",
     "x: in[N x 4]\n"
     "label: in int32[N]\n"
     "W: param[4x3] = glorot()\n"
     "L: loss = cross_entropy(x • W, label)\n"
     "hits: metric = accuracy(x • W, label)\n"},
    {"W0503",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out int32[N] = (W * x) as int32\n",
     "x: in[N]\n"
     "W: param = 1\n"
     "y: out = W * x\n"},
    {"W0504",
     "x: in[N]\n"
     "W: param = 1\n"
     "b: param = 0\n"
     "y: out = W * x + b\n"
     "L: loss = mean((W * x)^2)\n",
     "x: in[N]\n"
     "W: param = 1\n"
     "b: param = 0\n"
     "y: out = W * x + b\n"
     "L: loss = mean(y^2)\n"},
    {"W0505",
     "x: in[N]\n"
     "W: param = 1\n"
     "b: param = 0\n"
     "L: loss = mean((W * x + stop_gradient(b))^2)\n",
     "x: in[N]\n"
     "W: param = 1\n"
     "b: param = 0\n"
     "L: loss = mean((W * x + b)^2)\n"},
};

}  // namespace

std::span<const Example> entries() { return entries_examples; }

}  // namespace frontend::examples
