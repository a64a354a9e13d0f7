#include "frontend/check/auto_shapes/search.h"

#include <algorithm>
#include <utility>

namespace frontend::check {
namespace {

constexpr std::size_t most_axes = 5;
constexpr std::size_t most_params = 24;
constexpr std::size_t most_failures = 64;

}  // namespace

bool ShapeSearch::is_unknown(const Extent& extent) const {
  const auto name = extent.name();
  return name && unknowns_.contains(*name);
}

void ShapeSearch::branch(const ParamShapes& shapes) {
  if (trials_ == 0 || shapes.size() > most_params) {
    exhausted_ = true;
    return;
  }
  --trials_;
  TrialOutcome outcome = attempt_(shapes);
  for (const ShapeUse& use : outcome.uses) uses_.push_back(use);
  ShapeSolution solution = solve(outcome.equations, unknowns_);
  if (outcome.messages.has_errors() || solution.conflict) {
    if (failures_.size() < most_failures)
      failures_.push_back({shapes, std::move(solution), std::move(outcome.messages)});
    return;
  }
  if (outcome.missing.empty()) return add_candidate(shapes, solution, std::move(outcome));
  ParamShapes more = shapes;
  Shape& shape = more[outcome.missing.front()];
  for (std::size_t rank = 0; rank <= most_axes; ++rank) {
    branch(more);
    shape.push_back(Extent::erased());
    unknowns_.insert(*shape.back().name());
  }
}

void ShapeSearch::add_candidate(const ParamShapes& shapes, const ShapeSolution& solution,
                                TrialOutcome outcome) {
  silent_ = silent_ || outcome.silent;
  ShapeCandidate candidate{shapes, solution.restricted, solution.fixed, outcome.stretched, false, std::move(outcome.uses)};
  for (auto& [param, shape] : candidate.shapes)
    for (Extent& extent : shape) {
      extent = extent.substitute(solution.values);
      std::set<std::string> names;
      extent.collect_names(names);
      candidate.depends = candidate.depends || std::ranges::any_of(names, [&](const std::string& name) {
                            return !unknowns_.contains(name);
                          });
    }
  candidates_.push_back(std::move(candidate));
}

bool ShapeSearch::extends(const Shape& longer, const Shape& shorter, const UnknownExtents& restricted) const {
  if (shorter.empty() || longer.size() <= shorter.size()) return false;
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
  if (std::ranges::any_of(left, [](const ShapeCandidate& each) { return !each.depends; }))
    std::erase_if(left, [](const ShapeCandidate& each) { return each.depends; });
  for (const auto member : {&ShapeCandidate::fixed, &ShapeCandidate::stretched}) {
    std::size_t least = SIZE_MAX;
    for (const ShapeCandidate& each : left) least = std::min(least, each.*member);
    std::erase_if(left, [&](const ShapeCandidate& each) { return each.*member > least; });
  }
  std::vector<ShapeCandidate> result;
  for (const ShapeCandidate& each : left)
    if (std::ranges::none_of(left, [&](const ShapeCandidate& other) { return extends(each, other); }))
      result.push_back(each);
  return result;
}

}  // namespace frontend::check
