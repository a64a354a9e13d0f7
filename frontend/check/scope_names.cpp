// The names of each file: entered once, before anything is checked.
#include "frontend/check/scope_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "dlvm/support/suggest.h"
#include "frontend/check/call_bounds.h"
#include "frontend/check/dimensions.h"
#include "frontend/check/instance_names.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/net_names.h"
#include "frontend/check/signature.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"
#include "frontend/check/value_as_extent.h"

namespace frontend::check {
namespace {

class Names {
 public:
  Names(Program& program, const Options& options, dlvm::Diagnostics& diagnostics)
      : program_(program), options_(options), diagnostics_(diagnostics) {}

  void enter() {
    for (Scope& scope : program_.scopes) {
      declare_dimensions(scope);
      declare_values(scope);
      declare_next_values(scope);
    }
    for (Scope& scope : program_.scopes) evaluate_dimensions(scope);
    for (Scope& scope : program_.scopes) implicit_dimensions(scope);
    declare_nets(program_, diagnostics_);
    for (Scope& scope : program_.scopes) declare_functions(scope, scope.syntax->functions, scope.functions);
    for (Net& net : program_.nets) declare_functions(*net.scope, net.syntax->functions, net.functions, &net);
    instances_.check_names();
    resolve_nets(program_, diagnostics_);
    apply_options();
  }

 private:
  void twice(const ast::Name& name, Location before) {
    diagnostics_.report(declared_twice, name.location, name.text)
        .note(before, fmt::format("'{}' is declared here first", name.text));
  }

  void declare_dimensions(Scope& scope) {
    for (const ast::Dimension& each : scope.syntax->dimensions) {
      const auto [place, fresh] = scope.dimensions.try_emplace(each.name.text);
      if (!fresh) {
        twice(each.name, place->second.location);
        continue;
      }
      place->second = {Extent::dimension(each.name.text), each.name.location, true};
    }
  }

  void declare_values(Scope& scope) {
    std::size_t order = 0;
    for (const ast::Declaration& each : scope.syntax->declarations) {
      instances_.declare(scope, each.location);
      for (const ast::Name& name : each.names) {
        if (!is_new_value(scope, name, diagnostics_)) continue;
        if (!scope.main && each.role != ast::Role::constant) {
          diagnostics_.report(not_importable, name.location, scope.name, name.text, ast::spelling(each.role));
          continue;
        }
        Declaration& declaration = program_.declarations.emplace_back();
        instances_.set_next(std::prev(program_.declarations.end()));
        declaration.name = scope.main ? name.text : scope.name + "." + name.text;
        declaration.location = name.location;
        declaration.syntax = &each;
        declaration.scope = &scope;
        declaration.order = order++;
        scope.values[name.text] = &declaration;
      }
    }
    instances_.declare(scope);
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
        twice({name.text + "'", name.location}, state.next->location);
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
  }

  // Dimensions are given values by a stack of names rather than by recursion: a name whose extent needs
  // another that has none yet waits for it.
  void evaluate_dimensions(Scope& scope) {
    std::map<std::string_view, const ast::Dimension*> open;
    for (const ast::Dimension& each : scope.syntax->dimensions)
      if (each.value && !override_of(scope, each.name.text)) open.emplace(each.name.text, &each);
    std::vector<const ast::Dimension*> stack;
    std::set<std::string_view> begun;
    for (const ast::Dimension& each : scope.syntax->dimensions) {
      if (!open.contains(each.name.text)) continue;
      stack.push_back(&each);
      while (!stack.empty()) {
        const ast::Dimension& top = *stack.back();
        if (!open.contains(top.name.text)) {
          stack.pop_back();
          continue;
        }
        begun.insert(top.name.text);
        const std::size_t height = stack.size();
        bool cyclic = false;
        for_each_name(*top.value, [&](const ast::Extent& name) {
          const auto needed = open.find(name.text);
          if (needed == open.end() || cyclic) return;
          if (begun.contains(name.text)) {
            report_cycle(scope, stack, name.text);
            cyclic = true;
          } else {
            stack.push_back(needed->second);
          }
        });
        if (cyclic) {
          stack.resize(height);
          for (const ast::Dimension* each_in_cycle : stack) {
            open.erase(each_in_cycle->name.text);
            scope.dimensions[each_in_cycle->name.text].failed = true;
          }
        } else if (stack.size() == height) {
          open.erase(top.name.text);
          evaluate(scope, top);
        }
      }
    }
  }

