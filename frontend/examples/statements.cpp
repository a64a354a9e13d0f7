// Examples of the mistakes with statements.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example statements_examples[]{
    {"E0360",
     "func positive(x: []) -> [] {\n"
     "  if x > 0 { return x }\n"
     "}\n"
     "x: in\n"
     "y: out = positive(x)\n",
     "func positive(x: []) -> [] {\n"
     "  if x > 0 { return x }\n"
     "  return 0\n"
     "}\n"
     "x: in\n"
     "y: out = positive(x)\n"},
    {"E0361",
     "func twice(x: [n]) -> [n] {\n"
     "  let y = x\n"
     "  y = y + x\n"
     "  return y\n"
     "}\n"
     "x: in[N]\n"
     "y: out = twice(x)\n",
     "func twice(x: [n]) -> [n] {\n"
     "  var y = x\n"
     "  y = y + x\n"
     "  return y\n"
     "}\n"
     "x: in[N]\n"
     "y: out = twice(x)\n"},
    {"E0362",
     "func extended(x: [3]) -> [] {\n"
     "  var y = x\n"
     "  y = [y, 0]\n"
     "  return norm(y)\n"
     "}\n"
     "x: in[3]\n"
     "y: out = extended(x)\n",
     "func extended(x: [3]) -> [] {\n"
     "  let y = [x, 0]\n"
     "  return norm(y)\n"
     "}\n"
     "x: in[3]\n"
     "y: out = extended(x)\n"},
    {"E0363",
     "func moments(x: [n]) -> ([], []) = (mean(x), variance(x))\n"
     "x: in[N]\n"
     "y: out = sum(moments(x))\n",
     "func moments(x: [n]) -> ([], []) = (mean(x), variance(x))\n"
     "func both(x: [n]) -> [] {\n"
     "  let (m, v) = moments(x)\n"
     "  return m + v\n"
     "}\n"
     "x: in[N]\n"
     "y: out = both(x)\n"},
    {"E0364",
     "func moments(x: [n]) -> ([], []) {\n"
     "  return mean(x)\n"
     "}\n"
     "func spread(x: [n]) -> [] {\n"
     "  let (m, v) = moments(x)\n"
     "  return sqrt(v) / m\n"
     "}\n"
     "x: in[N]\n"
     "y: out = spread(x)\n",
     "func moments(x: [n]) -> ([], []) {\n"
     "  return (mean(x), variance(x))\n"
     "}\n"
     "func spread(x: [n]) -> [] {\n"
     "  let (m, v) = moments(x)\n"
     "  return sqrt(v) / m\n"
     "}\n"
     "x: in[N]\n"
     "y: out = spread(x)\n"},
    {"E0365",
     "func root(a: []) -> [] {\n"
     "  var y = a\n"
     "  while true { y = 0.5 * (y + a / y) }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "y: out = root(x)\n",
     "func root(a: []) -> [] {\n"
     "  var y = a\n"
     "  while abs(y * y - a) > 1e-6 * a { y = 0.5 * (y + a / y) }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "y: out = root(x)\n"},
    {"E0366",
     "func factorial(n: int64) = if n <= 1 then 1 else n * factorial(n - 1)\n"
     "n: in int64\n"
     "y: out int64 = factorial(n)\n",
     "func factorial(n: int64) -> int64 = if n <= 1 then 1 else n * factorial(n - 1)\n"
     "n: in int64\n"
     "y: out int64 = factorial(n)\n"},
    {"E0367",
     "func total(x: [n]) -> [] = if n == 1 then x[0] else x[0] + total(x[1:n])\n"
     "x: in[4]\n"
     "y: out = total(x)\n",
     "func total(x: [n], from: int64) -> [] = if from == n then 0 else x[from] + total(x, from + 1)\n"
     "x: in[4]\n"
     "y: out = total(x, 0)\n"},
    {"E0368",
     "func power(x: [], n: int32) -> [] {\n"
     "  var y: [] = 1\n"
     "  for i in 0..n { y = y * x }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "n: in int32\n"
     "y: out = power(x, n)\n",
     "func power(x: [], n: int32) -> [] {\n"
     "  var y: [] = 1\n"
     "  for i in 0..n as int64 { y = y * x }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "n: in int32\n"
     "y: out = power(x, n)\n"},
    {"E0369",
     "func safe_sum(x: [n], keep: bool) {\n"
     "  if keep { return x }\n"
     "  return sum(x)\n"
     "}\n"
     "x: in[N]\n"
     "y: out = safe_sum(x, false)\n",
     "func safe_sum(x: [n], keep: bool) -> [n] {\n"
     "  if keep { return x }\n"
     "  return broadcast(sum(x), to: [n])\n"
     "}\n"
     "x: in[N]\n"
     "y: out = safe_sum(x, false)\n"},
    {"E0370",
     "func power(x: []) -> [] {\n"
     "  var y: [] = 1\n"
     "  for i in 0..3 by 0 { y = y * x }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "y: out = power(x)\n",
     "func power(x: []) -> [] {\n"
     "  var y: [] = 1\n"
     "  for i in 0..3 by 1 { y = y * x }\n"
     "  return y\n"
     "}\n"
     "x: in\n"
     "y: out = power(x)\n"},
    {"W0510",
     "func twice(x: [n]) -> [n] {\n"
     "  return x\n"
     "  return 2 * x\n"
     "}\n"
     "x: in[N]\n"
     "y: out = twice(x)\n",
     "func twice(x: [n]) -> [n] {\n"
     "  return 2 * x\n"
     "}\n"
     "x: in[N]\n"
     "y: out = twice(x)\n"},
};

}  // namespace

std::span<const Example> statements() { return statements_examples; }

}  // namespace frontend::examples
