#include "frontend/check/declarations/optimizer_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace frontend::check {
namespace {

bool is_floating_scalar(const ast::Parameter& parameter) {
  const ast::Type& type = parameter.type;
  return parameter.is_value() && !type.element && (!type.shape || type.shape->extents.empty());
}

/// `[s...]`
bool has_any_shape(const ast::Type& type) {
  return !type.element && type.shape && type.shape->extents.size() == 1 &&
         type.shape->extents[0].kind == ast::Extent::Kind::rest;
}
bool has_any_shape(const ast::Parameter& parameter) {
  return parameter.is_value() && has_any_shape(parameter.type);
}

}  // namespace

bool OptimizerForm::supplies(std::string_view name) const {
  const auto is = [&](const ast::Name* other) { return other != nullptr && other->text == name; };
  return is(parameter) || is(derivative) || is(step) || is(norm) || std::ranges::any_of(memory, is);
}

const ast::Parameter* OptimizerForm::find(std::string_view name) const {
  const auto found = std::ranges::find_if(hyper, [&](const auto* each) { return each->name.text == name; });
  return found == hyper.end() ? nullptr : *found;
}

std::optional<OptimizerForm> optimizer_form(const ast::Function& function, std::string& why,
                                            Location& where) {
  const auto wrong = [&](Location location, std::string reason) {
    where = location;
    why = std::move(reason);
    return std::nullopt;
  };
  const auto& parameters = function.parameters;
  if (parameters.size() < 2 || !has_any_shape(parameters[0]) || !has_any_shape(parameters[1]))
    return wrong(function.name.location,
                 "its first two parameters must be a tensor of any shape and its derivative, p: [s...], g: "
                 "[s...]");
  OptimizerForm form;
  form.parameter = &parameters[0].name;
  form.derivative = &parameters[1].name;
  for (std::size_t i = 2; i < parameters.size(); ++i) {
    const ast::Parameter& each = parameters[i];
    const std::string& name = each.name.text;
    if (name == "step" || name == "norm") {
      if (!is_floating_scalar(each))
        return wrong(each.name.location, fmt::format("'{0}' must be a floating-point scalar, {0}: []", name));
      (name == "step" ? form.step : form.norm) = &each.name;
    } else if (has_any_shape(each)) {
      form.memory.push_back(&each.name);
    } else if (each.is_value() && each.type.shape && !each.type.shape->extents.empty()) {
      return wrong(each.name.location, fmt::format("'{}' is neither a scalar nor of the shape of '{}'", name,
                                                   form.parameter->text));
    } else {
      form.hyper.push_back(&each);
    }
  }
  const std::size_t wanted = 1 + form.memory.size(), given = function.results.size();
  if (given != 0 && given != wanted)
    return wrong(
        function.name.location,
        fmt::format("it has {} result{} for a parameter and {} of memory", given, given == 1 ? "" : "s",
                    form.memory.size() == 1 ? "1 tensor" : fmt::format("{} tensors", form.memory.size())));
  for (const ast::Type& result : function.results)
    if (!has_any_shape(result))
      return wrong(result.location,
                   fmt::format("its results must have the shape of '{}'", form.parameter->text));
  return form;
}

}  // namespace frontend::check
