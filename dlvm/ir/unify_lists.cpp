#include "dlvm/ir/unify_lists.h"

#include <algorithm>

namespace dlvm {
namespace {

/// Binds the dimensions that stand alone in the pattern. Whether all extents agree is for `unify` to say.
void bind_lone_names(const Type& pattern, const Type& actual, Extent::Substitution& substitution) {
  if (!pattern.has_form_of(actual)) return;
  if (pattern.is_tensor()) {
    for (std::size_t i = 0; i < pattern.rank(); ++i)
      if (const auto name = pattern.shape()[i].name()) substitution.try_emplace(*name, actual.shape()[i]);
    return;
  }
  const std::vector<Type> patterns = pattern.parts(), actuals = actual.parts();
  for (std::size_t i = 0; i < patterns.size(); ++i) bind_lone_names(patterns[i], actuals[i], substitution);
}

}  // namespace

std::size_t unify_lists(std::span<const Type> patterns, std::span<const Type> actuals,
                        Extent::Substitution& substitution) {
  const std::size_t count = std::min(patterns.size(), actuals.size());
  for (std::size_t i = 0; i < count; ++i) bind_lone_names(patterns[i], actuals[i], substitution);
  std::size_t agree = 0;
  while (agree < count && unify(patterns[agree], actuals[agree], substitution)) ++agree;
  return agree;
}

std::size_t unify_lists(std::span<const Type> patterns, std::span<Value* const> values,
                        Extent::Substitution& substitution) {
  std::vector<Type> types;
  for (const Value* value : values) types.push_back(value->type());
  return unify_lists(patterns, types, substitution);
}

}  // namespace dlvm
