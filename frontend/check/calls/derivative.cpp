// Calls of derivatives of functions, `gradient f_dw of f wrt w`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>

#include "frontend/check/calls/call.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Takes the cotangent from the arguments: the one of that name, or the last.
std::optional<Argument> take_cotangent(std::vector<Argument>& arguments) {
  auto found = std::ranges::find_if(arguments, [](const Argument& argument) {
    return argument.name != nullptr && argument.name->text == "cotangent";
  });
  if (found == arguments.end() && !arguments.empty() && arguments.back().name == nullptr)
    found = std::prev(arguments.end());
  if (found == arguments.end()) return std::nullopt;
  const Argument cotangent = *found;
  arguments.erase(found);
  return cotangent;
}

/// How many arguments a call of the function has at least.
std::size_t needed_arguments(const Function& function) {
  return static_cast<std::size_t>(std::ranges::count_if(
      function.syntax->parameters, [](const ast::Parameter& each) { return !each.value; }));
}

/// The number of a result that the derivative names; nothing, after an error, if the function has none such.
std::optional<std::int64_t> result_number(BodyContext& context, const ast::Name& name, const Instance& callee,
                                          bool differentiated) {
  std::size_t number = 0;
  const char* end = name.text.data() + name.text.size();
  if (const auto [stop, failure] = std::from_chars(name.text.data(), end, number);
      stop != end || failure != std::errc())
    return std::nullopt;  // reported where the derivative is declared
  if (number < callee.results.size() &&
      (!differentiated || dlvm::is_floating(callee.results[number].element.type)))
    return static_cast<std::int64_t>(number);
  const ast::Function& syntax = *callee.function->syntax;
  if (!syntax.results.empty() && number >= syntax.results.size()) return std::nullopt;  // likewise
  context.diagnostics
      .report(no_result, name.location, syntax.name.text, name.text,
              differentiated ? "differentiate" : "keep")
      .note(syntax.name.location, "the function is " + signature(syntax));
  return std::nullopt;
}

/// The position of a parameter among those that are values; nothing if there is none of that name.
std::optional<std::size_t> parameter_number(const ast::Function& function, const ast::Name& name) {
  std::size_t number = 0;
  for (const ast::Parameter& parameter : function.parameters) {
    if (!parameter.is_value()) continue;
    if (parameter.name.text == name.text) return number;
    ++number;
  }
  return std::nullopt;
}

std::shared_ptr<const Derivative> described(BodyContext& context, const ast::Gradient& syntax,
                                            const Instance& callee) {
  auto derivative = std::make_shared<Derivative>();
  derivative->syntax = &syntax;
  const auto from = result_number(
      context, syntax.from ? *syntax.from : ast::Name{"0", syntax.of.front().location}, callee, true);
  if (!from) return nullptr;
  derivative->from = *from;
  for (const ast::Name& name : syntax.wrt) {
    const auto number = parameter_number(*callee.function->syntax, name);
    if (!number) return nullptr;  // reported where the derivative is declared
    derivative->wrt.push_back(static_cast<std::int64_t>(*number));
    derivative->results.push_back(callee.parameters[*number]);
  }
  for (const ast::Name& name : syntax.keeping) {
    const auto number = result_number(context, name, callee, false);
    if (!number) return nullptr;
    derivative->keeping.push_back(*number);
    derivative->results.push_back(callee.results[static_cast<std::size_t>(*number)]);
  }
  return derivative;
}

/// The cotangent, which has the type of the result.
Node* checked_cotangent(BodyContext& context, Argument& argument, const Type& result) {
  Node* value = argument_value(context, argument, result.element.type);
  if (value == nullptr) return nullptr;
  if (unify_elements(context, value->type.element, result.element) && value->type.shape == result.shape)
    return value;
  auto& report = context.diagnostics.report(cotangent_differs, argument.location,
                                            spelling(type_of(context, value)), spelling(result));
  explain_value(context, report, value, "the cotangent");
  return nullptr;
}

void report_missing_cotangent(BodyContext& context, const ast::Gradient& syntax, Location location) {
  context.diagnostics.report(cotangent_missing, location, syntax.name.text, syntax.of.front().text)
      .note(syntax.name.location, fmt::format("'{}' is declared seedable here", syntax.name.text))
      .fix(fmt::format("give it, {}(..., cotangent: dy), or leave 'seedable' out: then each element has 1",
                       syntax.name.text));
}

}  // namespace

Node* check_derivative(BodyContext& context, const ast::Gradient& syntax, std::vector<Argument>& arguments,
                       Location location, Hint hint) {
  const std::string& name = syntax.of.front().text;
  const auto found = find_functions(*context.scope, "", name, location, context.diagnostics).candidates;
  if (found.size() != 1) return nullptr;  // reported where it is declared
  std::optional<Argument> cotangent;
  if (syntax.seedable && !(cotangent = take_cotangent(arguments))) {
    report_missing_cotangent(context, syntax, location);
    return nullptr;
  }
  if (cotangent && cotangent->name == nullptr && arguments.size() < needed_arguments(*found.front())) {
    report_missing_cotangent(context, syntax, location);
    return nullptr;
  }
  const Node* call = check_call(context, found, name, arguments, location, hint);
  if (call == nullptr) return nullptr;
  Node node;
  node.kind = Node::Kind::derivative;
  node.location = location;
  node.operands = call->operands;
  node.callee = call->callee;
  node.index = call->index;
  node.derivative = described(context, syntax, *call->callee);
  if (node.derivative == nullptr) return nullptr;
  if (cotangent) {
    const auto from = static_cast<std::size_t>(node.derivative->from);
    node.operands.push_back(checked_cotangent(context, *cotangent, call->callee->results[from]));
    if (node.operands.back() == nullptr) return nullptr;
  }
  node.type = node.derivative->results.front();
  return add_node(context, std::move(node));
}

}  // namespace frontend::check
