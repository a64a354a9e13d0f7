#include "frontend/check/names/dimension_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "frontend/check/names/lookup.h"
#include "frontend/check/names/value_as_extent.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Returns where the last `x` with a number behind it stands, where the text ends in such; else 0.
std::size_t number_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const bool found = last != std::string_view::npos && last + 1 < text.size() && text[last] == 'x';
  return found ? last : 0;
}

/// Returns the names of dimensions that the text joins by `x`, or the text itself where it joins none.
std::vector<std::string> joined_names(const Scope& scope, std::string_view text) {
  const auto is_dimension = [&](std::string_view name) {
    const auto found = scope.dimensions.find(name);
    return found != scope.dimensions.end() && !found->second.failed;
  };
  std::vector<std::string> names;
  for (std::string_view rest = text;;) {
    if (!names.empty() && is_dimension(rest)) {
      names.emplace_back(rest);
      return names;
    }
    std::size_t longest = rest.rfind('x');  // the name in front of it
    while (longest != std::string_view::npos && longest > 0 &&
           (longest + 1 == rest.size() || !is_dimension(rest.substr(0, longest))))
      longest = rest.rfind('x', longest - 1);
    if (longest == std::string_view::npos || longest == 0) return {std::string(text)};
    names.emplace_back(rest.substr(0, longest));
    rest.remove_prefix(longest + 1);
  }
}

/// Returns the extents that a name runs together: N and 10 of `Nx10`, A and B of `AxB`. One if it runs none.
std::vector<std::string> extents_in(const Scope& scope, std::string_view name) {
  std::vector<std::string> numbers;
  for (std::size_t at; (at = number_at_end(name)) != 0; name = name.substr(0, at))
    numbers.insert(numbers.begin(), std::string(name.substr(at + 1)));
  std::vector<std::string> extents = joined_names(scope, name);
  extents.insert(extents.end(), numbers.begin(), numbers.end());
  return extents;
}

}  // namespace

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
  if (!evaluated_.insert(&scope).second) return;
  for (Scope* import : scope.imports) evaluate(*import);
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
  Dimension* known = nullptr;
  if (const auto own = scope.dimensions.find(name.text); own != scope.dimensions.end()) {
    own->second.used = true;
    known = &own->second;
  } else {
    const auto imported = find_imported_dimension(scope, name.text, name.location, diagnostics_);
    if (imported.reported) return std::nullopt;
    known = imported.dimension;
  }
  if (known != nullptr) return known->failed ? std::nullopt : std::optional(known->extent);
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
  const std::vector<std::string> extents = extents_in(scope, name.text);
  if (extents.size() < 2) return;
  diagnostics_.report(joined_extents, name.location, name.text)
      .fix(fmt::format("write {}", fmt::join(extents, " x ")));
  scope.dimensions[name.text].failed = true;
}

std::optional<std::int64_t> DimensionNames::override_of(const Scope& scope, const std::string& name) const {
  if (!scope.main && program_.main().dimensions.contains(name)) return std::nullopt;
  for (const auto& [dimension, value] : options_.dimensions)
    if (dimension == name && value >= 0) return value;
  return std::nullopt;
}

void DimensionNames::apply_options() {
  for (const auto& [name, value] : options_.dimensions) {
    Location place{program_.main().source, 0, 0, 1};
    bool known = false;
    std::vector<std::string_view> candidates;
    for (Scope& scope : program_.scopes) {
      for (const auto& [each, dimension] : scope.dimensions) candidates.push_back(each);
      const auto own = scope.dimensions.find(name);
      if (own == scope.dimensions.end()) continue;
      if (!known) place = own->second.location;
      known = true;
    }
    known = known || is_call_bound(program_, name);
    if (value < 0) {
      diagnostics_.report(bad_option, place, name, value);
    } else if (!known) {
      auto& report = diagnostics_.report(unknown_option, place, name);
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
