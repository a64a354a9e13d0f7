#include "frontend/diagnostic_examples.h"

#include <algorithm>
#include <iterator>

namespace frontend {
namespace {

constexpr Example examples[]{
    {"E0104", "x: in[N]\ny: out = 2 * x  # twice\n", "x: in[N]\ny: out = 2 * x  // twice\n"},
    {"E0105", "x: in[N]\ny: out = .5 * x\n", "x: in[N]\ny: out = 0.5 * x\n"},
    {"E0107", "x: in[2 x N]\ny: in[2xN]\nz: out = x + y\n", "x: in[2 x N]\ny: in[2 x N]\nz: out = x + y\n"},
    {"E0110", "x: in[N]\ny: out = exp(x\n", "x: in[N]\ny: out = exp(x)\n"},
    {"E0111", "x: in[N]\ny: out = x)\n", "x: in[N]\ny: out = (x)\n"},
    {"E0120", "x: in[N]\ny: out = 2 x\n", "x: in[N]\ny: out = 2 * x\n"},
    {"E0122", "x: in[N]\nmatch: out = x\n", "x: in[N]\nmatches: out = x\n"},
    {"E0123", "x: input[N]\ny: out = x\n", "x: in[N]\ny: out = x\n"},
    {"E0124", "x: in float[N]\ny: out = x\n", "x: in float32[N]\ny: out = x\n"},
    {"E0127", "x: in[N]\ny: out = 0 < x < 1\n", "x: in[N]\ny: out = 0 < x and x < 1\n"},
    {"E0129", "m: out = [[1, 2], [3, 4]]\n", "m: out = [1, 2; 3, 4]\n"},
    {"E0131", "x: in[N, 3]\ny: out = x\n", "x: in[N x 3]\ny: out = x\n"},
    {"E0132", "x: in[N x 3]\ny: out = sum(x, along=1)\n", "x: in[N x 3]\ny: out = sum(x, along: 1)\n"},
    {"E0136", "x: in[N]\nlet y = 2 * x\nz: out = y\n", "x: in[N]\ny = 2 * x\nz: out = y\n"},
    {"E0201", "x: in[N]\ny: out = z\n", "x: in[N]\nz = 2 * x\ny: out = z\n"},
    {"E0202", "x: in[N]\ny: out = twice(x)\n",
     "func twice(x: [s...]) -> [s...] = 2 * x\nx: in[N]\ny: out = twice(x)\n"},
    {"E0205", "x: in[N]\ny: out = 1 + exp\n", "x: in[N]\ny: out = 1 + exp(x)\n"},
    {"E0216", "x: in[N x 3]\ny: out = x.T\n", "x: in[N x 3]\ny: out = x^T\n"},
    {"E0223", "x: in[N x 3]\ny: out = sum(x, axis: 0)\n", "x: in[N x 3]\ny: out = sum(x, along: 0)\n"},
    {"E0301", "x: in[N x 3]\nb: param[4] = 0\ny: out = x + b\n",
     "x: in[N x 3]\nb: param[3] = 0\ny: out = x + b\n"},
    {"E0302", "x: in[N]\ni: in int32[N]\ny: out = x + i\n",
     "x: in[N]\ni: in int32[N]\ny: out = x + (i as float32)\n"},
    {"E0303", "x: in[N x 3]\nW: param[4x3] = 0\ny: out = x • W\n",
     "x: in[N x 3]\nW: param[4x3] = 0\ny: out = x • W^T\n"},
    {"E0304", "i: in int32[N]\ny: out = i / 2\n", "i: in int32[N]\ny: out = floor_divide(i, 2)\n"},
    {"E0305", "i: in int32[N]\ny: out = i * 0.5\n", "i: in int32[N]\ny: out = (i as float32) * 0.5\n"},
    {"E0307", "x: in[N x 3]\ny: out[N] = x\n", "x: in[N x 3]\ny: out[N] = sum(x, along: 1)\n"},
    {"E0308", "x: in[N]\ny: out int32[N] = x\n", "x: in[N]\ny: out int32[N] = x as int32\n"},
    {"E0321", "x: in[N]\ny: out = if x then 1 else 0\n", "x: in[N]\ny: out = if x > 0 then 1 else 0\n"},
    {"E0327", "x: in[N x 3]\ny: out = x[:, 3]\n", "x: in[N x 3]\ny: out = x[:, 2]\n"},
    {"W0506", "x: in[N x 4]\nW: param[4x4] = 0\ny: out = x * W\n",
     "x: in[N x 4]\nW: param[4x4] = 0\ny: out = x • W\n"},
    {"W0507", "x: in[N x 4]\ny: out = max(x, -1)\n", "x: in[N x 4]\ny: out = max(x, along: -1)\n"},
    {"W0516", "x: in[N]\nw: param = 0\ny: out = w * x\nloss = mean(y^2)\n",
     "x: in[N]\nw: param = 0\ny: out = w * x\nloss: loss = mean(y^2)\n"},
    {"W0518", "x: in[3]\nfunc scaled(x: [n], by: []) -> [n] = 2 * x\ny: out = scaled(x, 3)\n",
     "x: in[3]\nfunc scaled(x: [n], by: []) -> [n] = by * x\ny: out = scaled(x, 3)\n"},
    {"W0517", "n: in int32[N]\nhalf: out = n // 2\n", "n: in int32[N]\nhalf: out = floor_divide(n, 2)\n"},
};

}  // namespace

const Example* example_of(std::string_view code) {
  constexpr std::string_view family = "TEL-";
  if (!code.starts_with(family)) return nullptr;
  const auto found = std::ranges::find(examples, code.substr(family.size()), &Example::code);
  return found == std::end(examples) ? nullptr : &*found;
}

}  // namespace frontend
