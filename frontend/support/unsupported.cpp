#include "frontend/support/unsupported.h"

#include <algorithm>
#include <iterator>

namespace frontend::syntax {
namespace {

constexpr Unsupported blocks[]{
    {"custom", "a 'custom' gradient",
     "where a value is to have the derivative of another, y + stop_gradient(f(y) - y) is f(y) with the "
     "derivative "
     "of y"},
};

}  // namespace

const Unsupported* unsupported_block(std::string_view word) {
  const auto found = std::ranges::find(blocks, word, &Unsupported::word);
  return found == std::end(blocks) ? nullptr : found;
}

void report_unsupported(const Unsupported& what, dlvm::Location location, dlvm::Diagnostics& diagnostics) {
  diagnostics.report(not_supported, location, what.name).fix(std::string(what.advice));
}

}  // namespace frontend::syntax
