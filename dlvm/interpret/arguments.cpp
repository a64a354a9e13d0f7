#include "dlvm/interpret/arguments.h"

#include <fmt/format.h>

#include "dlvm/ir/elements.h"

namespace dlvm::evaluation {
namespace {

using Kind = InterpretError::Kind;

/// Replaces `{left}` and `{right}` in a requirement's message by the values.
std::string filled(std::string text, std::int64_t left, std::int64_t right) {
  for (const auto& [name, value] : {std::pair{"{left}", left}, std::pair{"{right}", right}})
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, std::string_view(name).size(), std::to_string(value));
  return text;
}

/// Binds the function's dimensions; what does not fit as text.
std::optional<std::string> bind_names(const Function& function, const std::vector<RuntimeValue>& arguments,
                                      Extent::Bindings& dimensions) {
  const auto& types = function.type().parameters();
  if (types.size() != arguments.size())
    return fmt::format("@{} takes {} arguments, not {}", function.name(), types.size(), arguments.size());
  std::vector<TypedValue> typed;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string& name = function.entry().arguments()[i]->name();
    typed.push_back({name.empty() ? fmt::format("argument {}", i) : "%" + name, &types[i], &arguments[i]});
  }
  const auto wrong = bind_dimensions(typed, dimensions);
  if (wrong.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(wrong, "; "));
}

/// Gives the value the element types with which the interpreter computes; false where it has others.
bool convert(const Type& type, RuntimeValue& value, bool float64) {
  if (type.is_stack()) return value.is_stack();
  if (type.is_aggregate()) {
    std::vector<RuntimeValue> elements(value.elements().begin(), value.elements().end());
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (!convert(type.component(i), elements[i], float64)) return false;
    value = RuntimeValue(std::move(elements));
    return true;
  }
  if (!type.is_tensor()) return true;
  const ElementType given = value.tensor().element();
  if (float64 && is_floating(type.element())) {
    if (given != type.element() && given != ElementType::f64) return false;
    if (given != ElementType::f64) value = elements::converted(value.tensor(), ElementType::f64);
    return true;
  }
  return given == type.element();
}

bool convert_arguments(const Function& function, std::vector<RuntimeValue>& arguments, bool float64,
                       InterpretError& error) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type& type = function.type().parameters()[i];
    if (convert(type, arguments[i], float64)) continue;
    error.kind = Kind::argument;
    error.text = fmt::format("argument {} of @{} is not {}", i, function.name(), type.text());
    return false;
  }
  return true;
}

bool check_requirements(const Function& function, const Extent::Bindings& dimensions, InterpretError& error) {
  for (const Requirement& requirement : function.requirements) {
    const auto left = requirement.left.evaluate(dimensions), right = requirement.right.evaluate(dimensions);
    const bool holds =
        left && right &&
        (requirement.relation == Requirement::Relation::equal ? *left == *right : *left <= *right);
    if (holds) continue;
    error.kind = Kind::extent;
    error.text = left && right ? filled(requirement.text, *left, *right)
                               : fmt::format("nothing gives an extent in: {}", requirement.text);
    if (requirement.location.valid()) error.locations = {requirement.location};
    return false;
  }
  return true;
}

}  // namespace

bool bind_arguments(const Function& function, std::vector<RuntimeValue>& arguments, bool float64,
                    const Extent::Bindings& outer, Extent::Bindings& dimensions, InterpretError& error) {
  if (auto wrong = bind_names(function, arguments, dimensions)) {
    error.kind = Kind::extent;
    error.text = std::move(*wrong);
    return false;
  }
  // A name that the callee's arguments leave open is the caller's.
  for (const auto& [name, value] : outer) dimensions.try_emplace(name, value);
  return convert_arguments(function, arguments, float64, error) &&
         check_requirements(function, dimensions, error);
}

}  // namespace dlvm::evaluation
