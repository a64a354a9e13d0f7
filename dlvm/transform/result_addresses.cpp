#include "dlvm/transform/result_addresses.h"

#include <algorithm>
#include <set>

#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/derived_names.h"

namespace dlvm {
namespace {

bool holds_address(const Type& type) { return any_part_of(type, is_address); }

/// The results that the declaration uses.
std::set<std::int64_t> used_results(const GradientDeclaration& declaration) {
  std::set<std::int64_t> used{declaration.from};
  used.insert(declaration.keeping.begin(), declaration.keeping.end());
  return used;
}

bool has_addresses_to_drop(const GradientDeclaration& declaration) {
  const Function& of = *declaration.of;
  const Type& result = of.type().result();
  if (!of.has_body() || !result.is_tuple()) return false;
  const std::set<std::int64_t> used = used_results(declaration);
  bool drops = false;
  for (std::size_t i = 0; i < result.elements().size(); ++i) {
    if (!holds_address(result.elements()[i])) continue;
    if (used.contains(static_cast<std::int64_t>(i))) return false;
    drops = true;
  }
  return drops && std::ranges::all_of(used, [&](std::int64_t i) {
           return i >= 0 && i < static_cast<std::int64_t>(result.elements().size());
         });
}

/// Adds the function that calls `of` and returns those results.
const Function* add_caller(Module& module, const Function& of, const std::set<std::int64_t>& used) {
  std::vector<Type> results;
  for (const std::int64_t i : used)
    results.push_back(of.type().result().elements()[static_cast<std::size_t>(i)]);
  Function* caller =
      module.add_function(module.fresh_name(name_of_caller(of.name())),
                          Type::function(of.type().parameters(), Type::tuple(std::move(results))));
  caller->location = of.location;
  copy_requirements(*caller, of, {});
  std::vector<std::string> names;
  for (const auto& argument : of.entry().arguments()) names.push_back(argument->name());
  BasicBlock* entry = caller->add_entry(names);
  std::vector<Value*> arguments;
  for (const auto& argument : entry->arguments()) arguments.push_back(argument.get());
  Builder b(*entry);
  Value* all = b.apply(&of, std::move(arguments));
  std::vector<Value*> values;
  for (const std::int64_t i : used) values.push_back(b.extract(all, i));
  b.return_(b.tuple(std::move(values)));
  return caller;
}

}  // namespace

bool drop_returned_addresses(Module& module) {
  std::vector<Function*> declared;
  for (const auto& function : module.functions())
    if (function->gradient && has_addresses_to_drop(*function->gradient)) declared.push_back(function.get());
  for (Function* function : declared) {
    GradientDeclaration& declaration = *function->gradient;
    const std::set<std::int64_t> used = used_results(declaration);
    const auto position = [&](std::int64_t i) { return std::distance(used.begin(), used.find(i)); };
    declaration.of = add_caller(module, *declaration.of, used);
    declaration.from = position(declaration.from);
    for (std::int64_t& kept : declaration.keeping) kept = position(kept);
  }
  return !declared.empty();
}

}  // namespace dlvm
