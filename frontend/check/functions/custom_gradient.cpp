// Custom gradients, `custom gradient f(x, dy) { … }`: functions whose types follow from those of `f`.
#include "frontend/check/functions/custom_gradient.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/diagnostics/custom_gradient_diagnostics.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

bool is_floating(const ast::Type& type) {
  if (type.declared) return false;
  return !type.element ||
         (*type.element != ast::ElementType::any_integer && dlvm::is_floating(element_of(*type.element)));
}

/// The parameters of the custom gradient: those of the function, and the cotangents of its results. They have
/// the names of `custom` as far as there are any.
std::vector<ast::Parameter> parameters_of(const ast::Function& function, const ast::CustomGradient& custom) {
  std::vector<ast::Parameter> parameters;
  const auto add = [&](const ast::Name& otherwise, ast::Parameter::Kind kind, const ast::Type& type) {
    const std::size_t i = parameters.size();
    ast::Parameter& added = parameters.emplace_back();
    added.name = i < custom.parameters.size() ? custom.parameters[i] : otherwise;
    added.kind = kind;
    added.type = type;
  };
  for (const ast::Parameter& each : function.parameters) add(each.name, each.kind, each.type);
  const auto floating = std::ranges::count_if(function.results, is_floating);
  std::size_t number = 0;
  for (const ast::Type& result : function.results) {
    if (is_floating(result))
      add({floating == 1 ? "dy" : fmt::format("dy{}", number), custom.of.location},
          ast::Parameter::Kind::value, result);
    ++number;
  }
  return parameters;
}

std::string listed(const std::vector<ast::Parameter>& parameters) {
  std::string names;
  for (const ast::Parameter& each : parameters) names += (names.empty() ? "" : ", ") + each.name.text;
  return names;
}

/// Why a function of this signature has no custom gradient; empty where it may have one.
std::string why_impossible(const ast::Function& function) {
  for (const ast::Parameter& each : function.parameters)
    if (each.type.declared)
      return fmt::format("'{}' is {}, and no tensor", each.name.text, signature(each.type));
  for (const ast::Type& result : function.results)
    if (result.declared) return fmt::format("it returns {}, which is no tensor", signature(result));
  const auto floating = [](const ast::Parameter& each) { return each.is_value() && is_floating(each.type); };
  if (std::ranges::none_of(function.parameters, floating)) return "none of its arguments is floating-point";
  if (std::ranges::none_of(function.results, is_floating)) return "none of its results is floating-point";
  return "";
}

class CustomGradients {
 public:
  CustomGradients(Program& program, dlvm::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  void declare(Scope& scope, const ast::CustomGradient& custom) {
    Function* function = function_of(scope, custom);
    if (function == nullptr || !is_possible(*function, custom)) return;
    if (function->custom_gradient != nullptr) {
      diagnostics_.report(custom_twice, custom.of.location, custom.of.text)
          .note(function->custom_gradient->syntax->name.location, "the first is declared here");
      return;
    }
    ast::Function& syntax = program_.custom_gradients.emplace_back();
    syntax.doc = custom.doc;
    syntax.name = {"custom gradient " + custom.of.text, custom.of.location};
    syntax.parameters = parameters_of(*function->syntax, custom);
    for (const ast::Parameter& each : function->syntax->parameters)
      if (each.is_value() && is_floating(each.type)) syntax.results.push_back(each.type);
    syntax.block = custom.block;
    if (!have_different_names(syntax)) return;
    Function& made = program_.functions.emplace_back();
    made.syntax = &syntax;
    made.scope = &scope;
    made.generic = function->generic;
    made.rest = function->rest;
    made.defined = scope.library;
    made.failed = function->failed;
    made.used = true;
    made.custom_gradient_of = function;
    function->custom_gradient = &made;
  }

 private:
  /// The function that the gradient is of: where several have the name, the one that takes as many.
  Function* function_of(Scope& scope, const ast::CustomGradient& custom) {
    const auto named = scope.functions.find(custom.of.text);
    if (named == scope.functions.end()) {
      diagnostics_.report(custom_of_nothing, custom.of.location, custom.of.text);
      return nullptr;
    }
    const std::vector<Function*>& all = named->second;
    std::vector<Function*> fitting;
    std::ranges::copy_if(all, std::back_inserter(fitting), [&](const Function* each) {
      return parameters_of(*each->syntax, custom).size() == custom.parameters.size();
    });
    if (fitting.size() == 1) return fitting.front();
    if (all.size() == 1) return all.front();
    auto& report = diagnostics_.report(custom_of_several, custom.of.location, custom.of.text);
    for (const Function* each : fitting.empty() ? all : fitting)
      report.note(each->syntax->name.location, signature(*each->syntax));
    return nullptr;
  }

  bool is_possible(const Function& function, const ast::CustomGradient& custom) {
    const ast::Function& syntax = *function.syntax;
    const auto with_signature = [&](dlvm::Diagnostic& report) -> dlvm::Diagnostic& {
      return report.note(syntax.name.location, fmt::format("the function is {}", signature(syntax)));
    };
    if (syntax.results.empty()) {
      with_signature(diagnostics_.report(custom_undeclared, custom.of.location, custom.of.text))
          .fix("declare it behind the parameters: -> [] if it is a scalar");
      return false;
    }
    if (const std::string why = why_impossible(syntax); !why.empty()) {
      with_signature(diagnostics_.report(custom_not_possible, custom.of.location, custom.of.text, why));
      return false;
    }
    const std::vector<ast::Parameter> wanted = parameters_of(syntax, custom);
    if (wanted.size() == custom.parameters.size()) return true;
    with_signature(diagnostics_.report(custom_parameters, custom.of.location, custom.of.text,
                                       counted(custom.parameters.size(), "name"), wanted.size(),
                                       listed(parameters_of(syntax, {}))))
        .fix(fmt::format("custom gradient {}({})", custom.of.text, listed(parameters_of(syntax, {}))));
    return false;
  }

  bool have_different_names(const ast::Function& syntax) {
    for (auto each = syntax.parameters.begin(); each != syntax.parameters.end(); ++each) {
      const auto first = std::ranges::find_if(
          syntax.parameters, [&](const ast::Parameter& other) { return other.name.text == each->name.text; });
      if (first == each) continue;
      report_declared_twice(each->name, first->name.location, diagnostics_);
      return false;
    }
    return true;
  }

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
};

}  // namespace

void declare_custom_gradients(Program& program, dlvm::Diagnostics& diagnostics) {
  CustomGradients gradients(program, diagnostics);
  for (Scope& scope : program.scopes)
    for (const ast::CustomGradient& custom : scope.syntax->custom_gradients) gradients.declare(scope, custom);
}

Instance arguments_of_custom_gradient(const Instance& instance, const Function& function) {
  Instance wanted;
  wanted.function = &function;
  wanted.parameters = instance.parameters;
  for (const Type& result : instance.results)
    if (dlvm::is_floating(result.element.type)) wanted.parameters.push_back(result);
  wanted.dimensions = instance.dimensions;
  wanted.rests = instance.rests;
  wanted.generic = instance.generic;
  const auto& written = instance.function->syntax->parameters;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::string &from = written[i].name.text, &to = function.syntax->parameters[i].name.text;
    if (const auto axis = instance.axes.find(from); axis != instance.axes.end())
      wanted.axes.emplace(to, axis->second);
    if (const auto flag = instance.flags.find(from); flag != instance.flags.end())
      wanted.flags.emplace(to, flag->second);
  }
  return wanted;
}

}  // namespace frontend::check
