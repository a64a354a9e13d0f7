// Declarations: what their roles ask for, and whether type and expression agree.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/named_results.h"
#include "frontend/check/declarations/scales.h"
#include "frontend/check/diagnostics/index_diagnostics.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/types/declared_shape.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/sizes.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Holds what a role asks of its declaration.
struct RoleRules {
  ast::Role role;
  bool needs_value, may_have_value;
  std::string_view example;
};
constexpr RoleRules rules[]{
    {ast::Role::in, false, false, "an 'in' is supplied by the caller: {}: in[...]"},
    {ast::Role::param, true, true, "a 'param' needs an initial value: {}: param"},
    {ast::Role::constant, false, true, ""},
    {ast::Role::hidden, true, true, "{}: hidden = relu(...)"},
    {ast::Role::layer, true, true, "{}: layer = relu(...)"},
    {ast::Role::out, true, true, "{}: out = softmax(...)"},
    {ast::Role::loss, true, true, "{}: loss = cross_entropy(...)"},
    {ast::Role::metric, true, true, "{}: metric = accuracy(...)"},
    {ast::Role::state, false, true, ""},
};

const RoleRules& rules_of(ast::Role role) {
  return *std::find_if(std::begin(rules), std::end(rules),
                       [&](const RoleRules& each) { return each.role == role; });
}

/// The type of a param as it is written, with an initial value that suits its number of axes.
std::string initialized(const ast::Type& type) {
  if (type.declared) {
    const std::string name = quoted(type.location, "S");
    return fmt::format(" {0} = {0}(...)", name);
  }
  const std::string written =
      type.element || type.shape || type.is_automatic() ? quoted(type.location, "[...]") : "";
  const bool matrix = type.is_automatic() || (type.shape && type.shape->extents.size() >= 2);
  return fmt::format("{}{} = {}", type.element ? " " : "", written, matrix ? "glorot()" : "0");
}

}  // namespace

bool Checker::check_role(const Declaration& d, dlvm::Diagnostics& messages) {
  const RoleRules& rule = rules_of(d.role());
  if (!d.syntax->indices.empty() && (d.role() == ast::Role::in || d.role() == ast::Role::param)) {
    messages
        .report(indices_without_value, d.syntax->indices.front().location, d.name, ast::spelling(d.role()))
        .fix(d.role() == ast::Role::in
                 ? fmt::format("leave the indices and the expression out: {}: in[...]", d.name)
                 : fmt::format("compute its initial value as a const: initial[i]: const[...] = ..., {}: "
                               "param[...] = initial",
                               d.name));
    return false;
  }
  if (rule.needs_value && !d.syntax->value) {
    const auto& declared = d.syntax->type.declared;
    if (declared && find_type(*d.scope, *declared, messages) == nullptr) return false;
    messages.report(value_missing, d.location, d.name, ast::spelling(d.role()))
        .fix(fmt::vformat(rule.example, fmt::make_format_args(d.name)) +
             (d.role() == ast::Role::param ? initialized(d.syntax->type) : ""));
    return false;
  }
  if (!rule.may_have_value && d.syntax->value) {
    messages.report(value_of_input, d.syntax->value->location, d.name)
        .fix(fmt::format("leave the expression out, or declare a value: {}: hidden = ...", d.name));
    return false;
  }
  return true;
}

void Checker::attempt(Declaration& d, dlvm::Diagnostics& messages) {
  d.failed = false;
  if (d.has_unknown_shape()) {
    d.failed = true;  // none was found, which has been reported
    return;
  }
  if (d.pattern != nullptr) {
    d.failed = !ready(*d.pattern);
    if (!d.failed) d.type = d.pattern->type;
    return;
  }
  if (d.part != Declaration::Part::none && d.part != Declaration::Part::source) {
    check_part(d, messages);
    d.failed = d.failed || messages.has_errors();
    return;
  }
  if (d.net != nullptr && !d.tensors.empty()) return assemble(d, messages);
  if (d.make) {
    BodyContext context{*this, d.scope, nullptr, messages};
    d.make(context, d);
  } else if (d.structure != nullptr) {
    check_tensor(d, messages);
    d.failed = d.failed || messages.has_errors() || (!d.is_given() && d.body.result == nullptr);
    return;
  } else if (!d.tensors.empty() && d.tensors.front()->is_given()) {
    assemble(d, messages);
  } else if (!check_role(d, messages)) {
    d.failed = true;
  } else if (d.state != nullptr) {
    check_next(d, messages);
  } else if (d.is_given()) {
    declare_given(d, messages);
  } else {
    check_computed(d, messages);
  }
  if (d.syntax->scale && !d.failed && !messages.has_errors()) check_scale(*this, d, messages);
  d.failed = d.failed || messages.has_errors() || ((d.make || d.syntax->value) && d.body.result == nullptr);
}

