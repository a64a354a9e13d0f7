#include "frontend/check/names/python_fix.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/calls/call.h"
#include "frontend/check/declarations/nets.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"
#include "frontend/python/translate.h"

namespace frontend::check {

const Type* type_of_name(const BodyContext& context, std::string_view name) {
  if (context.locals != nullptr)
    if (const auto local = context.locals->find(name)) return &context.body.variables[*local].type;
  if (context.instance != nullptr) {
    std::size_t index = 0;
    for (const ast::Parameter& parameter : context.instance->function->syntax->parameters) {
      if (!parameter.is_value()) continue;
      if (parameter.name.text == name) return &context.instance->parameters[index];
      ++index;
    }
  }
  const auto found = context.scope->values.find(std::string(name));
  const bool known = found != context.scope->values.end() && found->second->done && !found->second->failed;
  return known ? &found->second->type : nullptr;
}

namespace {

std::optional<std::vector<std::string>> extents(const BodyContext& context, std::string_view name) {
  const Type* type = type_of_name(context, name);
  if (type == nullptr) return std::nullopt;
  std::vector<std::string> all;
  for (const Extent& extent : type->shape) {
    all.push_back(spelling(extent));
    if (!extent.constant() && !knows_dimension(context, all.back())) return std::nullopt;
  }
  return all;
}

}  // namespace

bool add_translation(BodyContext& context, dlvm::Diagnostic& report, const Location& location) {
  if (!location.valid() || !location.source->text()) return false;
  const auto is_function = [&](std::string_view name) {
    const std::string text(name);
    return is_callable(context, text) || context.scope->instances.contains(text) ||
           (context.net != nullptr &&
            (context.net->net->functions.contains(text) || context.net->member(text) != nullptr));
  };
  const auto found =
      python::translate(*location.source->text(), location.source->offset(location.line, location.column),
                        {[&](std::string_view name) { return knows_name(context, std::string(name)); },
                         is_function, [&](std::string_view name) { return extents(context, name); }});
  if (!found) return false;
  if (found->tel.empty())
    report.fix(found->advice);
  else
    report.fix("write " + found->tel, {location.source, found->begin, found->end, found->tel});
  return true;
}

}  // namespace frontend::check