  void evaluate(Scope& scope, const ast::Dimension& dimension) {
    Dimension& entry = scope.dimensions[dimension.name.text];
    const auto value = evaluate_extent(
        *dimension.value, [&](const ast::Extent& name) { return extent_of(scope, name); }, diagnostics_);
    if (!value) {
      entry.failed = true;
      return;
    }
    entry.extent = *value;
  }

  void report_cycle(Scope& scope, const std::vector<const ast::Dimension*>& stack, std::string_view again) {
    std::string path;
    Location location;
    for (const ast::Dimension* each : stack) {
      if (path.empty() && each->name.text != again) continue;
      if (path.empty()) location = each->name.location;
      path += each->name.text + " → ";
    }
    diagnostics_.report(cycle, location.valid() ? location : scope.dimensions.find(again)->second.location,
                        path + std::string(again));
  }

  /// A dimension of this file or of one that it imports; else a new one.
  std::optional<Extent> extent_of(Scope& scope, const ast::Extent& name) {
    for (Scope* where : scopes_with(scope)) {
      const auto found = where->dimensions.find(name.text);
      if (found == where->dimensions.end() || (where != &scope && !found->second.declared)) continue;
      found->second.used = true;
      return found->second.failed ? std::nullopt : std::optional(found->second.extent);
    }
    if (scope.values.contains(name.text)) {
      report_value_as_extent(*scope.values.find(name.text)->second, name.text, name.location, diagnostics_);
      return std::nullopt;
    }
    Dimension& fresh = scope.dimensions[name.text];
    fresh = {Extent::dimension(name.text), name.location, false, true};
    return fresh.extent;
  }

  static std::vector<Scope*> scopes_with(Scope& scope) {
    std::vector<Scope*> all{&scope};
    all.insert(all.end(), scope.imports.begin(), scope.imports.end());
    return all;
  }

  // ------------------------------------------------------------------------------ dimensions used undeclared

  void implicit_dimensions(Scope& scope) {
    std::vector<const ast::Extent*> fresh;
    for (const ast::Declaration& each : scope.syntax->declarations) {
      if (!each.type.shape) continue;
      for (const ast::Extent& extent : each.type.shape->extents)
        for_each_name(extent, [&](const ast::Extent& name) {
          const bool imported =
              std::any_of(scope.imports.begin(), scope.imports.end(), [&](const Scope* import) {
                const auto found = import->dimensions.find(name.text);
                return found != import->dimensions.end() && found->second.declared;
              });
          if (imported || scope.values.contains(name.text)) return;  // a value is reported where it is used
          const auto [place, is_new] = scope.dimensions.try_emplace(name.text);
          place->second.used = true;
          if (!is_new) return;
          place->second = {Extent::dimension(name.text), name.location, false, true};
          fresh.push_back(&name);
        });
    }
    for (const ast::Extent* name : fresh) report_joined(scope, *name);
  }

  /// `Nx10` and `AxB` are names; what was meant is `N x 10` and `A x B`.
  void report_joined(Scope& scope, const ast::Extent& name) {
    for (std::size_t i = 1; i + 1 < name.text.size(); ++i) {
      if (name.text[i] != 'x') continue;
      const std::string left = name.text.substr(0, i), right = name.text.substr(i + 1);
      const bool digits =
          std::all_of(right.begin(), right.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!digits && !(scope.dimensions.contains(left) && scope.dimensions.contains(right))) continue;
      diagnostics_.report(joined_extents, name.location, name.text)
          .fix(fmt::format("write {} x {}", left, right));
      scope.dimensions[name.text].failed = true;
      return;
    }
  }

  // --------------------------------------------------------------------------------------------- functions

  void declare_functions(Scope& scope, const std::vector<ast::Function>& all,
                         std::map<std::string, std::vector<Function*>, std::less<>>& functions,
                         Net* net = nullptr) {
    for (const ast::Function& syntax : all) {
      Function function;
      function.syntax = &syntax;
      function.scope = &scope;
      function.net = net;
      function.defined = scope.library;
      if (!read_signature(scope, function)) function.failed = function.defined = true;
      auto& overloads = functions[syntax.name.text];
      const auto clash = std::find_if(overloads.begin(), overloads.end(),
                                      [&](const Function* other) { return overlap(*other->syntax, syntax); });
      if (clash != overloads.end()) {
        diagnostics_.report(overlapping_signatures, syntax.name.location, syntax.name.text)
            .note((*clash)->syntax->name.location, signature(*(*clash)->syntax))
            .note(syntax.name.location, signature(syntax));
        continue;
      }
      overloads.push_back(&program_.functions.emplace_back(std::move(function)));
    }
  }

