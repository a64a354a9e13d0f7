#include "frontend/check/calls/function_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/check/calls/argument_names.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/calls/constant_arguments.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/state_changes.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/call_warnings.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

bool FunctionMatch::fits() {
  if (!assign(nullptr)) return false;
  for (std::size_t i = 0; i < syntax_.parameters.size(); ++i) {
    const ast::Parameter& parameter = syntax_.parameters[i];
    if (!parameter.is_value() || slots_[i] == nullptr) continue;
    const Node* value = argument_value(context_, *slots_[i], {}, true);
    if (value == nullptr) continue;
    const Type type = type_of(context_, value);
    const DeclaredType* wanted = declared(parameter);
    if (wanted == nullptr ? !type.is_tensor() : type.is_tensor() || &type.declared->declared() != wanted)
      return false;
    if (!type.is_tensor()) continue;
    if (!fits_element(parameter.type, type.element) || !fits_rank(parameter.type, type.rank())) return false;
  }
  return true;
}

bool FunctionMatch::fits_ranks() {
  if (!assign(nullptr)) return false;
  std::map<std::string_view, std::size_t> rests;
  for (std::size_t i = 0; i < syntax_.parameters.size(); ++i) {
    const ast::Parameter& parameter = syntax_.parameters[i];
    if (!parameter.is_value() || slots_[i] == nullptr) continue;
    const Node* value = argument_value(context_, *slots_[i], {}, true);
    if (value == nullptr) continue;
    if (value->type.is_tensor() != !parameter.type.declared) return false;
    if (!value->type.is_tensor()) continue;
    const Type type = type_of(context_, value);
    const std::size_t rank = type.rank();
    const bool converts = type.element.known() && dlvm::is_floating(type.element.type) &&
                          fits_element(parameter.type, Element(ElementType::i64));
    if (!fits_rank(parameter.type, rank)) return false;
    if (!converts && !fits_element(parameter.type, type.element)) return false;
    if (!parameter.type.shape) continue;
    const auto& extents = parameter.type.shape->extents;
    const auto rest = std::ranges::find(extents, ast::Extent::Kind::rest, &ast::Extent::kind);
    if (rest == extents.end()) continue;
    const std::size_t axes = rank + 1 - extents.size();
    if (rests.emplace(rest->text, axes).first->second != axes) return false;
  }
  return true;
}

std::string FunctionMatch::swapped() {
  std::vector<Argument> arguments = arguments_;
  if (FunctionMatch(context_, function_, arguments, location_, net_).fits()) return "";
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      if (arguments[i].name != nullptr || arguments[j].name != nullptr) continue;
      std::swap(arguments[i], arguments[j]);
      if (FunctionMatch(context_, function_, arguments, location_, net_).fits())
        return written_call(arguments);
      std::swap(arguments[i], arguments[j]);
    }
  return "";
}

Node* FunctionMatch::call(Hint hint) {
  if (function_.failed || !assign(&context_.diagnostics) || !bind_constants() || !take_values(hint) ||
      !check_declared() || !bind_elements(hint) || !bind_dimensions() || !check_shapes())
    return nullptr;
  instance_.function = &function_;
  if (net_ != nullptr) instance_.net = net_->type;
  const Instance* callee = context_.checker.instance(std::move(instance_), location_, context_.diagnostics);
  if (callee == nullptr || !take_tensors(*callee)) return nullptr;
  for (const auto& requirement : callee->body.requirements)
    dlvm::add_requirement(context_.body.requirements, requirement);
  warn_about_requirements(context_, callee->body.requirements, location_);
  if (context_.instance != nullptr) {
    context_.instance->depends_on_training |= callee->depends_on_training;
    context_.instance->draws = std::max(context_.instance->draws, callee->draws);
  }
  if (callee->draws != Draws::never && context_.constant) {
    context_.diagnostics.report(draw_in_constant, location_);
    return nullptr;
  }
  warn_about_axis(context_.diagnostics, *callee, location_);
  warn_about_probabilities(context_.diagnostics, context_.body, *callee, values_, location_);
  Node node;
  node.kind = Node::Kind::call;
  node.type = callee->results.front();
  node.location = location_;
  node.operands = values_;
  node.callee = callee;
  if (callee->draws != Draws::never) node.index = static_cast<std::size_t>(context_.next_counter++);
  Node* call = add_node(context_, std::move(node));
  return net_ == nullptr ? call : take_changes(context_, call, *net_);
}

bool FunctionMatch::take_tensors(const Instance& callee) {
  for (const NetTensor& tensor : callee.tensors) {
    values_.push_back(net_tensor(context_, *net_, tensor.number, location_));
    if (values_.back() == nullptr) return false;
  }
  return true;
}

