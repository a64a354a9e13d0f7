#include "dlvm/ir/module.h"

#include <fmt/format.h>

namespace dlvm {

Function* Module::add_function(std::string name, Type type) {
  functions_.push_back(std::make_unique<Function>(std::move(name), std::move(type)));
  Function* added = functions_.back().get();
  by_name_.emplace(added->name(), added);
  return added;
}

Function* Module::function(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::string Module::fresh_name(std::string_view name) {
  std::string candidate(name);
  if (function(candidate) == nullptr) return candidate;
  std::size_t& number = numbers_[candidate];
  do candidate = fmt::format("{}.{}", name, ++number);
  while (function(candidate) != nullptr);
  return candidate;
}

TypeDeclaration* Module::add_type(TypeDeclaration declaration) {
  return types_.emplace_back(std::make_unique<TypeDeclaration>(std::move(declaration))).get();
}

Global* Module::add_global(Global global) {
  return globals_.emplace_back(std::make_unique<Global>(std::move(global))).get();
}

void Module::erase_functions(const std::unordered_set<const Function*>& functions) {
  std::erase_if(by_name_, [&](const auto& named) { return functions.contains(named.second); });
  std::erase_if(functions_, [&](const auto& function) { return functions.contains(function.get()); });
}

std::string_view word(StoredTensor::Role role) {
  constexpr std::string_view words[]{"parameter", "constant", "state"};
  return words[static_cast<std::size_t>(role)];
}

std::string_view word(ArgumentRole role) {
  constexpr std::string_view words[]{"input", "parameter", "constant", "state", "cotangent", "seed"};
  return words[static_cast<std::size_t>(role)];
}

std::string_view word(ResultRole role) {
  constexpr std::string_view words[]{"output", "loss", "metric", "kept", "derivative", "next"};
  return words[static_cast<std::size_t>(role)];
}

std::string_view word(EntryKind kind) {
  constexpr std::string_view words[]{"forward", "evaluate", "gradient", "named_gradient", "step"};
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace dlvm
