#include "frontend/check/auto_shapes/search.h"

#include <algorithm>
#include <set>
#include <utility>

namespace frontend::check {
namespace {

/// The numbers of axes, the most frequent one first.
constexpr std::size_t ranks[] = {2, 1, 0, 3, 4, 5};
constexpr std::size_t most_trials = 2'000;
constexpr std::size_t most_params = 24;
constexpr std::size_t most_failures = 64;

}  // namespace

bool ShapeSearch::is_unknown(const Extent& extent) const {
  const auto name = extent.name();
  return name && unknowns_.contains(*name);
}

// A scalar stretches nothing, so that it does not count that other shapes do.
bool ShapeSearch::is_beaten(const ParamShapes& shapes, const ShapeCost& cost) const {
  return std::ranges::any_of(candidates_, [&](const ShapeCandidate& each) {
    if (!(each.cost < cost)) return false;
    if (each.cost.depends != cost.depends || each.cost.fixed != cost.fixed) return true;
    return std::ranges::none_of(shapes, [&](const auto& param) {
      const auto other = each.shapes.find(param.first);
      return other != each.shapes.end() && other->second.empty() && !param.second.empty();
    });
  });
}

// More assumptions cost as much or more, so that a branch ends where it costs more than a candidate.
void ShapeSearch::branch(const ParamShapes& shapes) {
  if (trials_ == most_trials || work_ == 0 || shapes.size() > most_params) {
    exhausted_ = true;
    return;
  }
  ++trials_;
  TrialOutcome outcome = attempt_(shapes);
  work_ -= std::min(work_, outcome.attempts);
  for (const ShapeUse& use : outcome.uses) uses_.push_back(use);
  ShapeSolution solution = solve(outcome.equations, unknowns_);
  if (outcome.messages.has_errors() || solution.conflict) {
    if (failures_.size() < most_failures)
      failures_.push_back({shapes, std::move(solution), std::move(outcome.messages)});
    return;
  }
  ParamShapes settled = shapes;
  const ShapeCost cost = settle(settled, solution, outcome);
  if (is_beaten(settled, cost)) return;
  if (outcome.missing.empty()) {
    silent_ = silent_ || outcome.silent;
    candidates_.push_back(
        {std::move(settled), std::move(solution.restricted), cost, std::move(outcome.uses)});
    return;
  }
  ParamShapes more = shapes;
  for (const std::size_t rank : ranks) {
    Shape& shape = more[outcome.missing.front()];
    shape.clear();
    for (std::size_t i = 0; i < rank; ++i) {
      shape.push_back(Extent::erased());
      unknowns_.insert(*shape.back().name());
    }
    branch(more);
  }
}

ShapeCost ShapeSearch::settle(ParamShapes& shapes, const ShapeSolution& solution,
                              const TrialOutcome& outcome) const {
  ShapeCost cost{false, solution.fixed, outcome.stretched};
  for (auto& [param, shape] : shapes)
    for (Extent& extent : shape) {
      extent = extent.substitute(solution.values);
      std::set<std::string> names;
      extent.collect_names(names);
      cost.depends = cost.depends || std::ranges::any_of(names, [&](const std::string& name) {
                       return !unknowns_.contains(name);
                     });
    }
  return cost;
}

bool ShapeSearch::extends(const Shape& longer, const Shape& shorter, const UnknownExtents& restricted) const {
  if (shorter.size() < 2 || longer.size() <= shorter.size()) return false;
  const std::size_t more = longer.size() - shorter.size();
  for (std::size_t i = 0; i < more; ++i)
    if (!is_unknown(longer[i]) || restricted.contains(*longer[i].name())) return false;
  for (std::size_t i = 0; i < shorter.size(); ++i)
    if (!equal(longer[more + i], shorter[i])) return false;
  return true;
}

bool ShapeSearch::extends(const ShapeCandidate& longer, const ShapeCandidate& shorter) const {
  bool some = false;
  for (const auto& [param, shape] : longer.shapes) {
    const auto other = shorter.shapes.find(param);
    if (other == shorter.shapes.end()) return false;
    if (extends(shape, other->second, longer.restricted))
      some = true;
    else if (!std::ranges::equal(shape, other->second,
                                 [&](const Extent& a, const Extent& b) { return equal(a, b); }))
      return false;
  }
  return some;
}

std::vector<ShapeCandidate> ShapeSearch::best() const {
  std::vector<ShapeCandidate> left = candidates_;
  std::erase_if(left, [&](const ShapeCandidate& each) { return is_beaten(each.shapes, each.cost); });
  std::vector<ShapeCandidate> result;
  for (const ShapeCandidate& each : left)
    if (std::ranges::none_of(left, [&](const ShapeCandidate& other) { return extends(each, other); }))
      result.push_back(each);
  return result;
}

}  // namespace frontend::check