dlvm::Diagnostic& FunctionMatch::with_signature(dlvm::Diagnostic& report) const {
  return report.note(syntax_.name.location, fmt::format("the function is {}", signature(syntax_)));
}

std::string FunctionMatch::written_call(const std::vector<Argument>& arguments) const {
  std::string call;
  for (const Argument& argument : arguments)
    call += fmt::format("{}{}{}", call.empty() ? "" : ", ",
                        argument.name != nullptr ? argument.name->text + ": " : "",
                        quoted(argument.location, "..."));
  return fmt::format("{}({})", name(), call);
}

bool FunctionMatch::assign(dlvm::Diagnostics* diagnostics) {
  slots_.assign(syntax_.parameters.size(), nullptr);
  std::size_t next = 0;
  for (Argument& argument : arguments_) {
    std::size_t at = next;
    if (argument.name != nullptr) {
      at = 0;
      while (at < slots_.size() && syntax_.parameters[at].name.text != argument.name->text) ++at;
      if (at == slots_.size()) {
        if (diagnostics != nullptr) {
          std::vector<std::string_view> names;
          for (const ast::Parameter& parameter : syntax_.parameters) names.push_back(parameter.name.text);
          suggest_argument(with_signature(diagnostics->report(unknown_argument, argument.name->location,
                                                              name(), argument.name->text)),
                           argument.name->text, names);
        }
        return false;
      }
    } else if (next++ >= slots_.size()) {
      if (diagnostics != nullptr)
        with_signature(diagnostics->report(argument_count, location_, name(),
                                           counted(slots_.size(), "argument"), arguments_.size()));
      return false;
    }
    if (slots_[at] != nullptr) {
      if (diagnostics != nullptr)
        with_signature(
            diagnostics->report(argument_twice, argument.location, syntax_.parameters[at].name.text, name()));
      return false;
    }
    slots_[at] = &argument;
  }
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i] == nullptr && !syntax_.parameters[i].value) {
      if (diagnostics != nullptr)
        with_signature(
            diagnostics->report(argument_missing, location_, name(), syntax_.parameters[i].name.text))
            .fix(with_argument(location_, name(), syntax_.parameters[i].name.text));
      return false;
    }
  return true;
}

bool FunctionMatch::bind_constants() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const ast::Parameter& parameter = syntax_.parameters[i];
    if (parameter.is_value()) continue;
    if (slots_[i] != nullptr && slots_[i]->expression == nullptr) {
      context_.diagnostics.report(constant_wanted, slots_[i]->location, "an axis");
      return false;
    }
    const ast::Expression& e = slots_[i] != nullptr ? *slots_[i]->expression : *parameter.value;
    if (parameter.kind == ast::Parameter::Kind::flag) {
      const auto flag = constant_condition(context_, e);
      if (!flag) return false;
      instance_.flags.emplace(parameter.name.text, *flag);
    } else {
      const auto axis = constant_axis(context_, e);
      if (!axis) return false;
      instance_.axes.emplace(parameter.name.text, *axis);
    }
  }
  return true;
}

bool FunctionMatch::take_values(Hint hint) {
  bool complete = true;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const ast::Parameter& parameter = syntax_.parameters[i];
    if (!parameter.is_value()) continue;
    Node* value = nullptr;
    if (slots_[i] != nullptr) {
      const bool own_hint =
          parameter.type.element && *parameter.type.element != ast::ElementType::any_integer;
      value = argument_value(context_, *slots_[i],
                             own_hint ? Hint(element_of(*parameter.type.element)) : hint, true);
    } else {
      value = default_value(*parameter.value);
    }
    complete = complete && value != nullptr;
    values_.push_back(value);
    parameters_.push_back(&parameter);
  }
  return complete;
}

Node* FunctionMatch::default_value(const ast::Expression& e) {
  Scope* scope = context_.scope;
  Instance* instance = context_.instance;
  const NetType* net = context_.net;
  Locals* locals = std::exchange(context_.locals, nullptr);
  const NoChange no_change(context_, "in the default of a parameter");
  context_.scope = function_.scope;
  context_.instance = nullptr;
  context_.net = net_ != nullptr ? net_->type : nullptr;
  const bool constant = std::exchange(context_.constant, true);
  Node* value = check_any_expression(context_, e);
  context_.constant = constant;
  context_.scope = scope;
  context_.instance = instance;
  context_.net = net;
  context_.locals = locals;
  return value;
}

const DeclaredType* FunctionMatch::declared(const ast::Parameter& parameter) const {
  if (!parameter.type.declared) return nullptr;
  dlvm::Diagnostics ignored;  // a mistake of the signature, reported there
  return find_type(*function_.scope, *parameter.type.declared, ignored);
}

