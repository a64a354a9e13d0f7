#include "frontend/check/recurrences/recurrence_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/check/declarations/named_results.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/names/instance_names.h"
#include "frontend/check/recurrences/steps.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using Part = Declaration::Part;

bool has_inputs(const ast::Recurrence& block) {
  return std::ranges::any_of(block.declarations,
                             [](const ast::Declaration& each) { return each.role == ast::Role::in; }) ||
         std::ranges::any_of(block.recurrences, has_inputs);
}

}  // namespace

void RecurrenceNames::declare(Scope& scope, Location before) {
  if (std::exchange(scope_, &scope) != &scope) declared_ = 0;
  const auto& all = scope.syntax->recurrences;
  for (; declared_ < all.size(); ++declared_) {
    const ast::Recurrence& each = all[declared_];
    if (before.valid() &&
        std::pair(before.line, before.column) < std::pair(each.location.line, each.location.column))
      return;
    if (scope.main)
      declare(scope, each, nullptr);
    else
      diagnostics_.report(not_importable, each.location, scope.name, each.counter.names.front().text,
                          "a recurrent block");
  }
}

Declaration& RecurrenceNames::add(Recurrence& block, const ast::Declaration& syntax, const ast::Name& name,
                                  Part part, Recurrence* recurrence, Declaration* of) {
  Declaration& declaration = program_.declarations.emplace_back();
  declaration.name = name.text;
  declaration.location = name.location;
  declaration.syntax = &syntax;
  declaration.scope = block.scope;
  declaration.part = part;
  declaration.recurrence = recurrence;
  declaration.of = of;
  declaration.inner = true;
  return declaration;
}

bool RecurrenceNames::is_new(const Recurrence& block, const ast::Name& name) {
  for (const Recurrence* each = &block; each != nullptr; each = each->outer)
    if (const auto found = each->values.find(name.text); found != each->values.end()) {
      report_declared_twice(name, found->second->location, diagnostics_);
      return false;
    }
  return true;
}

/// A name that has been reported: what uses it in the block is no mistake.
void RecurrenceNames::declare_failed(Recurrence& block, const ast::Declaration& syntax,
                                     const ast::Name& name) {
  Declaration& declaration = add(block, syntax, name, Part::none, nullptr);
  declaration.done = declaration.failed = declaration.used = true;
  for (Recurrence* each = &block; each != nullptr; each = each->outer) each->values[name.text] = &declaration;
  block.scope->values[name.text] = &declaration;  // uses behind the block are not reported
}

void RecurrenceNames::declare(Scope& scope, const ast::Recurrence& syntax, Recurrence* outer) {
  Recurrence& block = program_.recurrences.emplace_back();
  block.syntax = &syntax;
  block.scope = &scope;
  block.outer = outer;
  const ast::Name& counter = syntax.counter.names.front();
  is_new(block, counter);
  block.counter = &add(block, syntax.counter, counter, Part::counter, &block);
  block.values[counter.text] = block.counter;
  for (const ast::Declaration& each : syntax.sequences) {
    const ast::Name& name = each.names.front();
    Declaration& source = add(block, each, name, Part::source, outer);
    block.sources.push_back(&source);
    block.members.push_back(&source);
    if (!is_new(block, name)) continue;
    Declaration& element = add(block, each, name, Part::element, &block, &source);
    block.members.push_back(&element);
    block.values[name.text] = &element;
  }
  for (const ast::Declaration& each : syntax.declarations) declare_values(block, each);
  for (const ast::Recurrence& each : syntax.recurrences) declare(scope, each, &block);
  for (const ast::InitialValue& each : syntax.initial_values) declare_initial(block, each);
}

bool RecurrenceNames::may_stand(const Recurrence& block, const ast::Declaration& syntax) {
  for (const Recurrence* each = &block; each != nullptr; each = each->outer)
    for (const ast::Name& index : syntax.indices) {
      const ast::Name& counter = each->syntax->counter.names.front();
      if (index.text != counter.text) continue;
      const std::string& name = syntax.names.front().text;
      const bool alone = syntax.indices.size() == 1;
      diagnostics_.report(index_of_step, index.location, index.text, name)
          .note(counter.location, "the block is here")
          .fix(fmt::format("the value of each step is declared by its name: {}{}", name,
                           alone ? "" : "[...] without " + index.text));
      return false;
    }
  switch (syntax.role) {
    case ast::Role::in:
    case ast::Role::hidden:
    case ast::Role::layer:
    case ast::Role::out:
      return true;
    default:
      break;
  }
  const std::string& name = syntax.names.front().text;
  auto& report = diagnostics_.report(role_in_recurrence,
                                     syntax.role_location.valid() ? syntax.role_location : syntax.location,
                                     name, ast::spelling(syntax.role));
  if (syntax.role == ast::Role::loss || syntax.role == ast::Role::metric)
    report.fix(fmt::format("declare {0} hidden, and behind the block {1}: mean(sequence({0}))", name,
                           ast::spelling(syntax.role)));
  else if (syntax.role == ast::Role::state)
    report.fix(fmt::format("what a step takes from the one before is {}[{}-1]", name,
                           block.syntax->counter.names.front().text));
  else
    report.fix("declare it before the block");
  return false;
}

