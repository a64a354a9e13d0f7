// Examples of the mistakes with recurrent blocks.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example recurrences_examples[]{
    {"E0450",
     "recurrent t {\n"
     "  dim n = 3\n"
     "  x: in[n]\n"
     "  h: hidden[n] = x + h[t-1]\n"
     "}\n"
     "y: out = h\n",
     "dim n = 3\n"
     "recurrent t {\n"
     "  x: in[n]\n"
     "  h: hidden[n] = x + h[t-1]\n"
     "}\n"
     "y: out = h\n"},
    {"E0451",
     "x: in[N x 3]\n"
     "recurrent t {\n"
     "  h: hidden[N x 3] = 0.5 * h[t-1] + x\n"
     "}\n"
     "y: out = h\n",
     "x: in[N x 3]\n"
     "recurrent t in 10 {\n"
     "  h: hidden[N x 3] = 0.5 * h[t-1] + x\n"
     "}\n"
     "y: out = h\n"},
    {"E0452",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  W: param[3x3] = glorot()\n"
     "  h: hidden[3] = tanh(W • h[t-1] + x)\n"
     "}\n"
     "y: out = h\n",
     "W: param[3x3] = glorot()\n"
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = tanh(W • h[t-1] + x)\n"
     "}\n"
     "y: out = h\n"},
    {"E0453",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[-1] = 1\n"
     "}\n"
     "y: out = h\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[0-1] = 1\n"
     "}\n"
     "y: out = h\n"},
    {"E0454",
     "start: in[3]\n"
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  start[0-1] = 1\n"
     "}\n"
     "y: out = h + start\n",
     "start: in[3]\n"
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[0-1] = start\n"
     "}\n"
     "y: out = h\n"},
    {"E0455",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[0-1] = x\n"
     "}\n"
     "y: out = h\n",
     "start: in[3]\n"
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[0-1] = start\n"
     "}\n"
     "y: out = h\n"},
    {"E0456",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[0-1] = [1, 2]\n"
     "}\n"
     "y: out = h\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  h[0-1] = [1, 2, 3]\n"
     "}\n"
     "y: out = h\n"},
    {"E0457",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = 0.5 * h[t+1] + x\n"
     "}\n"
     "y: out = h\n",
     "recurrent t backward {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = 0.5 * h[t-1] + x\n"
     "}\n"
     "y: out = h\n"},
    {"E0458",
     "x: in[T x 3]\n"
     "recurrent t in T {\n"
     "  h: hidden[3] = 0.5 * h[t-1] + x[t-1]\n"
     "}\n"
     "y: out = h\n",
     "x: in[T x 3]\n"
     "recurrent t over v = x {\n"
     "  h: hidden[3] = 0.5 * h[t-1] + v[t-1]\n"
     "}\n"
     "y: out = h\n"},
    {"E0459",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1, 0] + x\n"
     "}\n"
     "y: out = h\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1][0] + x\n"
     "}\n"
     "y: out = h\n"},
    {"E0460",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1000] + x\n"
     "}\n"
     "y: out = h\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-100] + x\n"
     "}\n"
     "y: out = h\n"},
    {"E0461",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h = 0.5 * h[t-1] + x\n"
     "}\n"
     "y: out = h\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = 0.5 * h[t-1] + x\n"
     "}\n"
     "y: out = h\n"},
    {"E0462",
     "a: in[4 x 3]\n"
     "b: in[5 x 3]\n"
     "recurrent t over u = a, v = b {\n"
     "  h: hidden[3] = h[t-1] + u * v\n"
     "}\n"
     "y: out = h\n",
     "a: in[4 x 3]\n"
     "b: in[5 x 3]\n"
     "recurrent t over u = a, v = b[0:4] {\n"
     "  h: hidden[3] = h[t-1] + u * v\n"
     "}\n"
     "y: out = h\n"},
    {"E0463",
     "s: in\n"
     "recurrent t over u = s {\n"
     "  h: hidden[] = h[t-1] + u\n"
     "}\n"
     "y: out = h\n",
     "s: in\n"
     "recurrent t in 10 {\n"
     "  h: hidden[] = h[t-1] + s\n"
     "}\n"
     "y: out = h\n"},
    {"E0464",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "}\n"
     "y: out = sequence(2 * h)\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "}\n"
     "y: out = 2 * sequence(h)\n"},
    {"E0465",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "  m: hidden = mean(sequence(h))\n"
     "}\n"
     "y: out = m\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "}\n"
     "y: out = mean(sequence(h))\n"},
    {"E0467",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h[t]: hidden[3] = h[t-1] + x\n"
     "}\n"
     "y: out = h\n",
     "recurrent t {\n"
     "  x: in[3]\n"
     "  h: hidden[3] = h[t-1] + x\n"
     "}\n"
     "y: out = h\n"},
    {"E0528",
     "enum Sign { plus([])  minus }\n"
     "recurrent t {\n"
     "  x: in\n"
     "  sign = if x > 0 then Sign.plus(x) else Sign.minus\n"
     "}\n"
     "y: out = match sign { plus(v) => v  minus => -1 }\n",
     "enum Sign { plus([])  minus }\n"
     "recurrent t {\n"
     "  x: in\n"
     "  sign = if x > 0 then Sign.plus(x) else Sign.minus\n"
     "  value = match sign { plus(v) => v  minus => -1 }\n"
     "}\n"
     "y: out = value\n"},
    {"E0615",
     "struct Line { slope: [] offset: [] }\n"
     "recurrent t {\n"
     "  x: in\n"
     "  line = Line(slope: x, offset: t)\n"
     "}\n"
     "y: out = sum(sequence(line).slope * sequence(line).offset)\n",
     "struct Line { slope: [] offset: [] }\n"
     "recurrent t {\n"
     "  x: in\n"
     "  line = Line(slope: x, offset: t)\n"
     "}\n"
     "y: out = sum(sequence(line.slope) * sequence(line.offset))\n"},
};

}  // namespace

std::span<const Example> recurrences() { return recurrences_examples; }

}  // namespace frontend::examples
