#include "frontend/check/names/lookup.h"

#include <fmt/format.h>

#include "dlvm/support/suggest.h"
#include "frontend/check/calls/builtins.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/types/spelling.h"
#include "frontend/python/translate.h"
#include "frontend/support/stdlib.h"

namespace frontend::check {
namespace {

void report_clash(const std::string& name, const Scope& first, const Scope& second, Location location,
                  dlvm::Diagnostics& diagnostics) {
  diagnostics.report(ambiguous_import, location, first.name, second.name, name)
      .fix(fmt::format("write {}.{} or {}.{}", first.name, name, second.name, name));
}

/// What is imported by name goes before what always is.
bool is_imported_by_itself(const Scope& scope) {
  return scope.name == "nn" || (scope.library && scope.name == "optimizers");
}

Net* net_in(const Scope& scope, const std::string& name) {
  const auto found = scope.nets.find(name);
  return found == scope.nets.end() ? nullptr : found->second;
}

/// `outer` is the net in which the name is used, or null.
std::vector<std::string_view> visible_nets(const Scope& scope, const Net* outer) {
  std::vector<std::string_view> names;
  if (outer != nullptr)
    for (const auto& [name, net] : outer->net_parameters) names.push_back(name);
  for (const auto& [name, net] : scope.nets) names.push_back(name);
  for (const Scope* import : scope.imports)
    for (const auto& [name, net] : import->nets) names.push_back(name);
  return names;
}

void report_unknown_net(Scope& scope, const ast::NetInstance& instance, const Net* outer,
                        dlvm::Diagnostics& diagnostics) {
  const std::string& name = instance.net.text;
  auto& report = diagnostics.report(unknown_net, instance.net.location, name);
  dlvm::Diagnostics ignored;
  if (const auto module = library_module_with("net", name); !module.empty())
    report.fix(advice_on_import(scope, module));
  else if (const auto advice = python::advice_for_layer(quoted(instance.use, name + "()")); !advice.empty())
    report.fix(advice);
  else if (const auto near = dlvm::closest(name, visible_nets(scope, outer)); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  else if (find_builtin(name) != nullptr || !find_functions(scope, "", name, {}, ignored).candidates.empty())
    report.fix(fmt::format("the call of a function stands behind '=': {} = {}(...)",
                           instance.names.front().text, name));
}

/// Returns the net of an imported file. `declared` is the name of the instance, for advice.
Net* find_qualified(Scope& scope, const ast::Name& file, const ast::Name& net, std::string_view declared,
                    dlvm::Diagnostics& diagnostics) {
  const Scope* import = find_import(scope, file.text);
  if (import == nullptr) {
    std::vector<std::string_view> files;
    for (const Scope* each : scope.imports) files.push_back(each->name);
    const auto near = dlvm::closest(file.text, files);
    diagnostics.report(unknown_file, file.location, file.text)
        .fix(near.empty() ? fmt::format("import it: import {}", file.text)
                          : fmt::format("did you mean '{}'?", near));
    return nullptr;
  }
  const std::string& name = net.text;
  if (Net* found = net_in(*import, name)) return found;
  auto& report = diagnostics.report(unknown_member, net.location, import->name, name);
  std::vector<std::string_view> candidates;
  for (const auto& [each, candidate] : import->nets) candidates.push_back(each);
  if (const auto near = dlvm::closest(name, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}.{}'?", import->name, near));
  else if (const auto module = library_module_with("net", name); !module.empty() && declared.empty())
    report.fix(
        fmt::format("it is in another file of the library: import {0}, and write {0}.{1}", module, name));
  else if (!module.empty())
    report.fix(fmt::format("it is in another file of the library: import {0}, and write {1}: {0}.{2}(...)",
                           module, declared, name));
  return nullptr;
}

}  // namespace

Scope* find_import(const Scope& scope, std::string_view name) {
  for (Scope* import : scope.imports)
    if (import->name == name) return import;
  return nullptr;
}

FoundFunctions find_functions(Scope& scope, std::string_view qualifier, const std::string& name,
                              Location location, dlvm::Diagnostics& diagnostics) {
  const auto in = [&](Scope& where) {
    const auto found = where.functions.find(name);
    return found == where.functions.end() ? std::vector<Function*>() : found->second;
  };
  if (!qualifier.empty()) {
    if (Scope* import = find_import(scope, qualifier)) return {in(*import), false};
    return {};
  }
  if (auto own = in(scope); !own.empty()) return {std::move(own), false};
  const Scope* from = nullptr;
  FoundFunctions result;
  for (Scope* import : scope.imports) {
    auto found = in(*import);
    if (found.empty()) continue;
    if (from == nullptr || is_imported_by_itself(*from)) {
      from = import;
      result.candidates = std::move(found);
    } else if (!is_imported_by_itself(*import)) {
      report_clash(name, *from, *import, location, diagnostics);
      return {{}, true};
    }
  }
  return result;
}

FoundValue find_imported_value(Scope& scope, const std::string& name, Location location,
                               dlvm::Diagnostics& diagnostics) {
  const Scope* from = nullptr;
  FoundValue result;
  for (Scope* import : scope.imports) {
    const auto found = import->values.find(name);
    if (found == import->values.end()) continue;
    if (from != nullptr) {
      report_clash(name, *from, *import, location, diagnostics);
      return {nullptr, true};
    }
    from = import;
    result.value = found->second;
  }
  return result;
}

FoundDimension find_imported_dimension(Scope& scope, const std::string& name, Location location,
                                       dlvm::Diagnostics& diagnostics) {
  const Scope* from = nullptr;
  FoundDimension result;
  for (Scope* import : scope.imports) {
    const auto found = import->dimensions.find(name);
    if (found == import->dimensions.end() || !found->second.declared) continue;
    Dimension& own = found->second;
    own.used = true;
    if (from == nullptr) {
      from = import;
      result.dimension = &own;
      continue;
    }
    const Dimension& first = *result.dimension;
    if (own.failed || first.failed || own.extent == first.extent) continue;
    diagnostics.report(dimensions_differ, location, name, from->name, import->name)
        .note(first.location, fmt::format("in '{}' it is {}", from->name, spelling(first.extent)))
        .note(own.location, fmt::format("in '{}' it is {}", import->name, spelling(own.extent)))
        .fix(fmt::format("declare the one that is meant in this file: dim {} = {}", name,
                         spelling(first.extent)));
    return {nullptr, true};
  }
  return result;
}

const Net* known_net(const Scope& scope, const std::string& name) {
  if (const Net* own = net_in(scope, name)) return own;
  for (const Scope* import : scope.imports)
    if (const Net* net = net_in(*import, name)) return net;
  return nullptr;
}

namespace {

struct FoundNet {
  Net* net = nullptr;
  bool reported = false;
};

FoundNet find_unqualified(Scope& scope, const ast::Name& name, dlvm::Diagnostics& diagnostics) {
  if (Net* own = net_in(scope, name.text)) return {own};
  const Scope* from = nullptr;
  for (const Scope* import : scope.imports) {
    if (net_in(*import, name.text) == nullptr || (from != nullptr && import->name == "nn")) continue;
    if (from != nullptr && from->name != "nn") {
      report_clash(name.text, *from, *import, name.location, diagnostics);
      return {nullptr, true};
    }
    from = import;
  }
  return {from != nullptr ? net_in(*from, name.text) : nullptr};
}

}  // namespace

Net* find_net(Scope& scope, const ast::NetInstance& instance, const Net* outer,
              dlvm::Diagnostics& diagnostics) {
  if (instance.file)
    return find_qualified(scope, *instance.file, instance.net, instance.names.front().text, diagnostics);
  const FoundNet found = find_unqualified(scope, instance.net, diagnostics);
  if (found.net == nullptr && !found.reported) report_unknown_net(scope, instance, outer, diagnostics);
  return found.net;
}

namespace {

/// The dimension that hides a net of the name: where it is declared, as what, and what has it.
struct HidingDimension {
  Location location;
  std::string_view kind;
  std::string owner;
  bool open = false;  ///< a parameter without a default
};

std::optional<HidingDimension> hiding_dimension(const std::string& name, const Scope& scope,
                                                const Net* outer) {
  if (outer != nullptr)
    for (const ast::Dimension& each : outer->syntax->parameters)
      if (each.name.text == name)
        return HidingDimension{each.name.location, "parameter", fmt::format("the net '{}'", outer->name()),
                               !each.value};
  const auto own = scope.dimensions.find(name);
  if (own == scope.dimensions.end() || !own->second.declared || net_in(scope, name) != nullptr)
    return std::nullopt;
  return HidingDimension{own->second.location, "dimension", "this file", false};
}

void report_unknown_net(Scope& scope, const ast::Name& parameter, const ast::Name& name, const Net* outer,
                        dlvm::Diagnostics& diagnostics) {
  dlvm::Diagnostics ignored;
  auto& report = diagnostics.report(unknown_net, name.location, name.text);
  if (const auto module = library_module_with("net", name.text); !module.empty())
    report.fix(advice_on_import(scope, module));
  else if (find_builtin(name.text) != nullptr ||
           !find_functions(scope, "", name.text, {}, ignored).candidates.empty())
    report.fix(
        fmt::format("'{0}' is a function; '{1}' is a net, whose function apply can call it: "
                    "func apply(x: [s...]) -> [s...] = {0}(x)",
                    name.text, parameter.text));
  else if (const auto near = dlvm::closest(name.text, visible_nets(scope, outer)); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
}

}  // namespace

Net* named_net(const ast::Name& parameter, const ast::Extent& value, Scope& scope, const Net* outer,
               dlvm::Diagnostics& diagnostics) {
  if (value.kind == ast::Extent::Kind::member) {
    const auto dot = static_cast<std::uint32_t>(value.text.find('.'));
    Location file = value.location, net = value.location;
    file.length = dot;
    net.column += dot + 1;
    net.length = static_cast<std::uint32_t>(value.text.size()) - dot - 1;
    return find_qualified(scope, {value.text.substr(0, dot), file}, {value.text.substr(dot + 1), net}, "",
                          diagnostics);
  }
  const ast::Name name{value.text, value.location};
  if (const auto hiding = hiding_dimension(name.text, scope, outer)) {
    auto& report = diagnostics.report(net_wanted, value.location, parameter.text, name.text);
    report.note(hiding->location,
                fmt::format("here '{}' is a {} of {}", name.text, hiding->kind, hiding->owner));
    if (hiding->open)
      report.fix(fmt::format("a parameter that is a net has one as its default: {} = Linear", name.text));
    return nullptr;
  }
  const FoundNet found = find_unqualified(scope, name, diagnostics);
  if (found.net == nullptr && !found.reported) report_unknown_net(scope, parameter, name, outer, diagnostics);
  return found.net;
}

std::vector<std::string_view> visible_values(const Scope& scope) {
  std::vector<std::string_view> names{"training"};
  for (const auto& [name, value] : scope.values) names.push_back(name);
  for (const auto& [name, instance] : scope.instances) names.push_back(name);
  for (const auto& [name, dimension] : scope.dimensions) names.push_back(name);
  for (const Scope* import : scope.imports) {
    for (const auto& [name, value] : import->values) names.push_back(name);
    for (const auto& [name, dimension] : import->dimensions) names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> visible_functions(const Scope& scope) {
  std::vector<std::string_view> names;
  for (const auto& [name, function] : scope.functions) names.push_back(name);
  for (const auto& [name, instance] : scope.instances) names.push_back(name);
  for (const Scope* import : scope.imports)
    for (const auto& [name, function] : import->functions) names.push_back(name);
  for (const Builtin& builtin : builtins()) names.push_back(builtin.name);
  return names;
}

std::string advice_on_import(const Scope& scope, std::string_view module) {
  const Scope* hiding = find_import(scope, module);
  if (hiding == nullptr || hiding->library) return fmt::format("it is in the library: import {}", module);
  return fmt::format("{} is imported in the place of the library's file of that name: give it another name",
                     hiding->source->name());
}

}  // namespace frontend::check
