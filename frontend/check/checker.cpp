#include "frontend/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dlvm/support/suggest.h"
#include "frontend/check/auto_shapes/auto_shapes.h"
#include "frontend/check/calls/builtins.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/names/value_as_extent.h"
#include "frontend/python/translate.h"
#include "frontend/support/append_messages.h"

namespace frontend::check {
namespace {

bool is_about_names(const dlvm::DiagnosticKind& kind) {
  return &kind == &unknown_name_kind || &kind == &unknown_function || &kind == &unknown_member;
}

}  // namespace

void Checker::run() {
  complete_types(program_, *this, diagnostics_);
  find_open_dimensions(program_, diagnostics_);
  expand_nets();
  AutoShapes(*this).find();
  for (Declaration& declaration : program_.net_declarations) complete({&declaration});
  for (Function& function : program_.functions)
    if (!function.defined) complete({nullptr, nullptr, &function});
  for (Declaration& declaration : program_.declarations) {
    // What follows would not be printed.
    if (diagnostics_.error_count() > dlvm::Diagnostics::error_limit) return;
    complete({&declaration});
  }
  check_optimizer();
  report_put_aside();
}

bool Checker::is_done(const Task& task) const {
  if (task.declaration != nullptr) return task.declaration->done;
  if (task.instance != nullptr) return task.instance->done;
  return task.definition->defined;
}

void Checker::attempt(const Task& task, dlvm::Diagnostics& messages) {
  if (task.declaration != nullptr) return attempt(*task.declaration, messages);
  if (task.instance != nullptr) return attempt(*task.instance, messages);
  attempt_definition(*task.definition, messages);
}

void Checker::finish(const Task& task, const dlvm::Diagnostics& messages) {
  if (trial_ != nullptr && task.declaration != nullptr) trial_->declarations.push_back(task.declaration);
  if (trial_ != nullptr && task.instance != nullptr) trial_->instances.push_back(task.instance);
  if (task.instance != nullptr) {
    task.instance->done = true;
    task.instance->messages = messages;  // for those who ask for it
    return;
  }
  if (task.declaration != nullptr && task.declaration->net != nullptr && !task.declaration->net->sample)
    keep(with_instance(*task.declaration->net, messages));
  else
    keep(messages);
  if (task.declaration != nullptr) {
    task.declaration->done = true;
    if (task.declaration->failed) return;
    program_.order.push_back(task.declaration);
    declare_changes(*task.declaration);
  } else {
    task.definition->defined = true;
    task.definition->failed = task.definition->failed || messages.has_errors();
  }
}

void Checker::begin(Task& task) {
  task.begun = true;
  if (task.definition != nullptr) task.definition->begun = true;
  if (task.instance == nullptr) return;
  task.instance->begun = true;
  const_cast<Function*>(task.instance->function)->open[task.instance->net] = task.instance;
}

void Checker::complete(Task task) {
  stack_.push_back(task);
  while (!stack_.empty()) {
    if (is_done(stack_.back()) || is_suspended(stack_.back())) {
      stack_.pop_back();
      continue;
    }
    begin(stack_.back());
    const Task current = stack_.back();
    waiting_.clear();
    met_ = {};
    dlvm::Diagnostics messages;
    if (trial_ != nullptr) ++trial_->attempts;
    attempt(current, messages);
    if (waiting_.empty() && !met_.empty() && !messages.has_errors()) {
      suspend(current);
      continue;
    }
    if (waiting_.empty()) {
      finish(current, messages);
      continue;
    }
    for (const Task& waited : waiting_) {
      const auto found = std::find_if(stack_.begin(), stack_.end(),
                                      [&](const Task& other) { return other.begun && other == waited; });
      if (found != stack_.end()) {
        report_cycle(static_cast<std::size_t>(found - stack_.begin()));
        break;
      }
    }
    if (!is_done(current)) stack_.insert(stack_.end(), waiting_.begin(), waiting_.end());
  }
}

/// Everything from `from` up that has been begun waits for the next, and the last for the first.
void Checker::report_cycle(std::size_t from) {
  struct Part {
    std::string name;
    Location location;
  };
  std::vector<Part> parts;
  bool function = false;
  const Declaration *earlier = nullptr, *step = nullptr;
  std::set<const Declaration*> calls;  // whose results have the names
  for (std::size_t i = from; i < stack_.size(); ++i)
    if (stack_[i].declaration != nullptr) calls.insert(stack_[i].declaration->results);
  for (std::size_t i = from; i < stack_.size(); ++i) {
    const Task& task = stack_[i];
    if (!task.begun) continue;
    if (task.declaration != nullptr) {
      if (!calls.contains(task.declaration))
        parts.push_back({task.declaration->name, task.declaration->location});
      task.declaration->failed = task.declaration->done = true;
      if (trial_ != nullptr) trial_->declarations.push_back(task.declaration);
      if (task.declaration->part == Declaration::Part::earlier) earlier = task.declaration;
      if (task.declaration->recurrence != nullptr) step = task.declaration;
    } else {
      Function& in_cycle =
          task.definition != nullptr ? *task.definition : *const_cast<Function*>(task.instance->function);
      function = function || task.definition != nullptr;
      in_cycle.failed = in_cycle.defined = true;
      if (task.instance != nullptr) task.instance->done = true;
      if (trial_ != nullptr) trial_->functions.push_back(&in_cycle);
      if (trial_ != nullptr && task.instance != nullptr) trial_->instances.push_back(task.instance);
      parts.push_back({in_cycle.name(), in_cycle.syntax->name.location});
    }
  }
  constexpr std::size_t most = 8;
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i >= most && i + 1 < parts.size()) {
      if (i == most) path += " → ...";
      continue;
    }
    path += (path.empty() ? "" : " → ") + parts[i].name;
  }
  path += " → " + parts.front().name;
  dlvm::Diagnostics& diagnostics = trial_ != nullptr ? trial_->messages : diagnostics_;
  auto& report = earlier != nullptr
                     ? diagnostics.report(recurrent_type_unknown, earlier->location, earlier->of->name, path)
                     : diagnostics.report(function ? endless_recursion : cycle, parts.front().location, path);
  if (earlier != nullptr)
    return void(report.fix(fmt::format("declare it: {}: hidden[...] = ...", earlier->of->name)));
  if (step != nullptr)
    report.fix(
        fmt::format("the value of the step before is {}[{}-1]", step->name, step->recurrence->counter->name));
  for (std::size_t i = 1; i < parts.size() && i < most; ++i)
    report.note(parts[i].location, fmt::format("'{}' is declared here", parts[i].name));
}

