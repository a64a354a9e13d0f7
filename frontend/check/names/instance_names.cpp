#include "frontend/check/names/instance_names.h"

#include <fmt/format.h>

#include <utility>

#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
bool is_new_value(const Scope& scope, const ast::Name& name, dlvm::Diagnostics& diagnostics) {
  if (const auto dimension = scope.dimensions.find(name.text); dimension != scope.dimensions.end()) {
    diagnostics.report(value_and_dimension, name.location, name.text)
        .note(dimension->second.location, fmt::format("the dimension '{}' is declared here", name.text));
    return false;
  }
  const auto value = scope.values.find(name.text);
  const auto instance = scope.instances.find(name.text);
  if (value != scope.values.end()) {
    auto& report = report_declared_twice(name, value->second->location, diagnostics);
    if (value->second->is_state() && value->second->is_given())
      report.fix(fmt::format("the next value of a state: {}' = ...", name.text),
                 dlvm::replacement(name.location, name.text + "'"));
  } else if (instance != scope.instances.end()) {
    report_declared_twice(name, instance->second->location, diagnostics);
  } else {
    return true;
  }
  return false;
}

void InstanceNames::declare(Scope& scope, Location before) {
  if (std::exchange(scope_, &scope) != &scope) declared_ = 0;
  const auto& all = scope.syntax->instances;
  for (; declared_ < all.size(); ++declared_) {
    const Location& at = all[declared_].location;
    if (before.valid() && std::pair(before.line, before.column) < std::pair(at.line, at.column)) return;
    declare(scope, all[declared_]);
  }
}

void InstanceNames::declare(Scope& scope, const ast::NetInstance& syntax) {
  for (const ast::Name& name : syntax.names) {
    if (!is_new_value(scope, name, diagnostics_)) continue;
    if (!scope.main) {
      diagnostics_.report(not_importable, name.location, scope.name, name.text, "an instance of a net");
      continue;
    }
    NetInstance& instance = program_.net_instances.emplace_back();
    instance.name = name.text;
    instance.location = name.location;
    instance.syntax = &syntax;
    instance.scope = &scope;
    instance.next = program_.declarations.end();
    scope.instances[name.text] = &instance;
    pending_.push_back(&instance);
  }
}

void InstanceNames::set_next(std::list<Declaration>::iterator next) {
  for (NetInstance* instance : pending_) instance->next = next;
  pending_.clear();
}

void InstanceNames::check_names() {
  for (const NetInstance& instance : program_.net_instances) {
    const ast::Name name{instance.name, instance.location};
    const auto functions = instance.scope->functions.find(name.text);
    if (functions != instance.scope->functions.end() && !functions->second.empty())
      report_declared_twice(name, functions->second.front()->syntax->name.location, diagnostics_);
    for (const ast::Import& import : instance.scope->syntax->imports)
      if (import.module.text == name.text)
        report_declared_twice(name, import.module.location, diagnostics_)
            .fix(fmt::format(
                "'{0}' alone stands for the imported file: give the net another name, {0}_: {1}{2}",
                name.text, instance.syntax->count ? "[...] " : "",
                quoted(instance.syntax->use, instance.syntax->net.text)));
  }
}

}  // namespace frontend::check
