#include "frontend/ast/ast.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace frontend::ast {
namespace {

constexpr std::array<std::string_view, 11> element_names = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64", "int"};
constexpr std::array<std::string_view, 9> role_names = {"in",  "param", "const",  "hidden", "layer",
                                                        "out", "loss",  "metric", "state"};
constexpr std::array<std::string_view, 2> unary_names = {"-", "not"};
constexpr std::array<std::string_view, 15> binary_names = {
    "or", "and", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "•", "^"};

template <typename Enumeration, std::size_t n>
std::optional<Enumeration> find(const std::array<std::string_view, n>& names, std::size_t count,
                                std::string_view text) {
  const auto last = names.begin() + count;
  const auto found = std::find(names.begin(), last, text);
  if (found == last) return std::nullopt;
  return static_cast<Enumeration>(found - names.begin());
}

std::optional<Extent::Operator> extent_operator(const Binary::Operator& op) {
  if (op.op < BinaryOperator::add || op.op > BinaryOperator::divide) return std::nullopt;
  return Extent::Operator{spelling(op.op)[0], op.location};
}

/// The extent that an expression of numbers, names and + - * / means.
std::optional<Extent> as_extent(const Expression& e) {
  Extent extent;
  extent.location = e.location;
  extent.height = e.height;
  if (const auto* number = if_a<Number>(e)) {
    if (!std::all_of(number->text.begin(), number->text.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return std::nullopt;
    extent.kind = Extent::Kind::number;
    extent.text = number->text;
    return extent;
  }
  if (const auto* name = if_a<NameReference>(e)) {
    extent.kind = Extent::Kind::name;
    extent.text = name->text;
    return extent;
  }
  if (const auto* unary = if_a<Unary>(e); unary && unary->op == UnaryOperator::negate) {
    auto operand = as_extent(*unary->operand);
    if (!operand) return std::nullopt;
    extent.kind = Extent::Kind::negate;
    extent.operands.push_back(std::move(*operand));
    return extent;
  }
  if (const auto* binary = if_a<Binary>(e)) {
    extent.kind = Extent::Kind::chain;
    for (const auto& op : binary->operators) {
      const auto converted = extent_operator(op);
      if (!converted) return std::nullopt;
      extent.operators.push_back(*converted);
    }
    for (const auto& operand : binary->operands) {
      auto converted = as_extent(*operand);
      if (!converted) return std::nullopt;
      extent.operands.push_back(std::move(*converted));
    }
    return extent;
  }
  return std::nullopt;
}

}  // namespace

std::string_view spelling(ElementType type) { return element_names[static_cast<std::size_t>(type)]; }
std::string_view spelling(UnaryOperator op) { return unary_names[static_cast<std::size_t>(op)]; }
std::string_view spelling(BinaryOperator op) { return binary_names[static_cast<std::size_t>(op)]; }
std::string_view spelling(Parameter::Kind kind) {
  return kind == Parameter::Kind::axis ? "axis" : kind == Parameter::Kind::flag ? "flag" : "";
}

std::string_view spelling(TypeDeclaration::Kind kind) {
  return kind == TypeDeclaration::Kind::structure ? "struct" : "enum";
}

std::string spelling(const TypeName& name) {
  return (name.file ? name.file->text + "." : "") + name.name.text;
}

std::string_view spelling(Role role) { return role_names[static_cast<std::size_t>(role)]; }

std::optional<ElementType> element_type(std::string_view text) {
  return find<ElementType>(element_names, element_names.size() - 1, text);
}

std::optional<Role> role(std::string_view text) { return find<Role>(role_names, role_names.size(), text); }

std::optional<Shape> as_shape(const Expression& e) {
  if (const auto* literal = if_a<ShapeLiteral>(e)) return literal->shape;
  const auto* list = if_a<Concatenation>(e);
  if (!list || list->along || list->elements.size() != 1) return std::nullopt;
  auto extent = as_extent(*list->elements.front());
  if (!extent) return std::nullopt;
  Shape shape{e.location, {}};
  shape.extents.push_back(std::move(*extent));
  return shape;
}

}  // namespace frontend::ast