  bool is_declared_dimension(Scope& scope, const std::string& name) {
    const auto scopes = scopes_with(scope);
    return std::any_of(scopes.begin(), scopes.end(), [&](const Scope* where) {
      const auto found = where->dimensions.find(name);
      return found != where->dimensions.end() && found->second.declared;
    });
  }

  bool read_signature(Scope& scope, Function& function) {
    std::set<std::string_view> seen;
    bool fine = true;
    const auto read = [&](const ast::Type& type, bool result) {
      if (!type.shape) return;
      std::size_t rests = 0;
      for (const ast::Extent& extent : type.shape->extents) {
        if (extent.kind == ast::Extent::Kind::rest) {
          const bool known = function.rest == extent.text;
          if (++rests > 1 || (!function.rest.empty() && !known) || (result && !known)) {
            diagnostics_.report(misplaced_rest, extent.location, extent.text);
            fine = false;
          }
          function.rest = extent.text;
        }
        for_each_name(extent, [&](const ast::Extent& name) {
          if (is_declared_dimension(scope, name.text)) return;
          if (function.net != nullptr && function.net->has_dimension(name.text)) return;
          if (std::find(function.generic.begin(), function.generic.end(), name.text) !=
              function.generic.end())
            return;
          if (result) {
            diagnostics_.report(undetermined_dimension, name.location, name.text, function.syntax->name.text);
            fine = false;
          } else {
            function.generic.push_back(name.text);
          }
        });
      }
    };
    for (const ast::Parameter& parameter : function.syntax->parameters) {
      if (!seen.insert(parameter.name.text).second) {
        const auto first =
            std::find_if(function.syntax->parameters.begin(), function.syntax->parameters.end(),
                         [&](const auto& p) { return p.name.text == parameter.name.text; });
        twice(parameter.name, first->name.location);
        fine = false;
      }
      read(parameter.type, false);
    }
    for (const ast::Type& result : function.syntax->results) read(result, true);
    return fine;
  }

  // ----------------------------------------------------------------------------------------------- options

  std::optional<std::int64_t> override_of(const Scope& scope, const std::string& name) const {
    if (!scope.main && program_.main().dimensions.contains(name)) return std::nullopt;
    for (const auto& [dimension, value] : options_.dimensions)
      if (dimension == name && value >= 0) return value;
    return std::nullopt;
  }

  /// Overridden dimensions are constants everywhere; those that others are computed from were so from the
  /// start.
  void apply_options() {
    for (const auto& [name, value] : options_.dimensions) {
      bool known = false;
      std::vector<std::string_view> candidates;
      for (Scope& scope : program_.scopes) {
        for (const auto& [each, dimension] : scope.dimensions) candidates.push_back(each);
        known = known || scope.dimensions.contains(name);
      }
      known = known || is_call_bound(program_, name);
      if (value < 0) {
        diagnostics_.report(bad_option, Location{}, name, value);
      } else if (!known) {
        auto& report = diagnostics_.report(unknown_option, Location{}, name);
        if (const auto near = dlvm::closest(name, candidates); !near.empty())
          report.fix(fmt::format("did you mean '{}'?", near));
      }
    }
    Extent::Substitution values;
    for (const auto& [name, value] : options_.dimensions)
      if (value >= 0) values.insert_or_assign(name, Extent(value));
    for (Scope& scope : program_.scopes)
      for (auto& [name, dimension] : scope.dimensions) {
        dimension.extent = dimension.extent.substitute(values);
        dimension.given = override_of(scope, name);
        const auto constant = dimension.extent.constant();
        if (dimension.failed || !constant || *constant >= 0) continue;
        auto& report = diagnostics_.report(dimension_negative, dimension.location, name, *constant);
        explain_given(report, scope, name);
        dimension.failed = true;
      }
  }

  Program& program_;
  const Options& options_;
  dlvm::Diagnostics& diagnostics_;
  InstanceNames instances_{program_, diagnostics_};
};

}  // namespace

ElementType Scope::element() const {
  return syntax->element_type ? element_of(*syntax->element_type) : ElementType::f32;
}

void declare_names(Program& program, const Options& options, dlvm::Diagnostics& diagnostics) {
  Names(program, options, diagnostics).enter();
}

}  // namespace frontend::check
