#include "dlvm/ir/dimension_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace dlvm {
namespace {

void collect(const Attribute& attribute, std::set<std::string>& names) {
  if (const auto* shape = std::get_if<Shape>(&attribute))
    for (const Extent& extent : *shape) extent.collect_names(names);
  if (const auto* type = std::get_if<Type>(&attribute)) type->collect_names(names);
  if (const auto* pairs = std::get_if<ExtentPairs>(&attribute))
    for (const auto& [before, after] : *pairs) {
      before.collect_names(names);
      after.collect_names(names);
    }
}

}  // namespace

std::set<std::string> dimension_names(const Function& function) {
  std::set<std::string> names;
  function.type().collect_names(names);
  for (const auto& block : function.blocks()) {
    for (const auto& argument : block->arguments()) argument->type().collect_names(names);
    for (const auto& instruction : block->instructions()) {
      instruction->type().collect_names(names);
      for (const Attribute& attribute : instruction->attributes()) collect(attribute, names);
    }
  }
  return names;
}

bool is_bound_of_lowering(const std::string& name, const Module& module) {
  const auto ends = [&](std::string_view word) { return name.ends_with(word); };
  constexpr std::string_view words[]{"_depth", "_steps", "_nodes"};
  if (std::ranges::none_of(words, ends)) return false;
  // Characters that a dimension's name cannot have are others there.
  return std::ranges::any_of(module.functions(), [&](const auto& function) {
    const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0; };
    const std::string_view of = function->name();
    const auto end = std::ranges::find_if_not(of, is_word);
    return name.find(std::string_view(of.begin(), end)) <= 1;
  });
}

std::string list_of(const std::set<std::string>& names) {
  std::set<std::string> written;
  for (const std::string& name : names)
    if (!name.starts_with('_')) written.insert(name);
  return written.empty() ? "" : fmt::format(" (it has {})", fmt::join(written, ", "));
}

}  // namespace dlvm
