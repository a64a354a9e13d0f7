// How the argument of a call gets the shape that its parameter has, or the net that is called the extents of
// the argument.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "frontend/check/calls/function_match.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

Shape without_ones(Shape shape) {
  std::erase_if(shape, [](const Extent& extent) { return extent.is(1); });
  return shape;
}

/// Returns the right side of the instance's declaration as it is written, `Linear(288, 40)`, but for the
/// extent of a dimension of the net; empty where it is long or on several lines.
std::string use_with(const NetInstance& instance, std::string_view dimension, const std::string& extent) {
  const ast::NetInstance& syntax = *instance.syntax;
  std::string text = quoted(syntax.use, "");
  if (text.empty() || !text.ends_with(')')) return "";
  const std::string path = syntax.in_files ? fmt::format(" from \"{}\"", syntax.in_files->text) : "";
  const auto& dimensions = instance.net->syntax->parameters;
  for (std::size_t i = 0; i < syntax.arguments.size(); ++i) {
    const ast::NetArgument& argument = syntax.arguments[i];
    const std::string_view name = argument.name           ? std::string_view(argument.name->text)
                                  : i < dimensions.size() ? std::string_view(dimensions[i].name.text)
                                                          : std::string_view();
    if (name != dimension) continue;
    const Location& place = argument.value.location;
    if (place.line != syntax.use.line) return "";
    const std::size_t begin = syntax.use.source->offset(place.line, place.column) -
                              syntax.use.source->offset(syntax.use.line, syntax.use.column);
    const std::size_t end = syntax.use.source->offset(place.line, place.column + place.length) -
                            syntax.use.source->offset(syntax.use.line, syntax.use.column);
    return fmt::format("{}{}{}{}", text.substr(0, begin), extent, text.substr(end), path);
  }
  text.pop_back();
  return fmt::format("{}{}{}: {}){}", text, syntax.arguments.empty() ? "" : ", ", dimension, extent, path);
}

}  // namespace

/// Returns the type that a parameter of this name has in another function of the name, which takes integers;
/// empty where there is none.
std::string FunctionMatch::signature_with_integers(const ast::Parameter& parameter) const {
  const auto overloads = function_.scope->functions.find(syntax_.name.text);
  if (overloads == function_.scope->functions.end()) return "";
  for (const Function* other : overloads->second)
    for (const ast::Parameter& each : other->syntax->parameters)
      if (each.name.text == parameter.name.text && signature(each.type).starts_with("int[") &&
          !signature(parameter.type).starts_with("int["))
        return signature(each.type);
  return "";
}

/// Returns whether the matrix has the extents in the other order of which the call leaves none open.
bool FunctionMatch::is_transposed(const Shape& actual, const ast::Parameter& parameter) {
  if (actual.size() != 2 || !parameter.type.shape || parameter.type.shape->extents.size() != 2) return false;
  dlvm::Diagnostics ignored;
  bool fits = true, fits_transposed = true;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto fixed = evaluate_extent(
        parameter.type.shape->extents[axis],
        [&](const ast::Extent& name) { return is_generic(name.text) ? std::nullopt : lookup(name, ignored); },
        ignored);
    fits = fits && (!fixed || *fixed == actual[axis]);
    fits_transposed = fits_transposed && (!fixed || *fixed == actual[1 - axis]);
  }
  return fits_transposed && !fits;
}

/// Returns the one axis that does not fit, where the argument has its extent behind all others: the channels
/// of pictures [n x h x w x channels].
std::optional<std::size_t> FunctionMatch::axis_that_is_last(const Shape& actual,
                                                            const ast::Parameter& parameter) {
  const auto& written = parameter.type.shape->extents;
  constexpr std::size_t fewest = 3;
  if (written.size() != actual.size() || actual.size() < fewest) return std::nullopt;
  dlvm::Diagnostics ignored;
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis + 1 < actual.size(); ++axis) {
    const auto wanted =
        written[axis].kind == ast::Extent::Kind::name ? lookup(written[axis], ignored) : std::nullopt;
    if (!wanted || *wanted == actual[axis]) continue;
    if (found || *wanted != actual.back()) return std::nullopt;
    found = axis;
  }
  return found;
}

