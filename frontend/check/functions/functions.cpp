// Functions written in TEL: checked where they are defined, for sample types, and again for every call.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/calls/constant_arguments.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/declarations/state_changes.h"
#include "frontend/check/diagnostics/custom_gradient_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/diagnostics/statement_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/functions/custom_gradient.h"
#include "frontend/check/functions/expansion.h"
#include "frontend/check/functions/results.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/functions/statements.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

std::string key_of(const Instance& instance) {
  std::string key = fmt::format("{}|{}|", static_cast<const void*>(instance.function),
                                static_cast<const void*>(instance.net));
  if (instance.generic) key += spelling(*instance.generic);
  for (const Type& type : instance.parameters)
    key += type.is_tensor() ? fmt::format("|{}{}", spelling(type.element.type), check::key(type.shape))
                            : fmt::format("|{}", static_cast<const void*>(type.declared));
  for (const auto& [name, axis] : instance.axes) key += fmt::format("|{}={}", name, axis);
  for (const auto& [name, flag] : instance.flags) key += fmt::format("|{}={}", name, flag);
  return key;
}

void report_changed_types(const Instance& outer, const Instance& inner, Location location,
                          dlvm::Diagnostics& messages) {
  const ast::Function& syntax = *inner.function->syntax;
  auto& report = messages.report(recursion_changes_types, location, syntax.name.text);
  report.note(syntax.name.location, fmt::format("the function is {}", signature(syntax)));
  for (std::size_t i = 0; i < inner.parameters.size(); ++i)
    if (inner.parameters[i].shape != outer.parameters[i].shape ||
        inner.parameters[i].declared != outer.parameters[i].declared ||
        inner.parameters[i].element.type != outer.parameters[i].element.type)
      report.note(fmt::format("argument {} is {} outside, and {} here", i, spelling(outer.parameters[i]),
                              spelling(inner.parameters[i])));
}

/// The type of numbers that nothing else gives one.
ElementType fallback_element(const BodyContext& context) {
  const Instance& instance = *context.instance;
  const auto& declared = instance.function->syntax->results;
  if (declared.size() == 1 && declared[0].element)
    return *declared[0].element == ast::ElementType::any_integer ? ElementType::i64
                                                                 : element_of(*declared[0].element);
  return instance.generic.value_or(own_element(context));
}

/// Notes the types of the results. Those of a recursive function have been foreseen.
void take_results(BodyContext& context, Instance& instance, std::vector<Type> types) {
  for (Type& type : types) type.element = resolved(context, type.element);
  for (std::size_t i = 0; i < instance.results.size(); ++i) {
    const Type &foreseen = instance.results[i], &actual = types[i];
    if (foreseen.declared == actual.declared && foreseen.element.type == actual.element.type &&
        foreseen.shape == actual.shape)
      continue;
    const ast::Function& syntax = *instance.function->syntax;
    context.diagnostics.report(result_differs, syntax.name.location, syntax.name.text, spelling(actual),
                               spelling(foreseen));
    instance.complete = false;
    return;
  }
  instance.results = std::move(types);
}

/// The extent that `?` stands for in an axis of a parameter, where the function is defined. It is the same in
/// every attempt at the body, so that the calls in it are those whose check the one before has waited for.
Extent open_extent(std::size_t parameter, std::size_t axis) {
  constexpr std::uint64_t first = 1'000'000'000'000'000'000;  // no extent without a name has such a number
  constexpr std::uint64_t most_axes = 1'000'000;
  return Extent::dimension(fmt::format("_{}", first + most_axes * parameter + axis));
}

/// Whether a call in one side of an `if` is left out where the other side is taken.
bool is_worth_a_branch(const Instance& instance) {
  return instance.recursive || instance.function->syntax->block != nullptr ||
         std::ranges::any_of(instance.body.nodes,
                             [](const auto& node) { return node->live && is_costly(*node); });
}

/// A call passes the tensors of its net before the body is known in which they are used: all of them, in the
/// order that they have from then on.
void take_all_tensors(Instance& instance) {
  if (instance.net == nullptr) return;
  for (std::size_t number = 0; number < instance.net->tensors; ++number)
    if (std::ranges::find(instance.tensors, number, &NetTensor::number) == instance.tensors.end())
      instance.tensors.push_back(instance.net->tensor(number));
}

}  // namespace