/// The caller passes the whole sequence; each block around takes its elements.
Declaration& RecurrenceNames::declare_input(Recurrence& block, const ast::Declaration& syntax,
                                            const ast::Name& name) {
  Declaration* value = &add(block, syntax, name, Part::none, nullptr);
  value->inner = false;
  value->axes = &block;
  std::vector<Recurrence*> around;
  for (Recurrence* each = &block; each != nullptr; each = each->outer) around.push_back(each);
  for (auto each = around.rbegin(); each != around.rend(); ++each)
    value = &add(block, syntax, name, Part::element, *each, value);
  return *value;
}

void RecurrenceNames::declare_values(Recurrence& block, const ast::Declaration& syntax) {
  const bool good = may_stand(block, syntax);
  Declaration* results = nullptr;
  if (good && may_name_results(syntax)) {
    results = &add(block, syntax, {}, Part::none, &block);
    results->location = syntax.location;
    share_results(program_, *results);
    block.members.push_back(results);
  }
  for (const ast::Name& name : syntax.names) {
    if (is_unused_result(syntax, name, diagnostics_)) continue;
    if (!is_new_value(*block.scope, name, diagnostics_) || !is_new(block, name)) continue;
    if (good)
      declare_value(block, syntax, name).results = results;
    else
      declare_failed(block, syntax, name);
  }
}

Declaration& RecurrenceNames::declare_value(Recurrence& block, const ast::Declaration& syntax,
                                            const ast::Name& name) {
  const bool is_out = syntax.role == ast::Role::out;
  Declaration* value = syntax.role == ast::Role::in ? &declare_input(block, syntax, name)
                                                    : &add(block, syntax, name, Part::none, &block);
  Declaration* whole = value;
  while (whole->part == Part::element) whole = whole->of;
  Declaration* steps = value;  // of an out: all steps of the blocks up to here
  for (Recurrence* each = &block; each != nullptr; each = each->outer) {
    each->values[name.text] = value;
    each->members.push_back(value);
    value = &add(block, syntax, name, Part::last, each->outer, value);
    if (!is_out) continue;
    steps = &add(block, syntax, name, Part::sequence, each->outer, steps);
    each->sequences[steps->of] = steps;
    if (each->outer != nullptr) each->outer->members.push_back(steps);
  }
  if (is_out) {
    steps->inner = false;
    whole = steps;
  }
  if (!whole->inner) value->whole = whole;
  block.scope->values[name.text] = value;
  return *block.values[name.text];
}

void RecurrenceNames::declare_initial(Recurrence& block, const ast::InitialValue& syntax) {
  const ast::Name& name = syntax.declaration.names.front();
  const auto lag = syntax.steps.size() == 1 ? lag_before_first(*syntax.steps.front()) : std::nullopt;
  if (!lag) {
    diagnostics_
        .report(bad_initial_step, syntax.steps.front()->location,
                quoted(syntax.steps.front()->location, "this"))
        .fix(fmt::format("{}[0-1] = ...", name.text));
    return;
  }
  const auto found = block.values.find(name.text);
  if (found == block.values.end() || found->second == block.counter) {
    auto& report = diagnostics_.report(initial_of_no_value, name.location, name.text);
    if (const auto value = block.scope->values.find(name.text); value != block.scope->values.end())
      report.note(value->second->location, fmt::format("'{}' is declared here", name.text));
    return;
  }
  Declaration& value = *found->second;
  Declaration*& initial = block.initial_values[{&value, *lag}];
  if (initial != nullptr) {
    report_declared_twice({fmt::format("{}[0-{}]", name.text, *lag), name.location}, initial->location,
                          diagnostics_);
    return;
  }
  initial = &add(block, syntax.declaration, name, Part::initial, block.outer, &value);
  initial->lag = *lag;
  block.members.push_back(initial);
}

void RecurrenceNames::declare_lengths() {
  std::map<std::string, int> numbers;  // of the blocks whose counters have one name
  for (Recurrence& block : program_.recurrences) {
    if (block.syntax->length || !block.sources.empty() || !has_inputs(*block.syntax)) continue;
    Scope& scope = *block.scope;
    const ast::Name& counter = block.syntax->counter.names.front();
    const std::string name = counter.text + "_steps";
    block.dimension = name;
    for (int& i = numbers[name];
         scope.dimensions.contains(block.dimension) || scope.values.contains(block.dimension);)
      block.dimension = fmt::format("{}_{}", name, ++i);
    scope.dimensions[block.dimension] = {Extent::dimension(block.dimension), counter.location, false,
                                         std::nullopt, true};
  }
}

}  // namespace frontend::check
