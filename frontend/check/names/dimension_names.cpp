#include "frontend/check/names/dimension_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "dlvm/support/suggest.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/functions/call_bounds.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/names/value_as_extent.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

void DimensionNames::declare(Scope& scope) {
  for (const ast::Dimension& each : scope.syntax->dimensions) {
    const auto [place, fresh] = scope.dimensions.try_emplace(each.name.text);
    if (!fresh) {
      report_declared_twice(each.name, place->second.location, diagnostics_);
      continue;
    }
    place->second = {Extent::dimension(each.name.text), each.name.location, true};
  }
}

// Dimensions are given values by a stack of names rather than by recursion: a name whose extent needs
// another that has none yet waits for it.
void DimensionNames::evaluate(Scope& scope) {
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
        evaluate_one(scope, top);
      }
    }
  }
}

void DimensionNames::evaluate_one(Scope& scope, const ast::Dimension& dimension) {
  Dimension& entry = scope.dimensions[dimension.name.text];
  const auto value = evaluate_extent(
      *dimension.value, [&](const ast::Extent& name) { return extent_of(scope, name); }, diagnostics_);
  if (!value) {
    entry.failed = true;
    return;
  }
  entry.extent = *value;
}

void DimensionNames::report_cycle(Scope& scope, const std::vector<const ast::Dimension*>& stack,
                                  std::string_view again) {
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

std::optional<Extent> DimensionNames::extent_of(Scope& scope, const ast::Extent& name) {
  for (Scope* where : scope.visible()) {
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

void DimensionNames::declare_implicit(Scope& scope) {
  std::vector<const ast::Extent*> fresh;
  std::vector<const ast::Extent*> extents;
  std::vector<OpenDimension> open;
  const auto add = [&](const std::vector<ast::Declaration>& declarations) {
    for (const ast::Declaration& each : declarations) {
      if (each.type.shape)
        for (const ast::Extent& extent : each.type.shape->extents) extents.push_back(&extent);
      if (!each.type.declared) continue;
      const auto own = open_dimensions(scope, *each.type.declared);
      open.insert(open.end(), own.begin(), own.end());
    }
  };
  add(scope.syntax->declarations);
  const std::function<void(const std::vector<ast::Recurrence>&)> add_blocks =
      [&](const std::vector<ast::Recurrence>& blocks) {
        for (const ast::Recurrence& block : blocks) {
          if (block.length) extents.push_back(&*block.length);
          add(block.declarations);
          add_blocks(block.recurrences);
        }
      };
  add_blocks(scope.syntax->recurrences);
  const auto declare = [&](const std::string& name, const ast::Extent& written) {
    const bool imported = std::any_of(scope.imports.begin(), scope.imports.end(), [&](const Scope* import) {
      const auto found = import->dimensions.find(name);
      return found != import->dimensions.end() && found->second.declared;
    });
    if (imported || scope.values.contains(name)) return;  // a value is reported where it is used
    const auto [place, is_new] = scope.dimensions.try_emplace(name);
    place->second.used = true;
    if (!is_new) return;
    place->second = {Extent::dimension(name), written.location, false, true};
    fresh.push_back(&written);
  };
  for (const ast::Extent* extent : extents)
    for_each_name(*extent, [&](const ast::Extent& name) { declare(name.text, name); });
  for (const OpenDimension& each : open) declare(each.name, *each.written);
  for (const ast::Extent* name : fresh) report_joined(scope, *name);
}

void DimensionNames::report_joined(Scope& scope, const ast::Extent& name) {
  for (std::size_t i = 1; i + 1 < name.text.size(); ++i) {
    if (name.text[i] != 'x') continue;
    const std::string left = name.text.substr(0, i), right = name.text.substr(i + 1);
    const bool digits = std::all_of(right.begin(), right.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits && !(scope.dimensions.contains(left) && scope.dimensions.contains(right))) continue;
    diagnostics_.report(joined_extents, name.location, name.text)
        .fix(fmt::format("write {} x {}", left, right));
    scope.dimensions[name.text].failed = true;
    return;
  }
}

std::optional<std::int64_t> DimensionNames::override_of(const Scope& scope, const std::string& name) const {
  if (!scope.main && program_.main().dimensions.contains(name)) return std::nullopt;
  for (const auto& [dimension, value] : options_.dimensions)
    if (dimension == name && value >= 0) return value;
  return std::nullopt;
}

void DimensionNames::apply_options() {
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

}  // namespace frontend::check