/// An input of recurrent blocks has their steps as its first axes.
bool Checker::add_axes(Declaration& d) {
  for (Recurrence* each = d.axes; each != nullptr; each = each->outer) {
    if (!ready(*each->counter)) {
      d.failed = true;
      return false;
    }
    d.type.shape.insert(d.type.shape.begin(), each->length);
  }
  return true;
}

/// What is stored has constant extents. Returns false, after a report, where a dimension is free.
bool Checker::has_constant_extents(const Declaration& d, dlvm::Diagnostics& messages) {
  for (const Extent& extent : d.type.shape)
    if (!extent.constant()) {
      const std::string name = spelling(extent);
      auto& report =
          messages.report(stored_extent_free, d.syntax->type.location, ast::spelling(d.role()), d.name, name);
      if (name == "?")
        report.fix("write the extent: a number, or the name of a dimension");
      else
        report.fix(fmt::format("give the dimension a value, dim {0} = 8, or compile with -D {0}=8", name));
      return false;
    }
  return true;
}

/// Returns false, after a report, if it is a param of a type that has no derivatives.
bool Checker::may_be_trained(const Declaration& d, dlvm::Diagnostics& messages) {
  if (d.role() != ast::Role::param || dlvm::is_floating(d.type.element.type)) return true;
  const ast::Type& written = d.syntax->type;
  auto& report = messages.report(param_not_floating, written.element ? written.element_location : d.location,
                                 d.name, spelling(d.type));
  const bool drawn = d.syntax->value != nullptr && d.syntax->value->kind == ast::Expression::Kind::call;
  if (drawn && d.structure == nullptr)  // as `glorot()`, which gives no integers
    report.fix(fmt::format("train floating-point numbers: {}: param{}", d.name,
                           d.type.is_scalar() ? "" : spelling(d.type.shape)));
  else
    report.fix("what is not trained is a const");
  return false;
}

/// What is given and is no struct.
void Checker::declare_given_tensor(Declaration& d, dlvm::Diagnostics& messages) {
  BodyContext context{*this, d.scope, nullptr, messages};
  context.net = d.net;
  const ast::Type& written = d.syntax->type;
  d.type = {written.element ? element_of(*written.element) : own_element(context), {}, nullptr};
  if (d.axes != nullptr && !add_axes(d)) return;
  if (written.shape) {
    const bool chosen = d.role() == ast::Role::in;
    const auto pattern = check_pattern(context, *written.shape, chosen ? Omitted::chosen : Omitted::known);
    if (!pattern) {
      d.failed = true;
      return;
    }
    for (const auto& extent : *pattern) d.type.shape.push_back(extent ? *extent : Extent::erased());
  }
  if (d.found_shape) d.type.shape = *d.found_shape;
  if (!check_size(d.type, written.location, messages)) return;
  if (d.role() == ast::Role::in) return;
  const bool constant = (d.net != nullptr && d.net->sample) || has_constant_extents(d, messages);
  if (!constant || !d.syntax->value) return;
  if (!may_be_trained(d, messages)) return;
  context.declaration = &d;
  context.initializer = d.type;
  context.constant = true;
  Node* value = check_expression(context, *d.syntax->value, d.type.element.type);
  if (value != nullptr && !unify_elements(context, value->type.element, d.type.element)) {
    messages
        .report(declared_element_differs, value->location, fmt::format("the initial value of '{}'", d.name),
                spelling(d.type.element.type), spelling(type_of(context, value)))
        .fix(fmt::format("convert it: {}", converted(value->place(), d.type.element.type)));
    return;
  }
  std::string why;
  if (value != nullptr) {
    const auto joined = dlvm::broadcast_shapes(value->type.shape, d.type.shape, why);
    if (!joined || *joined != d.type.shape) {
      auto& report = messages.report(declared_shape_differs, value->location,
                                     fmt::format("the initial value of '{}'", d.name), spelling(d.type.shape),
                                     spelling(type_of(context, value)));
      report.note(written.location, fmt::format("'{}' is declared {} here", d.name, spelling(d.type)));
      if (d.shape_use.valid())
        report.note(d.shape_use, "its shape follows from this use of it");
      else if (!written.shape)
        report.fix(fmt::format("a {0} without a shape is a scalar: {1}: {0}{2} = ...",
                               ast::spelling(d.role()), d.name, spelling(value->type.shape)));
      return;
    }
    value = make_broadcast(context, value, d.type.shape, value->location);
  }
  if (finish_body(context, value, d.type.element.type)) d.body = std::move(context.body);
}