void Checker::keep(const dlvm::Diagnostics& messages) {
  if (trial_ != nullptr) {
    for (const dlvm::Diagnostic& each : messages.all()) trial_->messages.append(each);
    return;
  }
  constexpr std::size_t limit = dlvm::Diagnostics::error_limit, share = limit / 2;
  std::size_t errors = 0;
  // What is wrong with shapes comes before what is likely to be wrong; unknown names say nothing of shapes.
  const bool has_wrong_shapes = std::ranges::any_of(messages.all(), [](const dlvm::Diagnostic& each) {
    return each.kind->severity == dlvm::Severity::error && !is_about_names(*each.kind);
  });
  for (const dlvm::Diagnostic& each : messages.all()) {
    if ((each.kind == &dimension_fixed || each.kind == &dimensions_equal) && has_wrong_shapes) continue;
    const bool of_the_module = each.kind == &numbers_take_long;
    const dlvm::Location at = of_the_module ? dlvm::Location() : each.location;
    if (!reported_.emplace(each.kind->code, at.source, at.line, at.column).second) continue;
    const bool is_new = texts_.emplace(each.kind->code, at.source, each.text).second;
    if (each.kind->severity != dlvm::Severity::error || (is_new && ++errors <= share))
      diagnostics_.append(each);
    else if (put_aside_.size() <= limit)
      put_aside_.push_back(each);
  }
  if (messages.error_count() > limit && crowded_.error_count() == 0) crowded_ = messages;
}

