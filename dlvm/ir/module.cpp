#include "dlvm/ir/module.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlvm {

Function* Module::add_function(std::string name, Type type) {
  functions_.push_back(std::make_unique<Function>(std::move(name), std::move(type)));
  return functions_.back().get();
}

Function* Module::function(std::string_view name) const {
  for (const auto& function : functions_)
    if (function->name() == name) return function.get();
  return nullptr;
}

std::string Module::fresh_name(std::string_view name) const {
  std::string candidate(name);
  for (std::size_t i = 1; function(candidate) != nullptr; ++i) candidate = fmt::format("{}.{}", name, i);
  return candidate;
}

void Module::erase_function(const Function* function) {
  std::erase_if(functions_, [&](const auto& other) { return other.get() == function; });
}

std::string_view word(StoredTensor::Role role) {
  return role == StoredTensor::Role::parameter ? "parameter" : "constant";
}

std::string_view word(ArgumentRole role) {
  constexpr std::string_view words[]{"input", "parameter", "constant", "cotangent", "seed"};
  return words[static_cast<std::size_t>(role)];
}

std::string_view word(ResultRole role) {
  constexpr std::string_view words[]{"output", "loss", "kept", "derivative"};
  return words[static_cast<std::size_t>(role)];
}

std::string_view word(EntryKind kind) {
  constexpr std::string_view words[]{"forward", "evaluate", "gradient", "named_gradient"};
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace dlvm
