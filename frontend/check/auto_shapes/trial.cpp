#include "frontend/check/auto_shapes/trial.h"

#include <algorithm>
#include <utility>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

void add(std::vector<Declaration*>& all, Declaration* one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

/// Makes the function as if it had not been checked for its arguments.
void forget(Instance& instance) {
  Instance fresh;
  fresh.function = instance.function;
  fresh.net = instance.net;
  fresh.parameters = std::move(instance.parameters);
  fresh.dimensions = std::move(instance.dimensions);
  fresh.rests = std::move(instance.rests);
  fresh.axes = std::move(instance.axes);
  fresh.flags = std::move(instance.flags);
  fresh.generic = instance.generic;
  instance = std::move(fresh);
}

void forget(Declaration& declaration) {
  declaration.done = declaration.failed = declaration.has_several = false;
  declaration.type = {};
  declaration.body = {};
}

}  // namespace

void Unknowns::add(const Unknowns& others) {
  for (Declaration* each : others.params) check::add(params, each);
  for (Declaration* each : others.waiting) check::add(waiting, each);
}

void Unknowns::add_param(Declaration& param) { check::add(params, &param); }

bool Checker::has_assumed_shape(Declaration& param, Location use) {
  if (param.failed || (param.net != nullptr && param.net->sample)) return false;
  if (trial_ == nullptr || !trial_->assumed.contains(&param)) {
    met_.add_param(param);
    return false;
  }
  if (trial_->only && *trial_->only != use) return false;
  if (use.valid()) trial_->uses.push_back({&param, use});
  return true;
}

Shape Checker::assume_equal(Shape shape, const Shape& wanted, Location location) {
  if (trial_ == nullptr || shape.size() != wanted.size()) return shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto name = shape[i].name();
    if (!name || !trial_->unknowns.contains(*name)) continue;
    note_equation({shape[i], wanted[i], dlvm::Requirement::Relation::equal, location});
    shape[i] = wanted[i];
  }
  return shape;
}

/// Whether the value is a param with an assumed shape, itself.
bool Checker::is_assumed(const BodyContext& context, const Node& x) const {
  const Declaration* declaration = x.declaration;
  if (x.kind == Node::Kind::parameter && context.instance != nullptr) {
    const std::size_t values = context.instance->parameters.size();
    const auto& tensors = context.instance->tensors;
    if (x.index < values || x.index - values >= tensors.size()) return false;
    declaration = tensors[x.index - values].declaration;
  }
  if (declaration != nullptr && declaration->pattern != nullptr) declaration = declaration->pattern;
  return declaration != nullptr && trial_->assumed.contains(declaration);
}

/// Named values are not counted, nor what is stretched to a param: a bias may have one shape or another.
void Checker::note_stretching(const BodyContext& context, const Node& operand, const Node& other,
                              Location location) {
  const bool named = operand.kind == Node::Kind::reference || operand.kind == Node::Kind::parameter;
  if (trial_ == nullptr || operand.is_constant() || named || is_assumed(context, other)) return;
  const Shape &shape = operand.type.shape, &wanted = other.type.shape;
  bool stretches = shape.size() < wanted.size();
  for (std::size_t i = 1; i <= std::min(shape.size(), wanted.size()); ++i) {
    const Extent& to = wanted[wanted.size() - i];
    const auto name = to.name();
    const bool unknown = name && trial_->unknowns.contains(*name);
    stretches = stretches || (shape[shape.size() - i].is(1) && !to.is(1) && !unknown);
  }
  if (stretches)
    trial_->stretched.insert(
        {location.line, location.column, operand.location.line, operand.location.column});
}

void Checker::suspend(const Task& task) {
  suspended_[task.subject()] = std::move(met_);
  met_ = {};
  stack_.pop_back();
  if (task.instance == nullptr) return;
  const_cast<Function*>(task.instance->function)->open.erase(task.instance->net);
  forget(*task.instance);
}

bool Checker::meets_suspended(const void* subject) {
  const auto found = suspended_.find(subject);
  if (found == suspended_.end()) return false;
  met_.add(found->second);
  return true;
}

TrialOutcome Checker::try_shapes(const AssumedShapes& shapes, const std::vector<Declaration*>& targets,
                                 std::optional<Location> only) {
  Trial trial;
  trial.only = only;
  for (const auto& [param, shape] : shapes) {
    const ElementType element = param->syntax->type.element ? element_of(*param->syntax->type.element)
                                : param->net != nullptr     ? param->net->element
                                                            : param->scope->element();
    param->type = {element, shape, nullptr};
    trial.assumed.insert(param);
    for (const Extent& each : shape) trial.unknowns.insert(*each.name());
  }
  const auto suspended = std::exchange(suspended_, {});
  const auto steps = steps_;
  const std::size_t order = program_.order.size();
  std::vector<std::pair<bool, bool>> blocks;
  for (const Recurrence& each : program_.recurrences) blocks.emplace_back(each.done, each.failed);
  trial_ = &trial;

  TrialOutcome outcome;
  Unknowns missing;
  for (Declaration* target : targets) {
    complete({target});
    outcome.silent = outcome.silent || (target->done && target->failed);
    if (const auto found = suspended_.find(target); found != suspended_.end()) missing.add(found->second);
    if (trial.messages.has_errors()) break;
  }
  take_back(trial);
  trial_ = nullptr;
  program_.order.resize(order);
  std::size_t block = 0;
  for (Recurrence& each : program_.recurrences) std::tie(each.done, each.failed) = blocks[block++];
  suspended_ = suspended;
  steps_ = steps;

  outcome.equations = std::move(trial.equations);
  outcome.uses = std::move(trial.uses);
  outcome.missing = std::move(missing.params);
  outcome.messages = std::move(trial.messages);
  outcome.attempts = trial.attempts + 1;
  outcome.stretched = trial.stretched.size();
  return outcome;
}

void Checker::take_back(Trial& trial) {
  for (Declaration* each : trial.declarations) {
    take_back_changes(*each);
    forget(*each);
  }
  for (const auto& [instance, requirements] : trial.gradients) {
    instance->custom_gradient = nullptr;
    auto& all = instance->body.requirements;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(std::min(requirements, all.size())), all.end());
  }
  for (Instance* each : trial.instances) {
    const_cast<Function*>(each->function)->open.erase(each->net);
    forget(*each);
  }
  for (Function* each : trial.functions) each->failed = false;
}

}  // namespace frontend::check