void Checker::report_put_aside() {
  for (dlvm::Diagnostic& each : put_aside_) diagnostics_.append(std::move(each));
  put_aside_.clear();
  count_dropped(crowded_, diagnostics_);
}

bool Checker::ready(Declaration& declaration, Location use) {
  Declaration& typed = declaration.pattern != nullptr ? *declaration.pattern : declaration;
  if (typed.has_unknown_shape()) {
    const bool known = has_assumed_shape(typed, use);
    declaration.type = typed.type;
    return known;
  }
  if (!declaration.done && meets_suspended(&declaration)) {
    met_.waiting.push_back(&declaration);
    return false;
  }
  if (!declaration.done) waiting_.push_back({&declaration});
  return declaration.done && !declaration.failed;
}

bool Checker::is_imported_dimension(const Scope& scope, const std::string& name) const {
  return std::any_of(scope.imports.begin(), scope.imports.end(), [&](const Scope* import) {
    const auto found = import->dimensions.find(name);
    return found != import->dimensions.end() && found->second.declared;
  });
}

bool Checker::may_compute(std::size_t length) {
  constexpr std::uint64_t max_steps = std::uint64_t{1} << 25;  // a few seconds
  if (steps_ <= max_steps) steps_ += std::uint64_t{length} * length;
  return steps_ <= max_steps;
}

std::optional<Extent> Checker::dimension(Scope& scope, const std::string& name, Location location,
                                         bool may_be_new, dlvm::Diagnostics& messages, const Instance* inside,
                                         const NetType* net) {
  if (const auto own = scope.dimensions.find(name); own != scope.dimensions.end()) {
    own->second.used = true;
    return own->second.failed ? std::nullopt : std::optional(own->second.extent);
  }
  if (const auto imported = find_imported_dimension(scope, name, location, messages);
      imported.dimension != nullptr || imported.reported)
    return imported.reported || imported.dimension->failed ? std::nullopt
                                                           : std::optional(imported.dimension->extent);
  if (const auto value = scope.values.find(name); value != scope.values.end()) {
    report_value_as_extent(*value->second, name, location, messages);
    return std::nullopt;
  }
  if (may_be_new) {
    Dimension& fresh = scope.dimensions[name];
    fresh.extent = Extent::dimension(name);
    fresh.location = location;
    fresh.used = true;
    return fresh.extent;
  }
  std::vector<std::string_view> candidates;
  if (inside != nullptr)
    for (const auto& [known, extent] : inside->dimensions) candidates.push_back(known);
  if (net != nullptr)
    for (const auto& [known, extent] : net->dimensions) candidates.push_back(known);
  for (const auto& [known, dimension] : scope.dimensions) candidates.push_back(known);
  auto& report = messages.report(unknown_dimension, location, name);
  dlvm::Diagnostics ignored;
  const bool is_net = (net != nullptr && net->nets.contains(name)) || known_net(scope, name) != nullptr;
  if (is_net || find_builtin(name) != nullptr ||
      !find_functions(scope, "", name, {}, ignored).candidates.empty())
    report.fix(fmt::format("'{}' is a {}; an extent is made of numbers and dimensions", name,
                           is_net ? "net" : "function"));
  else if (const auto value = python::constant(name); value == "true" || value == "false")
    report.fix(fmt::format("a dimension is an integer: write {} for {}", value == "true" ? 1 : 0, value));
  else if (const auto near = dlvm::closest(name, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  else if (inside == nullptr)
    report.fix(fmt::format("declare it: dim {0}, or with a value dim {0} = 8", name));
  return std::nullopt;
}

}  // namespace frontend::check
