#include "frontend/check/declarations/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "frontend/check/calls/argument_names.h"
#include "frontend/check/diagnostics/scale_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

constexpr std::string_view word = "dynamic";

const ast::Expression* callee_of(const ast::Expression* e) {
  const auto* call = ast::if_a<ast::Call>(*e);
  return call != nullptr ? &*call->callee : e;
}

/// One setting, and what its values must be.
struct Setting {
  std::string_view name;
  Number DynamicScaling::* value;
  bool (*allows)(const Number&);
  std::string_view wanted;
};

constexpr std::array<Setting, 4> settings{{
    {"initial", &DynamicScaling::initial,
     [](const Number& x) {
       return x.nearest(ElementType::f32).value_or(0) >= double{std::numeric_limits<float>::min()};
     },
     "a number above 0 that float32 can hold"},
    {"growth", &DynamicScaling::growth,
     [](const Number& x) { return x >= Number(1) && x.fits(ElementType::f32); },
     "a number of at least 1 that float32 can hold"},
    {"backoff", &DynamicScaling::backoff,
     [](const Number& x) { return !x.is_negative() && !x.is_zero() && x < Number(1); },
     "a number between 0 and 1"},
    {"interval", &DynamicScaling::interval,
     [](const Number& x) { return x >= Number(1) && x.fits(ElementType::i64); }, "an integer of at least 1"},
}};

bool take(const ast::Argument& argument, DynamicScaling& scaling, dlvm::Diagnostics& diagnostics) {
  std::vector<std::string_view> names;
  for (const Setting& each : settings) names.push_back(each.name);
  if (!argument.name) {
    diagnostics.report(scaling_argument, argument.value->location, "without a name")
        .fix(fmt::format("initial: {}", quoted(argument.value->location, "...")));
    return false;
  }
  const std::string& name = argument.name->text;
  const auto found = std::ranges::find(settings, name, &Setting::name);
  if (found == settings.end()) {
    suggest_argument(diagnostics.report(scaling_argument, argument.name->location, fmt::format("'{}'", name)),
                     name, names);
    return false;
  }
  const auto* written = ast::if_a<ast::Number>(*argument.value);
  const auto value = written != nullptr ? Number::parse(written->text) : std::nullopt;
  if (!value || !found->allows(*value)) {
    diagnostics.report(scaling_value, argument.value->location, name, found->wanted)
        .fix(fmt::format("leave it out for {}", (DynamicScaling{}.*(found->value)).text()));
    return false;
  }
  scaling.*(found->value) = *value;
  return true;
}

}  // namespace

bool is_dynamic_scaling(const Scope& scope, const ast::Expression& written) {
  const auto* name = ast::if_a<ast::NameReference>(*callee_of(&written));
  return name != nullptr && name->text == word && !scope.values.contains(name->text) &&
         !scope.functions.contains(name->text);
}

std::optional<DynamicScaling> find_dynamic_scaling(const ast::Expression& written,
                                                   dlvm::Diagnostics& diagnostics) {
  DynamicScaling scaling;
  bool complete = true;
  if (const auto* call = ast::if_a<ast::Call>(written))
    for (const ast::Argument& argument : call->arguments)
      complete = take(argument, scaling, diagnostics) && complete;
  return complete ? std::optional(scaling) : std::nullopt;
}

}  // namespace frontend::check
