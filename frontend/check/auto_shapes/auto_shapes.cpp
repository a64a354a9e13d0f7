#include "frontend/check/auto_shapes/auto_shapes.h"

#include <algorithm>

#include "frontend/check/checker.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The declarations of one search.
constexpr std::size_t most_targets = 64;

bool is_constant(const Shape& shape) {
  return std::ranges::all_of(shape, [](const Extent& each) { return each.constant().has_value(); });
}

}  // namespace

void AutoShapes::find() {
  Program& program = checker_.program_;
  const auto add = [&](Declaration& each) {
    const bool of_sample = each.net != nullptr && each.net->sample;
    if (each.has_unknown_shape() && !of_sample) params_.push_back(&each);
  };
  for (Declaration& each : program.declarations) add(each);
  for (Declaration& each : program.net_declarations) add(each);
  if (params_.empty()) return;
  for (Declaration* param : params_) check_element(*param);
  for (Function& function : program.functions)
    if (!function.defined) checker_.complete({nullptr, nullptr, &function});
  for (bool all = false;;) {
    checker_.suspended_.clear();
    attempt_all();
    if (checker_.diagnostics_.error_count() > dlvm::Diagnostics::error_limit) break;
    bool progress = false;
    for (Declaration* param : params_)
      if (param->has_unknown_shape() && !param->failed) progress = find(*param, all) || progress;
    if (!progress && all) break;
    all = !progress;
  }
  for (Declaration* param : params_)
    if (param->has_unknown_shape() && !param->failed) report_undetermined(*param);
  forget_unfinished();
}

/// No shape makes a param of an integer type one that can be trained.
void AutoShapes::check_element(Declaration& param) {
  const auto& written = param.syntax->type.element;
  if (!written) return;
  dlvm::Diagnostics messages;
  param.type = {element_of(*written), {}, nullptr};
  param.failed = !Checker::may_be_trained(param, messages);
  checker_.keep(messages);
}

void AutoShapes::attempt_all() {
  for (Declaration& each : checker_.program_.declarations) {
    const Declaration& typed = each.pattern != nullptr ? *each.pattern : each;
    if (!typed.has_unknown_shape()) checker_.complete({&each});
  }
}

std::vector<Declaration*> AutoShapes::users(Declaration& param, bool all) const {
  std::vector<Declaration*> users;
  for (Declaration& each : checker_.program_.declarations) {
    const auto found = checker_.suspended_.find(&each);
    if (found == checker_.suspended_.end() || (!all && !found->second.waiting.empty())) continue;
    if (std::ranges::find(found->second.params, &param) != found->second.params.end() &&
        users.size() < most_targets)
      users.push_back(&each);
  }
  return users;
}

ShapeSearch AutoShapes::search(const std::vector<Declaration*>& targets, std::optional<Location> only) {
  ShapeSearch search([this, &targets,
                      only](const ParamShapes& shapes) { return checker_.try_shapes(shapes, targets, only); },
                     work_);
  search.run();
  return search;
}

bool AutoShapes::find(Declaration& param, bool all) {
  const auto targets = users(param, all);
  if (targets.empty()) return false;
  if (exhausted_.contains(targets)) {
    open_.try_emplace(&param);
    return false;
  }
  const ShapeSearch found = search(targets);
  const auto candidates = found.best();
  if (candidates.empty() && !found.is_exhausted()) {
    report_failure(param, targets, found);
    param.failed = true;
    for (const ShapeFailure& failure : found.failures())
      for (const auto& [other, shape] : failure.shapes) other->failed = true;
    return true;
  }
  if (found.is_exhausted()) {
    open_.try_emplace(&param);
    exhausted_.insert(targets);
  } else {
    open_[&param] = candidates;
  }
  if (!found.is_exhausted() && take(candidates)) return true;
  if (!found.is_silent()) return false;
  param.failed = true;  // its use has a mistake, which has been reported
  return true;
}

/// Takes the shapes on which the candidates agree.
bool AutoShapes::take(const std::vector<ShapeCandidate>& candidates) {
  bool found = false;
  for (const auto& [param, shape] : candidates.front().shapes) {
    if (!is_constant(shape)) continue;
    if (!std::ranges::all_of(candidates, [&, param = param, &shape = shape](const ShapeCandidate& each) {
          const auto other = each.shapes.find(param);
          return other != each.shapes.end() && other->second == shape;
        }))
      continue;
    param->found_shape = shape;
    found = true;
    for (const ShapeUse& use : candidates.front().uses)
      if (use.param == param && !param->shape_use.valid()) param->shape_use = use.location;
  }
  return found;
}

/// The functions that were to be called with what has now another type, or none.
void AutoShapes::forget_unfinished() {
  checker_.suspended_.clear();
  std::erase_if(checker_.instances_, [](const auto& each) { return !each.second->done; });
  std::erase_if(checker_.program_.instances, [](const auto& each) { return !each->done; });
  for (Function& function : checker_.program_.functions) function.open.clear();
}

}  // namespace frontend::check
