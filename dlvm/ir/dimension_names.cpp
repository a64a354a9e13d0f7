#include "dlvm/ir/dimension_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

void collect_dimension_names(const BasicBlock& block, std::set<std::string>& names) {
  for (const auto& argument : block.arguments()) argument->type().collect_names(names);
  for (const auto& instruction : block.instructions()) {
    instruction->type().collect_names(names);
    for (const Attribute& attribute : instruction->attributes()) collect(attribute, names);
  }
}

std::set<std::string> dimension_names(const Function& function) {
  std::set<std::string> names;
  function.type().collect_names(names);
  for (const auto& block : function.blocks()) collect_dimension_names(*block, names);
  return names;
}

std::string list_of(const std::set<std::string>& names) {
  std::set<std::string> written;
  for (const std::string& name : names)
    if (!name.starts_with('_')) written.insert(name);
  return written.empty() ? "" : fmt::format(" (it has {})", fmt::join(written, ", "));
}

}  // namespace dlvm
