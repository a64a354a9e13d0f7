#include "dlvm/analysis/elementwise_function.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr int max_nested_calls = 32;
constexpr std::size_t max_instructions = 10'000;

bool is_elementwise(const Function& function, int depth, std::size_t& count) {
  if (depth > max_nested_calls || !function.is_straight_line()) return false;
  const auto& body = function.entry().instructions();
  return std::ranges::all_of(body, [&](const auto& instruction) {
    if (++count > max_instructions) return false;
    if (const auto call = as<Apply>(*instruction)) return is_elementwise(*call.callee(), depth + 1, count);
    return instruction->is(Trait::elementwise) || instruction->is(Trait::terminator);
  });
}

}  // namespace

bool is_elementwise(const Function& function) {
  std::size_t count = 0;
  return is_elementwise(function, 0, count);
}

}  // namespace dlvm