/// Values and constants with an expression.
void Checker::check_computed(Declaration& d, dlvm::Diagnostics& messages) {
  BodyContext context{*this, d.scope, nullptr, messages};
  context.net = d.net;
  context.declaration = &d;
  context.recurrence = d.recurrence;
  if (d.role() == ast::Role::constant) context.constant = true;
  const ast::Type& written = d.syntax->type;
  Hint element;
  if (written.element)
    element = element_of(*written.element);
  else if (written.shape)
    element = own_element(context);
  Node* value = nullptr;
  if (d.results != nullptr && !ready(*d.results) &&
      (!d.results->done || d.results->has_several || !d.syntax->role_location.valid()))
    return;
  if (names_results(d)) {
    value = make_named_result(context, d);
  } else if (d.syntax->indices.empty()) {
    value = check_any_expression(context, *d.syntax->value, element);
  } else {
    std::optional<ShapePattern> declared;
    if (written.shape && !(declared = check_pattern(context, *written.shape))) return;
    value = check_equation(context, *d.syntax, element, declared);
  }
  if (d.part == Declaration::Part::source) value = require_tensor(context, value);
  const std::string what = fmt::format("'{}'", d.name);
  if (value != nullptr && (written.declared || !value->type.is_tensor()))
    return take_declared(d, context, value);
  if (value != nullptr && element && !unify_elements(context, value->type.element, *element)) {
    auto& report = messages.report(declared_element_differs, value->location, what, spelling(*element),
                                   spelling(type_of(context, value)));
    const ElementType actual = resolved(context, value->type.element).type;
    if (written.element)
      report
          .note(written.element_location, fmt::format("'{}' is declared {} here", d.name, spelling(*element)))
          .fix(fmt::format("convert it: {}", converted(value->place(), *element)));
    else
      report
          .note(written.location,
                fmt::format("a type without an element type means {}, the type of the module",
                            spelling(*element)))
          .fix(fmt::format("write {}{}, or leave the type out", spelling(actual),
                           quoted(written.location, "[...]")));
    return;
  }
  if (written.shape) {
    const auto shape = check_pattern(context, *written.shape);
    value = shape ? conform(context, value, *shape, written.location, what) : nullptr;
  }
  if (!finish_body(context, value, element.value_or(own_element(context)))) return;
  d.type = value->type;
  d.body = std::move(context.body);
  if (d.part == Declaration::Part::source && d.type.is_scalar())
    messages.report(source_without_axis, d.syntax->value->location, d.name, spelling(d.type));
  if (d.role() != ast::Role::loss) return;
  if (d.type.is_scalar() && dlvm::is_floating(d.type.element.type)) return;
  auto& report = messages.report(loss_not_scalar, d.syntax->value->location, d.name, spelling(d.type));
  if (!d.type.is_scalar())
    report.fix(fmt::format("reduce it: mean({})", quoted(d.syntax->value->location, "...")));
}

}  // namespace frontend::check
