#include "frontend/support/unsupported.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace frontend::syntax {
namespace {

constexpr Unsupported blocks[]{
    {"recurrent", "a 'recurrent' block",
     "write the steps out, h1 = step(x[0], h0), h2 = step(x[1], h1); or compile one step, h: state[...] = 0 "
     "and "
     "h' = step(x, h), and call it in a loop"},
    {"custom", "a 'custom' gradient",
     "where a value is to have the derivative of another, y + stop_gradient(f(y) - y) is f(y) with the "
     "derivative "
     "of y"},
    {"optimize", "'optimize'", "call gradient, and update the parameters in the program that calls it"},
};

constexpr Unsupported functions[]{
    {"gradient", "a gradient inside an expression",
     "declare it as an entry point: gradient slope of L wrt x"},
    {"sequence", "'sequence'", "join the steps: stack(h1, h2, along: 0)"},
};

const Unsupported* find(std::span<const Unsupported> all, std::string_view word) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.word == word; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Unsupported* unsupported_block(std::string_view word) { return find(blocks, word); }
const Unsupported* unsupported_function(std::string_view word) { return find(functions, word); }

void report_unsupported(const Unsupported& what, dlvm::Location location, dlvm::Diagnostics& diagnostics) {
  diagnostics.report(not_supported, location, what.name).fix(std::string(what.advice));
}

}  // namespace frontend::syntax
