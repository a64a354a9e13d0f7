// This file holds the values of a function's `return`s against the types that it declares.
#include "frontend/check/functions/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/diagnostics/statement_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/declared_shape.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

bool is_any_integer(const ast::Type& type) { return type.element == ast::ElementType::any_integer; }

/// The element type that a declared result has, if that does not depend on its value.
std::optional<ElementType> element_declared(const ast::Type& type, const Instance& instance) {
  if (!type.element) return instance.generic;
  if (is_any_integer(type)) return std::nullopt;
  return element_of(*type.element);
}

}  // namespace

Results::Results(BodyContext& context) : context_(context), syntax_(*context.instance->function->syntax) {}

const ast::Type* Results::declared(std::size_t i) const {
  return i < syntax_.results.size() ? &syntax_.results[i] : nullptr;
}

Hint Results::hint(std::size_t i) const {
  if (const ast::Type* type = declared(i)) return element_declared(*type, *context_.instance);
  if (i >= types_.size()) return {};
  const Element element = resolved(context_, types_[i].element);
  return element.known() ? Hint(element.type) : Hint();
}

std::optional<std::vector<Node*>> Results::take(std::vector<Node*> values, Location location) {
  if (std::ranges::find(values, nullptr) != values.end()) return std::nullopt;
  const std::size_t expected = !syntax_.results.empty() ? syntax_.results.size()
                               : first_.valid()         ? types_.size()
                                                        : values.size();
  if (values.size() != expected) {
    auto& report =
        context_.diagnostics.report(result_count, location, counted(values.size(), "value"), expected);
    if (!syntax_.results.empty())
      report.note(syntax_.name.location, fmt::format("the function is {}", signature(syntax_)));
    else
      report.note(first_, "the first return is here");
    report.fix(expected == 1 ? "return one value"
                             : fmt::format("return all {} in parentheses: return (a, b{})", expected,
                                           expected > 2 ? ", ..." : ""));
    return std::nullopt;
  }
  const bool first = !first_.valid();
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = declared(i) != nullptr || first ? fit_first(values[i], i) : fit(values[i], i);
    if (values[i] == nullptr) return std::nullopt;
    if (first) types_.push_back(values[i]->type);
  }
  if (first) first_ = location;
  return values;
}

/// Held against the declared type.
Node* Results::fit_first(Node* value, std::size_t i) {
  const ast::Type* type = declared(i);
  if (type == nullptr) return value;
  if (type->declared || !value->type.is_tensor()) return fit_declared(value, i);
  const std::string what = syntax_.results.size() > 1 ? fmt::format("result {} of '{}'", i, syntax_.name.text)
                                                      : fmt::format("the result of '{}'", syntax_.name.text);
  const Element actual = resolved(context_, value->type.element);
  const auto element = element_declared(*type, *context_.instance);
  const bool fits = is_any_integer(*type)
                        ? !actual.known() || dlvm::is_integer(actual.type)
                        : !element || unify_elements(context_, value->type.element, *element);
  if (!fits) {
    auto& report = context_.diagnostics.report(declared_element_differs, value->location, what,
                                               is_any_integer(*type) ? "an integer type" : spelling(*element),
                                               spelling(type_of(context_, value)));
    report.note(type->location, "the type of the result is declared here");
    return nullptr;
  }
  if (is_any_integer(*type)) default_to(context_, value, ElementType::i64);
  if (i < types_.size() && !unify_elements(context_, types_[i].element, value->type.element))
    return fit(value, i);
  const ast::Shape scalar{type->location, {}};
  const auto shape = check_pattern(context_, type->shape ? *type->shape : scalar);
  value = shape ? conform(context_, value, *shape, type->location, what) : nullptr;
  return value != nullptr && i < types_.size() ? fit(value, i) : value;
}

/// Held against the declared type, where that or the value is a struct or an enum.
Node* Results::fit_declared(Node* value, std::size_t i) {
  const ast::Type& type = *declared(i);
  const DeclaredType* wanted = nullptr;
  if (type.declared) {
    wanted = check_declared(context_, *type.declared);
    if (wanted == nullptr) return nullptr;
  }
  const std::string what = fmt::format("the result of '{}'", syntax_.name.text);
  return require_declared(context_, value, wanted, what, type.location);
}

/// Held against the result of an earlier `return`.
Node* Results::fit(Node* value, std::size_t i) {
  const Type before{resolved(context_, types_[i].element), types_[i].shape, types_[i].declared};
  const auto report = [&]() -> Node* {
    context_.diagnostics
        .report(result_differs, value->location, syntax_.name.text, spelling(type_of(context_, value)),
                spelling(before))
        .note(first_, fmt::format("the first return, here, has {}", spelling(before)));
    return nullptr;
  };
  if (is_same_declared(value->type, before) && !before.is_tensor())
    return require_declared(context_, value, before.declared,
                            fmt::format("the result of '{}'", syntax_.name.text), first_);
  if (value->type.declared != before.declared) return report();
  if (!unify_elements(context_, value->type.element, types_[i].element)) return report();
  if (value->type.rank() != before.rank()) return report();
  for (std::size_t axis = 0; axis < before.rank(); ++axis)
    if (!require_equal(
            context_, before.shape[axis], value->type.shape[axis],
            fmt::format("two results of '{}' have extents {{left}} and {{right}}, which must be equal",
                        syntax_.name.text),
            value->location, [](dlvm::Diagnostic&) {}))
      return report();
  return value;
}

std::optional<std::vector<Type>> declared_results(BodyContext& context) {
  const Instance& instance = *context.instance;
  const ast::Function& syntax = *instance.function->syntax;
  std::vector<Type> types;
  for (const ast::Type& declared : syntax.results) {
    if (declared.declared) {
      const DeclaredType* type = check_declared(context, *declared.declared);
      if (type == nullptr) return std::nullopt;
      types.push_back({{}, {}, type});
      continue;
    }
    auto element = element_declared(declared, instance);
    // `int` stands for the type of the first parameter that is declared `int`.
    std::size_t value = 0;
    for (const ast::Parameter& parameter : syntax.parameters) {
      if (!parameter.is_value()) continue;
      if (!element && is_any_integer(parameter.type)) element = instance.parameters[value].element.type;
      ++value;
    }
    const ast::Shape scalar{declared.location, {}};
    const auto shape = check_pattern(context, declared.shape ? *declared.shape : scalar);
    if (!element || !shape) return std::nullopt;
    Type type{*element, {}, nullptr};
    for (const auto& extent : *shape) {
      if (!extent) return std::nullopt;
      type.shape.push_back(*extent);
    }
    types.push_back(std::move(type));
  }
  if (types.empty()) return std::nullopt;
  return types;
}

}  // namespace frontend::check