const Instance* Checker::instance(Instance wanted, Location location, dlvm::Diagnostics& messages) {
  auto& function = const_cast<Function&>(*wanted.function);
  const Task definition{nullptr, nullptr, &function};
  if (!function.defined && !function.begun) {
    waiting_.push_back(definition);
    return nullptr;
  }
  if (function.failed) return nullptr;
  Instance*& known = instances_[key_of(wanted)];
  if (known == nullptr) {
    program_.instances.push_back(std::make_unique<Instance>(std::move(wanted)));
    known = program_.instances.back().get();
  }
  if (!known->done && meets_suspended(known)) return nullptr;
  if (!known->done && known->begun) return recursive_call(*known, location, messages);
  if (!known->done) {
    const auto open = function.open.find(known->net);
    if (open != function.open.end() && !open->second->done)
      report_changed_types(*open->second, *known, location, messages);
    else
      waiting_.push_back({nullptr, known});
    return nullptr;
  }
  for (dlvm::Diagnostic message : known->messages.all()) {
    constexpr std::size_t max_notes = 8;
    if (function.scope->library) {
      message.location = location;  // a mistake of the call, not of the library
      // Where it shows the library's own text, a fix would change that.
      const auto is_shown = [&](const dlvm::Diagnostic::Note& note) {
        return note.location.source == function.syntax->name.location.source;
      };
      if (std::ranges::any_of(message.notes, is_shown)) message.fixes.clear();
    } else if (message.notes.size() < max_notes) {
      message.note(location, fmt::format("in the call of '{}' here", function.name()));
    }
    messages.append(std::move(message));
  }
  return known->complete && take_custom_gradient(*known, location, messages) ? known : nullptr;
}

bool Checker::take_custom_gradient(Instance& instance, Location location, dlvm::Diagnostics& messages) {
  const Function* function = instance.function->custom_gradient;
  if (function == nullptr || instance.custom_gradient != nullptr) return true;
  Instance wanted = arguments_of_custom_gradient(instance, *function);
  // The gradient may call the function: then it is given to that further up.
  const auto known = instances_.find(key_of(wanted));
  if (known != instances_.end() && known->second->begun && !known->second->done) return true;
  const Instance* gradient = this->instance(std::move(wanted), location, messages);
  if (gradient == nullptr) return false;
  const bool draws = instance.draws != Draws::never;
  if (draws || gradient->draws != Draws::never) {
    messages.report(custom_draws, function->syntax->name.location, instance.function->name(),
                    draws ? "it" : "the gradient");
    return false;
  }
  if (trial_ != nullptr) trial_->gradients.emplace_back(&instance, instance.body.requirements.size());
  instance.custom_gradient = gradient;
  instance.depends_on_training |= gradient->depends_on_training;
  for (const auto& requirement : gradient->body.requirements)
    dlvm::add_requirement(instance.body.requirements, requirement);
  return true;
}

const Instance* Checker::recursive_call(Instance& instance, Location location, dlvm::Diagnostics& messages) {
  const ast::Function& syntax = *instance.function->syntax;
  if (instance.results.empty()) {
    BodyContext context{*this, instance.function->scope, &instance, messages};
    context.net = instance.net;
    const std::size_t errors = messages.error_count();
    if (auto types = declared_results(context)) instance.results = std::move(*types);
    if (messages.error_count() != errors) return nullptr;
  }
  instance.recursive = true;
  take_all_tensors(instance);
  if (!instance.results.empty()) return &instance;
  auto& report = messages.report(result_type_missing, location, syntax.name.text);
  report.note(syntax.name.location, fmt::format("the function is {}", signature(syntax)));
  if (syntax.results.empty()) report.fix("declare it behind the parameters: -> [] if it is a scalar");
  return nullptr;
}

void Checker::attempt(Instance& instance, dlvm::Diagnostics& messages) {
  const Function& function = *instance.function;
  BodyContext context{*this, function.scope, &instance, messages};
  context.net = instance.net;
  if (!instance.recursive) instance.tensors.clear();
  Results results(context);
  const bool returns = check_function_body(context, results);
  const ElementType fallback = fallback_element(context);
  return_changes(context.body);
  if (instance.recursive && !context.body.changes.empty()) {
    messages.report(state_changes_in_recursion, context.body.changes.front().location, function.name());
    instance.complete = false;
    return;
  }
  instance.complete = returns && finish_body(context, needed_values(context.body.statements), fallback);
  if (instance.complete) take_results(context, instance, results.types());
  instance.body = std::move(context.body);
  instance.size = expanded_size(instance.body);
  instance.branches = is_worth_a_branch(instance);
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
        const auto flag =
            parameter.value ? constant_condition(types, *parameter.value) : std::optional(false);
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
      if (parameter.type.declared) {
        type.declared = check_declared(types, *parameter.type.declared);
        sample.parameters.push_back(std::move(type));
        continue;
      }
      type.element = !parameter.type.element ? *sample.generic
                     : *parameter.type.element == ast::ElementType::any_integer
                         ? ElementType::i32
                         : element_of(*parameter.type.element);
      if (parameter.type.shape)
        if (const auto pattern = check_pattern(types, *parameter.type.shape))
          for (const auto& extent : *pattern)
            type.shape.push_back(extent.value_or(open_extent(sample.parameters.size(), type.shape.size())));
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
