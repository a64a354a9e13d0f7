#include "dlvm/rematerialization.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/work.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/transform/arm_rematerialization.h"
#include "dlvm/transform/dead_code_elimination.h"
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

/// Computes again what exceeds `budget`; returns the bytes that are kept, and adds to `more_work`.
template <typename Values>
std::int64_t cut(Values& values, std::int64_t budget, CheckpointingChoice& choice, std::int64_t& more_work) {
  RematerializationPlan plan = values.keep_all();
  const bool fits = plan.bytes <= budget;
  if (!fits) plan = values.choose(budget);
  append(choice.stored, plan.kept);
  if (fits || plan.work == 0) return plan.bytes;
  append(choice.computed_again, plan.computed_again);
  more_work += plan.work;
  values.apply(plan);
  return plan.bytes;
}

/// Cuts a function of one block at each of its peaks; returns the work that this adds. What several gradients
/// share is computed again for the first of them, and is then a peak for the next one: the peaks that are
/// left are cut again, a few times at most.
std::int64_t cut_peaks(Function& function, const MemoryBudget& budget, CheckpointingChoice& choice) {
  constexpr int most_rounds = 4;
  std::int64_t more_work = 0, last_work = -1;
  for (int round = 0; round < most_rounds && more_work > last_work; ++round) {
    const std::vector<MemoryPeak> peaks = memory_peaks(function);
    if (round == 0) {
      for (const MemoryPeak& peak : peaks)
        choice.all = std::max(choice.all, Rematerialization(function, peak, {}).keep_all().bytes);
      choice.budget = budget.bytes(choice.all);
    }
    last_work = more_work;
    choice.kept = 0;
    for (const MemoryPeak& peak : peaks) {
      Rematerialization values(function, peak, {});
      choice.kept = std::max(choice.kept, cut(values, choice.budget, choice, more_work));
    }
    if (choice.kept <= choice.budget) break;
  }
  return more_work;
}

/// Cuts the ways of a function's branches, each in proportion to what it keeps; returns the work that this
/// adds.
std::int64_t cut_arms(Function& function, const MemoryBudget& budget, CheckpointingChoice& choice) {
  Arms found = arms_of(function);
  std::vector<std::int64_t> bytes;
  for (const ArmRematerialization& arm : found.arms) bytes.push_back(arm.keep_all().bytes);
  const std::int64_t sum = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  choice.all = sum + found.fixed;
  choice.budget = budget.bytes(choice.all);
  choice.kept = found.fixed;
  const auto left = static_cast<double>(std::max<std::int64_t>(choice.budget - found.fixed, 0));
  std::int64_t more_work = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double share =
        left * static_cast<double>(bytes[i]) / static_cast<double>(std::max<std::int64_t>(sum, 1));
    choice.kept += cut(found.arms[i], static_cast<std::int64_t>(share), choice, more_work);
  }
  if (more_work != 0) remove_dead_instructions(function);
  return more_work;
}

/// Returns whether it is known what the function keeps.
bool rematerialize(Function& function, Diagnostics& diagnostics, const MemoryBudget& budget,
                   CheckpointingChoice& choice) {
  std::string dimension;
  std::int64_t all_work = 0;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (dimension.empty()) dimension = dimension_of(instruction->type());
      all_work += work(*instruction);
    }
  choice.is_typical = !dimension.empty();
  if (choice.is_typical && !budget.is_percent) {
    diagnostics.report(differentiation::memory_not_known, choice.place, function.name(),
                       depends_on(dimension));
    return false;
  }
  const std::int64_t more_work =
      function.is_straight_line() ? cut_peaks(function, budget, choice) : cut_arms(function, budget, choice);
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
    if (ControlFlow(*function).has_cycle()) {
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
