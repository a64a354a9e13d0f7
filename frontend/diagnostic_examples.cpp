#include "frontend/diagnostic_examples.h"

#include <algorithm>

namespace frontend {

const Example* example_of(std::string_view code) {
  constexpr std::string_view family = "TEL-";
  if (!code.starts_with(family)) return nullptr;
  for (const auto examples :
       {examples::auto_shapes(), examples::custom_gradients(), examples::declared_types(),
        examples::entries(), examples::file_names(), examples::gradients(), examples::indices(),
        examples::names(), examples::nets(), examples::operands(), examples::optimizers(),
        examples::recurrences(), examples::scales(), examples::statements(), examples::text(),
        examples::types(), examples::values(), examples::windows()}) {
    const auto found = std::ranges::find(examples, code.substr(family.size()), &Example::code);
    if (found != examples.end()) return &*found;
  }
  return nullptr;
}

}  // namespace frontend
