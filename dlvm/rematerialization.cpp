#include "dlvm/rematerialization.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "dlvm/analysis/work.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/transform/rematerialization_plan.h"

namespace dlvm {
namespace {

/// The choice for the function, which is added if CKP did not note one.
CheckpointingChoice& choice_for(const Function& function, std::vector<CheckpointingChoice>& choices) {
  for (CheckpointingChoice& choice : choices)
    if (choice.is_straight_line && choice.function == function.name()) return choice;
  return choices.emplace_back(
      CheckpointingChoice{.function = function.name(), .place = function.place(), .is_straight_line = true});
}

void append(std::vector<CheckpointedValue>& to, const std::vector<const Instruction*>& values) {
  for (const Instruction* value : values) {
    const auto& locations = value->locations();
    const std::int64_t bytes = typical_bytes(value->type());
    if (bytes == 0 || value->is(Trait::free)) continue;
    to.push_back({fmt::format("{} {}", value->definition().name, value->type().text()), bytes,
                  locations.empty() ? Location() : locations.front()});
  }
}

/// Cuts the function at the peak; returns the work that this adds.
std::int64_t cut(Function& function, const MemoryPeak& peak, CheckpointingChoice& choice) {
  Rematerialization values(function, peak, {});
  RematerializationPlan plan = values.keep_all();
  const bool fits = plan.bytes <= choice.budget;
  if (!fits) plan = values.choose(choice.budget);
  choice.kept = std::max(choice.kept, plan.bytes);
  append(choice.stored, plan.kept);
  if (fits || plan.work == 0) return 0;
  append(choice.computed_again, plan.computed_again);
  values.apply(plan);
  return plan.work;
}

/// Returns whether it is known what the function keeps.
bool rematerialize(Function& function, Diagnostics& diagnostics, const MemoryBudget& budget,
                   CheckpointingChoice& choice) {
  std::string dimension;
  std::int64_t all_work = 0, more_work = 0;
  for (const auto& instruction : function.entry().instructions()) {
    if (dimension.empty()) dimension = dimension_of(instruction->type());
    all_work += work(*instruction);
  }
  choice.is_typical = !dimension.empty();
  if (choice.is_typical && !budget.is_percent) {
    diagnostics.report(differentiation::memory_not_known, choice.place, function.name(),
                       depends_on(dimension));
    return false;
  }
  const std::vector<MemoryPeak> peaks = memory_peaks(function);
  for (const MemoryPeak& peak : peaks)
    choice.all = std::max(choice.all, Rematerialization(function, peak, {}).keep_all().bytes);
  choice.budget = budget.bytes(choice.all);
  for (const MemoryPeak& peak : peaks) more_work += cut(function, peak, choice);
  if (choice.kept > choice.budget)
    diagnostics.report(differentiation::over_budget, choice.place, function.name(), choice.kept,
                       choice.budget);
  if (more_work != 0) choice.more_work = static_cast<double>(more_work) / static_cast<double>(all_work);
  for (auto* list : {&choice.stored, &choice.computed_again})
    std::ranges::stable_sort(*list, std::greater(), &CheckpointedValue::bytes);
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