bool FunctionMatch::check_declared() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::string what = fmt::format("the argument '{}' of '{}'", parameters_[i]->name.text, name());
    const DeclaredType *wanted = declared(*parameters_[i]), *given = values_[i]->type.declared;
    if (given != nullptr && &given->declared() == wanted) wanted = given;  // its extents are compared later
    if (require_declared(context_, values_[i], wanted, what, parameters_[i]->type.location) == nullptr)
      return false;
  }
  return true;
}

namespace {

/// Returns whether a parameter takes values of so many axes.
bool takes_rank(const ast::Parameter& parameter, std::size_t rank) {
  if (!parameter.type.shape) return rank == 0;
  const auto& extents = parameter.type.shape->extents;
  const auto is_rest = [](const ast::Extent& each) { return each.kind == ast::Extent::Kind::rest; };
  return std::ranges::any_of(extents, is_rest) ? rank + 1 >= extents.size() : rank == extents.size();
}

/// Returns whether the value is what callers give, of a floating type that may have been left out.
bool is_input(const Node* value) {
  return value->kind == Node::Kind::reference && value->declaration->syntax != nullptr &&
         value->declaration->role() == ast::Role::in && !value->declaration->syntax->type.element;
}

}  // namespace

void FunctionMatch::report_element(const Node* value, const ast::Parameter& parameter,
                                   std::string_view wanted) {
  auto& report = context_.diagnostics.report(argument_element, value->location, parameter.name.text, name(),
                                             wanted, spelling(type_of(context_, value)));
  if (value->kind == Node::Kind::reference) explain_value(context_, report, value, "the argument");
  with_signature(report);
  if (const std::string call = swapped(); !call.empty())
    return void(report.fix("swap the arguments: " + call));
  if (!takes_rank(parameter, value->type.shape.size())) return;  // nor would a converted value fit
  if (wanted == "an integer type" && is_input(value)) {
    const std::string name = value->declaration->name;
    const std::string shape = value->type.shape.empty() ? "" : spelling(value->type.shape);
    return void(
        report.fix(fmt::format("where '{0}' holds integers, declare it so: {0}: in int32{1}", name, shape)));
  }
  report.fix(fmt::format("convert it: {} as {}", quoted_operand(value->place()),
                         wanted == "an integer type"   ? "int32"
                         : wanted == "a floating type" ? spelling(floating_element(context_))
                                                       : wanted));
}

bool FunctionMatch::bind_elements(Hint hint) {
  Node* generic = nullptr;
  Hint own;  // the element type of the file that declares a struct or an enum among the arguments
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto& declared = parameters_[i]->type.element;
    Node* value = values_[i];
    if (!value->type.is_tensor()) {
      const ElementType element = value->type.declared->scope->element();
      if (dlvm::is_floating(element)) own = element;
      continue;
    }
    if (declared && *declared != ast::ElementType::any_integer) {
      if (unify_elements(context_, value->type.element, element_of(*declared))) continue;
      report_element(value, *parameters_[i], ast::spelling(*declared));
      return false;
    }
    const Element element = resolved(context_, value->type.element);
    if (declared) {
      if (!element.known()) default_to(context_, value, ElementType::i64);
      if (!element.known() || dlvm::is_integer(element.type)) continue;
      report_element(value, *parameters_[i], "an integer type");
      return false;
    }
    if (element.known() && !dlvm::is_floating(element.type)) {
      report_element(value, *parameters_[i], "a floating type");
      return false;
    }
    if (generic == nullptr) generic = value;
    if (!unify_elements(context_, generic->type.element, value->type.element)) {
      auto& report = context_.diagnostics.report(arguments_disagree, value->location, name(),
                                                 spelling(type_of(context_, generic)),
                                                 spelling(type_of(context_, value)));
      explain_value(context_, report, generic, "the first");
      explain_value(context_, report, value, "the other");
      report.fix(fmt::format("convert it: {}",
                             converted(value->place(), resolved(context_, generic->type.element).type)));
      return false;
    }
  }
  const ElementType otherwise = own                                        ? *own
                                : hint && dlvm::is_floating(*hint)         ? *hint
                                : dlvm::is_floating(own_element(context_)) ? own_element(context_)
                                                                           : ElementType::f32;
  if (generic != nullptr) {
    default_to(context_, generic, otherwise);
    instance_.generic = resolved(context_, generic->type.element).type;
  } else if (syntax_.results.empty() ||
             std::ranges::any_of(syntax_.results, [](const ast::Type& result) { return !result.element; })) {
    instance_.generic = otherwise;
  }
  return true;
}

}  // namespace frontend::check
