#include "codegen/entry_functions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace codegen {

using dlvm::ArgumentRole;
using dlvm::EntryPoint;
using dlvm::ResultRole;

bool is_of_optimizer(const std::string& state) { return state.starts_with("optimizer."); }

std::set<std::string> entry_functions(const dlvm::Module& module) {
  std::set<std::string> names;
  for (const auto& entry : module.entries) names.insert(entry.function);
  return names;
}

std::set<std::string> initializer_functions(const dlvm::Module& module) {
  std::set<std::string> names;
  for (const auto& tensor : module.tensors)
    if (!tensor.initializer.empty()) names.insert(tensor.initializer);
  return names;
}

std::map<std::uint32_t, std::string> parameters_to_freeze(const dlvm::Module& module,
                                                          const std::string& function) {
  std::set<std::string_view> parameters;
  for (const dlvm::StoredTensor& tensor : module.tensors)
    if (tensor.role == dlvm::StoredTensor::Role::parameter) parameters.insert(tensor.name);
  std::optional<std::map<std::uint32_t, std::string>> common;
  for (const EntryPoint& point : module.entries) {
    if (point.function != function) continue;
    for (const EntryPoint::Result& result : point.results)
      if (result.role != ResultRole::output && parameters.contains(result.name)) return {};
    std::map<std::uint32_t, std::string> own;
    for (std::uint32_t i = 0; i < point.arguments.size(); ++i)
      if (point.arguments[i].role == ArgumentRole::parameter) own.emplace(i, point.arguments[i].name);
    if (common)
      std::erase_if(own, [&](const auto& each) {
        const auto known = common->find(each.first);
        return known == common->end() || known->second != each.second;
      });
    common = std::move(own);
  }
  return common.value_or(std::map<std::uint32_t, std::string>{});
}

namespace {

/// Returns the positions of the arguments that next values take the place of, by name: of a state or a
/// parameter that is one argument alone, since others in the same memory would see them.
std::multimap<std::string_view, std::uint32_t> replaced_arguments(const EntryPoint& point) {
  std::map<std::pair<ArgumentRole, std::string_view>, std::vector<std::uint32_t>> stored;
  for (std::uint32_t i = 0; i < point.arguments.size(); ++i) {
    const EntryPoint::Argument& argument = point.arguments[i];
    if (argument.role == ArgumentRole::state || argument.role == ArgumentRole::parameter)
      stored[{argument.role, argument.name}].push_back(i);
  }
  std::multimap<std::string_view, std::uint32_t> replaced;
  for (const auto& [role_and_name, positions] : stored)
    if (positions.size() == 1) replaced.emplace(role_and_name.second, positions.front());
  return replaced;
}

}  // namespace

std::vector<kernel::NextValue> next_values_of(const dlvm::Module& module, const std::string& function) {
  std::optional<std::vector<kernel::NextValue>> common;
  for (const EntryPoint& point : module.entries) {
    if (point.function != function) continue;
    const auto replaced = replaced_arguments(point);
    std::vector<kernel::NextValue> own;
    for (std::uint32_t r = 0; r < point.results.size(); ++r) {
      if (point.results[r].role != ResultRole::next) continue;
      const auto [first, last] = replaced.equal_range(point.results[r].name);
      for (auto each = first; each != last; ++each) {
        const EntryPoint::Argument& argument = point.arguments[each->second];
        own.push_back(
            {each->second, r, argument.role == ArgumentRole::parameter || is_of_optimizer(argument.name)});
      }
    }
    if (common)
      std::erase_if(own, [&](const kernel::NextValue& each) {
        return std::ranges::find(*common, each) == common->end();
      });
    common = std::move(own);
  }
  return common.value_or(std::vector<kernel::NextValue>{});
}

}  // namespace codegen