/// Returns how the argument gets the shape that the parameter has, where its elements are likely to be right:
/// a matrix that is the transpose, axes of extent 1 too many or too few, and axes that are to be one; else
/// empty.
std::string FunctionMatch::fix_of_shape(const Node* value, const ast::Parameter& parameter) {
  const Shape& actual = value->type.shape;
  const std::string operand = quoted_operand(value->place());
  const auto as = [&](const Shape& shape) { return fmt::format("write {} as {}", operand, spelling(shape)); };
  const auto expected = expected_shape(parameter);
  if (expected && expected->size() == 2 && actual.size() == 2 && (*expected)[0] == actual[1] &&
      (*expected)[1] == actual[0])
    return fmt::format("write {}^T", operand);
  if (is_transposed(actual, parameter)) return fmt::format("write {}", quoted_transposed(value->place()));
  if (expected && without_ones(*expected) == without_ones(actual) && !actual.empty()) return as(*expected);
  if (!parameter.type.shape || parameter.type.shape->extents.empty()) return "";
  const auto& written = parameter.type.shape->extents;
  if (const auto axis = axis_that_is_last(actual, parameter)) {
    std::string order;
    for (std::size_t i = 0; i < actual.size(); ++i)
      order += fmt::format("{}{}", i == 0 ? "" : ", ",
                           i < *axis    ? i
                           : i == *axis ? actual.size() - 1
                                        : i - 1);
    return fmt::format("axis {} is {}: transpose({}, [{}])", *axis, written[*axis].text,
                       quoted(value->place(), "..."), order);
  }
  dlvm::Diagnostics ignored;
  const auto value_of = [&](const ast::Extent& extent) {
    return extent.kind == ast::Extent::Kind::name ? lookup(extent, ignored) : std::nullopt;
  };
  // The last axes joined, for a layer behind convolutions.
  if (const auto last = value_of(written.back()); last && written.front().kind == ast::Extent::Kind::rest) {
    Extent joined = 1;
    for (std::size_t axis = actual.size(); axis-- > 0;) {
      joined = joined * actual[axis];
      if (axis + 1 == actual.size() || joined != *last) continue;
      Shape shape(actual.begin(), actual.begin() + static_cast<std::ptrdiff_t>(axis));
      shape.push_back(joined);
      return as(shape);
    }
  }
  const auto ones = std::ranges::count_if(actual, [](const Extent& extent) { return extent.is(1); });
  if (ones == 1 && written.size() + 1 == actual.size() && written.front().kind != ast::Extent::Kind::rest)
    return as(without_ones(actual));
  if (written.size() != actual.size() + 1) return "";
  for (std::size_t axis = 0; axis < written.size(); ++axis)
    if (const auto one = value_of(written[axis]); one && one->is(1)) {
      Shape shape = actual;
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), Extent(1));
      return as(shape);
    }
  return "";
}

/// Returns how another argument gets the axis last that its parameter has behind those of this one, as the
/// classes of logits [n x classes x h x w]; empty where that is not the mistake.
std::string FunctionMatch::fix_of_axes(const Node* value, const ast::Parameter& parameter) const {
  if (!parameter.type.shape || parameter.type.shape->extents.size() != 1) return "";
  const ast::Extent& rest = parameter.type.shape->extents[0];
  const Shape& actual = value->type.shape;
  if (rest.kind != ast::Extent::Kind::rest) return "";
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const ast::Parameter& other = *parameters_[i];
    if (values_[i] == nullptr || !other.type.shape || other.type.shape->extents.size() != 2) continue;
    const ast::Extent& first = other.type.shape->extents[0];
    const Shape& shape = values_[i]->type.shape;
    if (first.kind != ast::Extent::Kind::rest || first.text != rest.text || shape.size() != actual.size() + 1)
      continue;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
      Shape others = shape;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
      if (others != actual) continue;
      std::string order;
      for (std::size_t each = 0; each < shape.size(); ++each)
        if (each != axis) order += fmt::format("{}, ", each);
      return fmt::format("the last axis of '{}' is {}: transpose({}, [{}{}])", other.name.text,
                         other.type.shape->extents[1].text, quoted(values_[i]->place(), "..."), order, axis);
    }
  }
  return "";
}

/// Returns which extent an instance of a net would have for this argument, where one axis alone does not fit,
/// which is a dimension of the net; else empty.
std::string FunctionMatch::fix_of_net(const Node* value, const ast::Parameter& parameter) {
  if (net_ == nullptr || net_->root == nullptr || !net_->declared.valid()) return "";
  if (std::isdigit(static_cast<unsigned char>(net_->name.back())) != 0 &&
      net_->name.find('.') != std::string::npos)
    return "";
  const auto expected = expected_shape(parameter);
  const Shape& actual = value->type.shape;
  if (!expected || expected->size() != actual.size()) return "";
  const auto& written = parameter.type.shape->extents;
  std::string fix;
  for (std::size_t from_end = 1; from_end <= actual.size(); ++from_end) {
    const Extent& extent = actual[actual.size() - from_end];
    if ((*expected)[actual.size() - from_end] == extent) continue;
    if (!fix.empty() || from_end > written.size() || !extent.constant()) return "";
    const ast::Extent& name = written[written.size() - from_end];
    if (name.kind != ast::Extent::Kind::name || !net_->type->dimensions.contains(name.text)) return "";
    const bool declared_so = net_->type == net_->root->type;
    const std::string use = declared_so ? use_with(*net_->root, name.text, spelling(extent)) : "";
    fix = use.empty() ? fmt::format("for this argument, declare '{}' with {} = {}", net_->name, name.text,
                                    spelling(extent))
                      : fmt::format("for this argument, declare {}: {}", net_->root->name, use);
  }
  return fix;
}

}  // namespace frontend::check
