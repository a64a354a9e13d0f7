#include "dlvm/rematerialization.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "dlvm/analysis/work.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/transform/rematerialization.h"

namespace dlvm {
namespace {

std::vector<CheckpointedValue> described(const std::vector<const Instruction*>& values) {
  std::vector<CheckpointedValue> out;
  for (const Instruction* value : values) {
    const auto& locations = value->locations();
    const std::int64_t bytes = typical_bytes(value->type());
    if (bytes == 0 || value->is(Trait::free)) continue;
    out.push_back({fmt::format("{} {}", value->definition().name, value->type().text()), bytes,
                   locations.empty() ? Location() : locations.front()});
  }
  std::ranges::stable_sort(out, std::greater(), &CheckpointedValue::bytes);
  return out;
}

/// The choice for the function, which is added if CKP did not note one.
CheckpointingChoice& choice_for(const Function& function, std::vector<CheckpointingChoice>& choices) {
  for (CheckpointingChoice& choice : choices)
    if (choice.is_straight_line && choice.function == function.name()) return choice;
  return choices.emplace_back(
      CheckpointingChoice{.function = function.name(), .place = function.place(), .is_straight_line = true});
}

/// Returns whether it is known what the function keeps.
bool rematerialize(Function& function, Diagnostics& diagnostics, const MemoryBudget& budget,
                   CheckpointingChoice& choice) {
  std::string dimension;
  for (const auto& instruction : function.entry().instructions())
    if (dimension.empty()) dimension = dimension_of(instruction->type());
  choice.is_typical = !dimension.empty();
  if (choice.is_typical && !budget.is_percent) {
    diagnostics.report(differentiation::memory_not_known, choice.place, function.name(),
                       depends_on(dimension));
    return false;
  }
  Rematerialization values(function, {});
  RematerializationPlan plan = values.keep_all();
  choice.all = plan.bytes;
  choice.budget = budget.bytes(plan.bytes);
  const bool fits = plan.bytes <= choice.budget;
  if (!fits) plan = values.choose(choice.budget);
  choice.kept = plan.bytes;
  choice.stored = described(plan.kept);
  if (plan.bytes > choice.budget)
    diagnostics.report(differentiation::over_budget, choice.place, function.name(), plan.bytes,
                       choice.budget);
  if (fits || plan.work == 0) return true;
  std::int64_t all_work = 0;
  for (const auto& instruction : function.entry().instructions()) all_work += work(*instruction);
  choice.more_work = static_cast<double>(plan.work) / static_cast<double>(all_work);
  choice.computed_again = described(plan.computed_again);
  values.apply(plan);
  return true;
}

}  // namespace

bool rematerialization(Module& module, Diagnostics& diagnostics, const MemoryBudget& budget,
                       std::vector<CheckpointingChoice>* choices) {
  std::vector<CheckpointingChoice> own;
  if (choices == nullptr) choices = &own;
  bool changed = false;
  std::set<std::string_view> chosen;
  for (const auto& function : module.functions()) {
    if (std::erase(function->attributes, rematerialize_attribute) == 0) continue;
    changed = true;
    if (!function->is_straight_line()) {
      diagnostics.report(differentiation::memory_not_known, choice_for(*function, *choices).place,
                         function->name(), "it has loops, which only first derivatives cut");
      continue;
    }
    if (rematerialize(*function, diagnostics, budget, choice_for(*function, *choices)))
      chosen.insert(function->name());
  }
  std::erase_if(*choices, [&](const CheckpointingChoice& choice) {
    return choice.is_straight_line && !chosen.contains(choice.function);
  });
  return changed;
}

}  // namespace dlvm
