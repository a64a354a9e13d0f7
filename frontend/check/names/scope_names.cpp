// The names of each file: entered once, before anything is checked.
#include "frontend/check/names/scope_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "dlvm/support/suggest.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/named_results.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/functions/custom_gradient.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/names/derivative_names.h"
#include "frontend/check/names/dimension_names.h"
#include "frontend/check/names/function_names.h"
#include "frontend/check/names/instance_names.h"
#include "frontend/check/names/net_names.h"
#include "frontend/check/names/table_names.h"
#include "frontend/check/recurrences/recurrence_names.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

class Names {
 public:
  Names(Program& program, const Options& options, dlvm::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics), dimensions_(program, options, diagnostics) {}

  void enter() {
    for (Scope& scope : program_.scopes) {
      dimensions_.declare(scope);
      declare_values(scope);
      declare_next_values(scope);
    }
    for (Scope& scope : program_.scopes) dimensions_.evaluate(scope);
    declare_types(program_, diagnostics_);
    for (Scope& scope : program_.scopes) dimensions_.declare_implicit(scope);
    recurrences_.declare_lengths();
    declare_dimensions_of_tables(program_);
    declare_nets(program_, diagnostics_);
    declare_functions(program_, diagnostics_);
    declare_custom_gradients(program_, diagnostics_);
    declare_derivatives(program_, diagnostics_);
    instances_.check_names();
    resolve_nets(program_, diagnostics_);
    dimensions_.apply_options();
  }

 private:
  void declare_values(Scope& scope) {
    std::size_t order = 0;
    for (const ast::Declaration& each : scope.syntax->declarations) {
      instances_.declare(scope, each.location);
      recurrences_.declare(scope, each.location);
      Declaration* results = nullptr;
      if (scope.main && may_name_results(each)) {
        results = &program_.declarations.emplace_back();
        results->location = each.location;
        results->syntax = &each;
        results->scope = &scope;
        share_results(program_, *results);
      }
      for (const ast::Name& name : each.names) {
        if (is_unused_result(each, name, diagnostics_)) continue;
        if (!is_new_value(scope, name, diagnostics_)) continue;
        if (!scope.main && each.role != ast::Role::constant) {
          diagnostics_.report(not_importable, name.location, scope.name, name.text, with_article(each.role));
          continue;
        }
        Declaration& declaration = program_.declarations.emplace_back();
        instances_.set_next(std::prev(program_.declarations.end()));
        declaration.name = scope.main ? name.text : scope.name + "." + name.text;
        declaration.location = name.location;
        declaration.syntax = &each;
        declaration.scope = &scope;
        declaration.order = order++;
        declaration.results = results;
        scope.values[name.text] = &declaration;
      }
    }
    recurrences_.declare(scope);
    instances_.declare(scope);
    if (scope.main) return;
    for (const ast::Optimize& each : scope.syntax->optimizers)
      diagnostics_.report(not_importable, each.location, scope.name, "step", "an entry point");
  }

  void declare_next_values(Scope& scope) {
    for (const ast::Declaration& each : scope.syntax->next_values) {
      const ast::Name& name = each.names.front();
      if (!scope.main && declares_state(scope, name.text)) continue;  // which has been reported
      const auto found = scope.values.find(name.text);
      if (found == scope.values.end() || found->second->role() != ast::Role::state) {
        report_no_state(scope, name, found == scope.values.end() ? nullptr : found->second);
        continue;
      }
      Declaration& state = *found->second;
      if (state.next != nullptr) {
        report_declared_twice({name.text + "'", name.location}, state.next->location, diagnostics_);
        continue;
      }
      Declaration& next = program_.declarations.emplace_back();
      next.name = state.name + "'";
      next.location = name.location;
      next.syntax = &each;
      next.scope = &scope;
      next.order = state.order;
      next.state = &state;
      state.next = &next;
    }
  }

  static bool declares_state(const Scope& scope, const std::string& name) {
    return std::ranges::any_of(scope.syntax->declarations, [&](const ast::Declaration& each) {
      return each.role == ast::Role::state &&
             std::ranges::any_of(each.names, [&](const ast::Name& other) { return other.text == name; });
    });
  }

  void report_no_state(const Scope& scope, const ast::Name& name, const Declaration* value) {
    auto& report = diagnostics_.report(next_of_no_state, name.location, fmt::format("'{}'", name.text));
    std::vector<std::string_view> states;
    for (const auto& [known, declaration] : scope.values)
      if (declaration->role() == ast::Role::state) states.push_back(known);
    if (const auto near = dlvm::closest(name.text, states); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
    else if (value == nullptr)
      report.fix(fmt::format("declare the state: {}: state[...] = 0", name.text));
    if (value != nullptr) report.note(value->location, fmt::format("'{}' is declared here", name.text));
    if (value != nullptr && value->role() == ast::Role::hidden)
      report.fix(fmt::format("declare it as a state: {}: state = ...", name.text));
    if (value != nullptr && value->role() == ast::Role::param)
      report.fix("an optimizer changes a param, in the entry point step: optimize with sgd(rate: 0.1)");
  }

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
  DimensionNames dimensions_;
  InstanceNames instances_{program_, diagnostics_};
  RecurrenceNames recurrences_{program_, diagnostics_};
};

}  // namespace

ElementType Scope::element() const {
  return syntax->element_type ? element_of(*syntax->element_type) : ElementType::f32;
}

std::vector<Scope*> Scope::visible() {
  std::vector<Scope*> all{this};
  all.insert(all.end(), imports.begin(), imports.end());
  return all;
}

void declare_names(Program& program, const Options& options, dlvm::Diagnostics& diagnostics) {
  Names(program, options, diagnostics).enter();
}

}  // namespace frontend::check
