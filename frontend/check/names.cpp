// Names in expressions.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body.h"
#include "frontend/check/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/lookup.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/spelling.h"
#include "frontend/support/other_languages.h"
#include "frontend/support/suggest.h"

namespace frontend::check {

Node* BodyChecker::reference(Declaration& declaration, Location location) {
  declaration.used = true;
  if (instance_ != nullptr && !declaration.is_computed_constant()) {
    auto& report = diagnostics_.report(value_in_function, location, declaration.name);
    report.note(declaration.location, fmt::format("'{}' is declared here", declaration.name));
    report.fix("pass it as an argument");
    return nullptr;
  }
  if (constant_ && !declaration.is_computed_constant()) {
    diagnostics_.report(initializer_not_constant, location, declaration.name)
        .note(declaration.location, fmt::format("'{}' is declared here", declaration.name));
    return nullptr;
  }
  if (!checker_.ready(declaration)) return nullptr;
  Node node;
  node.kind = Node::Kind::reference;
  node.type = declaration.type;
  node.location = location;
  node.declaration = &declaration;
  return add(std::move(node));
}

Node* BodyChecker::name(const ast::NameReference& e) {
  if (instance_ != nullptr) {
    std::size_t index = 0;
    for (const ast::Parameter& parameter : instance_->function->syntax->parameters) {
      if (!parameter.is_value()) continue;
      if (parameter.name.text == e.text) {
        Node node;
        node.kind = Node::Kind::parameter;
        node.type = instance_->parameters[index];
        node.location = e.location;
        node.index = index;
        return add(std::move(node));
      }
      ++index;
    }
    if (const auto axis = instance_->axes.find(e.text); axis != instance_->axes.end())
      return constant(Number(axis->second), fresh_element(), e.location);
    if (const auto flag = instance_->flags.find(e.text); flag != instance_->flags.end())
      return constant(Number(flag->second ? 1 : 0), ElementType::boolean, e.location);
    if (const auto extent = instance_->dimensions.find(e.text); extent != instance_->dimensions.end())
      return extent_value(extent->second, e.location);
  }
  if (const auto own = scope_->values.find(e.text); own != scope_->values.end())
    return reference(*own->second, e.location);
  if (scope_->dimensions.contains(e.text) || checker_.is_imported_dimension(*scope_, e.text)) {
    const auto extent = checker_.dimension(*scope_, e.text, e.location, false, diagnostics_);
    return extent ? extent_value(*extent, e.location) : nullptr;
  }
  const FoundValue imported = find_imported_value(*scope_, e.text, e.location, diagnostics_);
  if (imported.reported) return nullptr;
  if (imported.value != nullptr) return reference(*imported.value, e.location);
  if (e.text == "training") {
    if (instance_ != nullptr) instance_->depends_on_training = true;
    Node node;
    node.kind = Node::Kind::training;
    node.type.element = ElementType::boolean;
    node.location = e.location;
    return add(std::move(node));
  }
  unknown_name(e.text, e.location);
  return nullptr;
}

bool BodyChecker::is_callable(const std::string& name) {
  dlvm::Diagnostics ignored;
  return find_builtin(name) != nullptr || !find_functions(*scope_, "", name, {}, ignored).candidates.empty();
}

bool BodyChecker::knows(const std::string& name) const {
  const auto is_name = [&](const ast::Parameter& parameter) { return parameter.name.text == name; };
  return scope_->values.contains(name) || knows_dimension(name) ||
         (instance_ != nullptr && std::ranges::any_of(instance_->function->syntax->parameters, is_name));
}

void BodyChecker::unknown_name(const std::string& name, Location location) {
  if (is_callable(name)) {
    diagnostics_.report(function_as_value, location, name).fix(fmt::format("call it: {}(...)", name));
    return;
  }
  if (find_import(*scope_, name) != nullptr) {
    diagnostics_.report(module_as_value, location, name);
    return;
  }
  auto candidates = visible_values(*scope_);
  if (instance_ != nullptr) {
    for (const ast::Parameter& parameter : instance_->function->syntax->parameters)
      candidates.push_back(parameter.name.text);
    for (const auto& [dimension, extent] : instance_->dimensions) candidates.push_back(dimension);
  }
  auto& report = diagnostics_.report(unknown_name_kind, location, name);
  if (diagnostics_.error_count() > dlvm::Diagnostics::error_limit) return;
  if (declaration_ != nullptr) std::erase(candidates, declaration_->name);
  if (const auto here = value_elsewhere(name); !here.empty())
    report.fix(fmt::format("write {}", here));
  else if (const auto near = closest(name, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  else if (instance_ == nullptr && name.front() >= 'A' && name.front() <= 'Z')
    report.fix(fmt::format("a dimension that no shape names is declared first: dim {}", name));
}

/// `x.T`, `x.shape`, `x.W`, where x is a value.
void BodyChecker::attribute(const ast::Member& e) {
  const std::string& name = e.member.text;
  const Node* x = name == "shape" ? expression(*e.object) : nullptr;
  if (name == "shape" && x == nullptr) return;
  auto& report = diagnostics_.report(no_members, e.member.location, name);
  if (x != nullptr) {
    explain(report, x, "the value");
    std::string extents;
    for (std::size_t axis = 0; axis < x->type.rank(); ++axis)
      if (const std::string extent = spelling(x->type.shape[axis]);
          x->type.shape[axis].constant() || knows_dimension(extent))
        extents += fmt::format("{}{} for axis {}", extents.empty() ? "" : ", ", extent, axis);
    if (!extents.empty()) report.fix("an extent is written by its name or number: " + extents);
  } else if (name == "T" || name == "mT") {
    report.fix(fmt::format("the transpose: {}", quoted_transposed(e.object->location)));
  } else if (is_callable(name)) {
    report.fix(fmt::format("call the function: {}({})", name, quoted(e.object->location, "...")));
  } else if (knows(name)) {
    report.fix(fmt::format("the product of matrices: {} • {}", quoted_operand(e.object->location), name));
  }
}

Node* BodyChecker::member(const ast::Member& e) {
  const auto* object = ast::if_a<ast::NameReference>(*e.object);
  Scope* import = object != nullptr && !scope_->values.contains(object->text)
                      ? find_import(*scope_, object->text)
                      : nullptr;
  if (import == nullptr) {
    if (object != nullptr && !knows(object->text))
      unknown_name(object->text, object->location);
    else
      attribute(e);
    return nullptr;
  }
  if (const auto found = import->values.find(e.member.text); found != import->values.end())
    return reference(*found->second, e.location);
  if (import->dimensions.contains(e.member.text)) {
    const auto extent = checker_.dimension(*import, e.member.text, e.member.location, false, diagnostics_);
    return extent ? extent_value(*extent, e.location) : nullptr;
  }
  if (import->functions.contains(e.member.text)) {
    const std::string whole = import->name + "." + e.member.text;
    diagnostics_.report(function_as_value, e.location, whole).fix(fmt::format("call it: {}(...)", whole));
    return nullptr;
  }
  std::vector<std::string_view> candidates;
  for (const auto& [name, value] : import->values) candidates.push_back(name);
  for (const auto& [name, functions] : import->functions) candidates.push_back(name);
  auto& report = diagnostics_.report(unknown_member, e.member.location, import->name, e.member.text);
  if (const auto near = closest(e.member.text, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}.{}'?", import->name, near));
  return nullptr;
}

}  // namespace frontend::check
