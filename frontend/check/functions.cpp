// Functions written in TEL: checked where they are defined, for sample types, and again for every call.
#include <fmt/format.h>

#include "frontend/check/body_context.h"
#include "frontend/check/broadcast.h"
#include "frontend/check/checker.h"
#include "frontend/check/elements.h"
#include "frontend/check/expansion.h"
#include "frontend/check/expression.h"
#include "frontend/check/extents.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {
namespace {

std::string key_of(const Instance& instance) {
  std::string key = fmt::format("{}|{}|", static_cast<const void*>(instance.function),
                                static_cast<const void*>(instance.net));
  if (instance.generic) key += spelling(*instance.generic);
  for (const Type& type : instance.parameters)
    key += fmt::format("|{}{}", spelling(type.element.type), check::key(type.shape));
  for (const auto& [name, axis] : instance.axes) key += fmt::format("|{}={}", name, axis);
  for (const auto& [name, flag] : instance.flags) key += fmt::format("|{}={}", name, flag);
  return key;
}

}  // namespace

const Instance* Checker::instance(Instance wanted, Location location, dlvm::Diagnostics& messages) {
  auto& function = const_cast<Function&>(*wanted.function);
  if (!function.defined) {
    waiting_.push_back({nullptr, nullptr, &function});
    return nullptr;
  }
  if (function.failed) return nullptr;
  Instance*& known = instances_[key_of(wanted)];
  if (known == nullptr) {
    program_.instances.push_back(std::make_unique<Instance>(std::move(wanted)));
    known = program_.instances.back().get();
  }
  if (!known->done) {
    waiting_.push_back({nullptr, known});
    return nullptr;
  }
  for (dlvm::Diagnostic message : known->messages.all()) {
    constexpr std::size_t max_notes = 8;
    if (function.scope->library)
      message.location = location;  // a mistake of the call, not of the library
    else if (message.notes.size() < max_notes)
      message.note(location, fmt::format("in the call of '{}' here", function.name()));
    messages.append(std::move(message));
  }
  return known->body.result != nullptr ? known : nullptr;
}

void Checker::attempt(Instance& instance, dlvm::Diagnostics& messages) {
  const Function& function = *instance.function;
  const ast::Function& syntax = *function.syntax;
  BodyContext context{*this, function.scope, &instance, messages};
  context.net = instance.net;
  instance.tensors.clear();
  Hint element = instance.generic;
  if (syntax.result && syntax.result->element && *syntax.result->element != ast::ElementType::any_integer)
    element = element_of(*syntax.result->element);
  const bool any_integer = syntax.result && syntax.result->element == ast::ElementType::any_integer;
  Node* result = check_expression(context, *syntax.body, syntax.result ? element : Hint());
  if (syntax.result && result != nullptr) {
    const Element actual = resolved(context, result->type.element);
    const bool fits = any_integer ? !actual.known() || dlvm::is_integer(actual.type)
                                  : !element || unify_elements(context, result->type.element, *element);
    if (!fits) {
      messages
          .report(declared_element_differs, result->location,
                  fmt::format("the result of '{}'", syntax.name.text),
                  any_integer ? "an integer type" : spelling(*element), spelling(type_of(context, result)))
          .note(syntax.result->location, "the type of the result is declared here");
      result = nullptr;
    }
    if (result != nullptr) {
      const ast::Shape scalar{syntax.result->location, {}};
      const auto shape = check_pattern(context, syntax.result->shape ? *syntax.result->shape : scalar);
      result = shape ? conform(context, result, *shape, syntax.result->location,
                               fmt::format("the result of '{}'", syntax.name.text))
                     : nullptr;
    }
  }
  const ElementType fallback = any_integer ? ElementType::i64 : element.value_or(own_element(context));
  const bool complete = finish_body(context, result, fallback);
  instance.body = std::move(context.body);
  if (!complete)
    instance.body.result = nullptr;
  else
    instance.result = result->type;
  instance.size = expanded_size(instance.body);
}

// A function is right where it is defined if it is for some number of axes that `s...` may stand for; what is
// wrong for others is reported where it is called with them. Dimensions of the signature stand for
// themselves.
void Checker::attempt_definition(Function& function, dlvm::Diagnostics& messages) {
  std::optional<dlvm::Diagnostics> first;
  if (function.net != nullptr && function.net->sample == nullptr) {  // a mistake of the net, reported there
    function.failed = true;
    return;
  }
  for (const std::size_t rank : {1, 2, 0, 3}) {
    Instance sample;
    sample.function = &function;
    sample.net = function.net != nullptr ? function.net->sample : nullptr;
    sample.generic =
        dlvm::is_floating(function.scope->element()) ? function.scope->element() : ElementType::f32;
    for (const std::string& name : function.generic) sample.dimensions.emplace(name, Extent::dimension(name));
    if (!function.rest.empty()) {
      Shape rest;
      for (std::size_t i = 0; i < rank; ++i)
        rest.push_back(Extent::dimension(fmt::format("{}{}", function.rest, i)));
      sample.rests.emplace(function.rest, std::move(rest));
    }
    dlvm::Diagnostics attempt_messages;
    BodyContext types{*this, function.scope, &sample, attempt_messages};
    types.net = sample.net;
    for (const ast::Parameter& parameter : function.syntax->parameters) {
      if (parameter.kind == ast::Parameter::Kind::flag) {
        const auto flag = parameter.value ? constant_flag(types, *parameter.value) : std::optional(false);
        sample.flags.emplace(parameter.name.text, flag.value_or(false));
        continue;
      }
      if (parameter.kind == ast::Parameter::Kind::axis) {
        const auto axis = parameter.value ? constant_integer(types, *parameter.value, "an axis")
                                          : std::optional<std::int64_t>(-1);
        sample.axes.emplace(parameter.name.text, axis.value_or(-1));
        continue;
      }
      Type type;
      type.element = !parameter.type.element ? *sample.generic
                     : *parameter.type.element == ast::ElementType::any_integer
                         ? ElementType::i32
                         : element_of(*parameter.type.element);
      if (parameter.type.shape)
        if (const auto pattern = check_pattern(types, *parameter.type.shape))
          for (const auto& extent : *pattern) type.shape.push_back(extent.value_or(Extent::erased()));
      sample.parameters.push_back(std::move(type));
    }
    attempt(sample, attempt_messages);
    if (!waiting_.empty()) return;
    if (!attempt_messages.has_errors()) {
      for (const auto& each : attempt_messages.all()) messages.append(each);
      return;
    }
    if (!first) first = std::move(attempt_messages);
    if (function.rest.empty()) break;
  }
  for (const auto& each : first->all()) messages.append(each);
}

}  // namespace frontend::check
