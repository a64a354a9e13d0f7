#include "frontend/check/calls/constant_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/names/value_as_extent.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"
#include "frontend/python/translate.h"

namespace frontend::check {
namespace {

constexpr const char* number_of_axis = "write the number of the axis: 0 is the first, -1 the last";

/// Says where a name that stands in the place of an axis is declared, and how an axis is written instead.
struct NotConstant {
  Location location;
  std::string fix;
};

std::optional<NotConstant> named_value(const BodyContext& context, const std::string& name) {
  if (context.locals != nullptr)
    if (const auto local = context.locals->find(name))
      return NotConstant{context.body.variables[*local].location,
                         "write the number of the axis, or give it to the function, along: axis = -1"};
  if (context.instance != nullptr) {
    const auto& parameters = context.instance->function->syntax->parameters;
    const auto parameter = std::ranges::find_if(
        parameters, [&](const ast::Parameter& each) { return each.is_value() && each.name.text == name; });
    if (parameter != parameters.end())
      return NotConstant{parameter->name.location, fmt::format("declare it so: {}: axis", name)};
  }
  if (knows_dimension(context, name)) {
    const auto free = context.scope->dimensions.find(name);
    if (free == context.scope->dimensions.end() || free->second.extent.constant()) return std::nullopt;
    return NotConstant{free->second.location, free->second.declared
                                                  ? fmt::format("give it a value: dim {} = 0", name)
                                                  : number_of_axis};
  }
  const auto value = context.scope->values.find(name);
  if (value == context.scope->values.end() || value->second->syntax == nullptr) return std::nullopt;
  const ast::Declaration& syntax = *value->second->syntax;
  const bool is_integer = syntax.type.element && dlvm::is_integer(element_of(*syntax.type.element));
  if (!is_integer || syntax.type.shape) return NotConstant{value->second->location, number_of_axis};
  const std::string dimension =
      syntax.value ? as_dimension(*value->second, name, 0) : fmt::format("dim {} = 0", name);
  return NotConstant{value->second->location,
                     dimension.empty() ? number_of_axis : "declare a dimension in its place: " + dimension};
}

}  // namespace

std::optional<std::int64_t> constant_axis(BodyContext& context, const ast::Expression& e) {
  const auto* name = ast::if_a<ast::NameReference>(e);
  const auto value = name != nullptr ? named_value(context, name->text) : std::nullopt;
  if (!value) return constant_integer(context, e, "an axis");
  context.diagnostics.report(constant_wanted, e.location, "an axis")
      .note(value->location, fmt::format("'{}' is declared here", name->text))
      .fix(value->fix);
  return std::nullopt;
}

std::optional<bool> constant_condition(BodyContext& context, const ast::Expression& e) {
  const auto* name = ast::if_a<ast::NameReference>(e);
  const auto* number = ast::if_a<ast::Number>(e);
  const std::string here(name != nullptr       ? python::constant(name->text)
                         : number == nullptr   ? std::string_view()
                         : number->text == "1" ? "true"
                         : number->text == "0" ? "false"
                                               : "");
  if (here != "true" && here != "false") return constant_flag(context, e);
  context.diagnostics.report(list_wanted, e.location, "true or false")
      .fix("write " + here, dlvm::replacement(e.location, here));
  return std::nullopt;
}

}  // namespace frontend::check
