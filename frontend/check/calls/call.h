// Calls: which function is meant, and the value of the call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

struct Builtin;
struct NetPlace;

/// An argument of a call: an expression, checked when its parameter turns out to be a value; or a value.
struct Argument {
  const ast::Name* name = nullptr;
  const ast::Expression* expression = nullptr;
  Node* value = nullptr;
  bool checked = false;
  Location location;
};

std::vector<Argument> arguments_of(const ast::Call& call);
/// Returns the value of an argument, which is checked once. It is a tensor, unless `declared_allowed` says
/// that it may be a struct or an enum.
Node* argument_value(BodyContext& context, Argument& argument, Hint hint = {}, bool declared_allowed = false);

/// Checks a call of the function that `callee` names.
Node* check_call(BodyContext& context, const ast::Expression& callee, std::vector<Argument> arguments,
                 Location location, Hint hint);
/// Checks a call of the candidate whose signature fits (function_call.cpp). `net` is the net whose functions
/// the candidates are, or null.
Node* check_call(BodyContext& context, const std::vector<Function*>& candidates, std::string_view name,
                 std::vector<Argument>& arguments, Location location, Hint hint,
                 const NetPlace* net = nullptr);
/// Checks a call of a builtin (builtin_call.cpp).
Node* check_call(BodyContext& context, const Builtin& builtin, std::vector<Argument>& arguments,
                 Location location, Hint hint);

/// Checks `gradient(e, wrt: x)` (gradient.cpp).
Node* check_gradient(BodyContext& context, std::vector<Argument>& arguments, Location location, Hint hint);

/// Checks a call of the derivative of a function (derivative.cpp).
Node* check_derivative(BodyContext& context, const ast::Gradient& derivative,
                       std::vector<Argument>& arguments, Location location, Hint hint);

/// Returns whether a function has this name (names.cpp).
bool is_callable(BodyContext& context, const std::string& name);
/// Returns whether a value, a dimension or a parameter has this name (names.cpp).
bool knows_name(const BodyContext& context, const std::string& name);

}  // namespace frontend::check
