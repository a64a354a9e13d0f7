// Examples of the mistakes with the factors of stored integers and of the loss.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example scales_examples[]{
    {"E0605",
     "x: in[N x 4]\n"
     "W: param[4x2] scale 0.5 = glorot()\n"
     "y: out = x • W\n",
     "x: in[N x 4]\n"
     "W: const int8[4x2] scale 0.5\n"
     "y: out = x • W\n"},
    {"E0606",
     "x: in[N x 4]\n"
     "W: const[4x2] scale 0.5\n"
     "y: out = x • W\n",
     "x: in[N x 4]\n"
     "W: const int8[4x2] scale 0.5\n"
     "y: out = x • W\n"},
    {"E0607",
     "x: in[N x 4]\n"
     "W: const int8[4x2] scale (1 / 127)\n"
     "y: out = x • W\n",
     "x: in[N x 4]\n"
     "s: const = 1 / 127\n"
     "W: const int8[4x2] scale s\n"
     "y: out = x • W\n"},
    {"E0608",
     "x: in[N x 4]\n"
     "s: const int32\n"
     "W: const int8[4x2] scale s\n"
     "y: out = x • W\n",
     "x: in[N x 4]\n"
     "s: const\n"
     "W: const int8[4x2] scale s\n"
     "y: out = x • W\n"},
    {"E0609",
     "x: in[N x 4]\n"
     "s: const[4]\n"
     "W: const int8[4x2] scale s\n"
     "y: out = x • W\n",
     "x: in[N x 4]\n"
     "s: const[4 x 1]\n"
     "W: const int8[4x2] scale s\n"
     "y: out = x • W\n"},
    {"E0610",
     "rates: in[2]\n"
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling rates\n",
     "rates: in[2]\n"
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling rates[0]\n"},
    {"E0611",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling dynamic(start: 1024)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling dynamic(initial: 1024)\n"},
    {"E0612",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling dynamic(backoff: 2)\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling dynamic(backoff: 0.25)\n"},
    {"E0650",
     "x: in[N x 4]\n"
     "W: const int8[4x2] scale 0\n"
     "y: out = x • W\n",
     "x: in[N x 4]\n"
     "W: const int8[4x2] scale 0.01\n"
     "y: out = x • W\n"},
    {"E0651",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling 0\n",
     "x: in[N x 4]\n"
     "W: param[4x2] = glorot()\n"
     "L: loss = mean((x • W)^2)\n"
     "optimize with sgd(rate: 0.1) scaling 1024\n"},
};

}  // namespace

std::span<const Example> scales() { return scales_examples; }

}  // namespace frontend::examples
