#include "frontend/check/names/undeclared_operand.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/declarations/nets.h"
#include "frontend/check/names/python_fix.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// These stand for extents that nothing gives.
constexpr std::string_view unknown_extent = "4", other_extent = "8";

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Returns the text before or behind the name without white space at the end that meets it.
std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
std::string_view trimmed_front(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

/// Returns the name that the text ends with; empty where it ends with something else, or the name is a member
/// or the T of a transposition.
std::string_view last_name(std::string_view text) {
  text = trimmed_end(text);
  std::size_t first = text.size();
  while (first > 0 && is_of_name(text[first - 1])) --first;
  const bool whole = first == 0 || std::string_view(".'^").find(text[first - 1]) == std::string_view::npos;
  return whole ? text.substr(first) : text.substr(text.size());
}

/// Returns the operand in front of the product that the text ends with, as far as it is a name; nothing where
/// there is no product.
std::optional<std::string_view> left_operand(std::string_view text) {
  const std::string_view before = trimmed_end(text);
  for (const std::string_view product : {"•", "@", " ."}) {
    if (!before.ends_with(product)) continue;
    return last_name(before.substr(0, before.size() - product.size()));
  }
  return std::nullopt;
}

/// Returns the operand behind the product that the text begins with, as far as it is a name.
std::optional<std::string_view> right_operand(std::string_view text) {
  const std::string_view behind = trimmed_front(text);
  for (const std::string_view product : {"•", "@", ". "}) {
    if (!behind.starts_with(product)) continue;
    const std::string_view operand = trimmed_front(behind.substr(product.size()));
    std::size_t end = 0;
    while (end < operand.size() && is_of_name(operand[end])) ++end;
    const bool whole =
        end == operand.size() || std::string_view(".[('").find(operand[end]) == std::string_view::npos;
    return whole ? operand.substr(0, end) : std::string_view();
  }
  return std::nullopt;
}

bool is_number(std::string_view extent) {
  return std::ranges::all_of(extent, [](char c) { return c >= '0' && c <= '9'; });
}

/// Holds an extent as a declaration writes it.
struct Written {
  std::string text;
  bool constant = true;  ///< it may be that of a parameter
};

/// Returns the extent of an axis of the named value, counted from the end; `other` where it is not known.
Written extent_of(const BodyContext& context, std::string_view name, std::size_t from_end,
                  std::string_view other) {
  const Type* type = name.empty() ? nullptr : type_of_name(context, name);
  if (type == nullptr || type->shape.empty()) return {std::string(other)};
  const std::size_t rank = type->shape.size();
  const Extent& extent = type->shape[rank - std::min(from_end, rank)];
  const std::string text = spelling(extent);
  if (context.net != nullptr)
    for (const auto& [dimension, value] : context.net->dimensions)
      if (value == extent) return {dimension};
  if (extent.constant()) return {text};
  return knows_dimension(context, text) ? Written{text, false} : Written{std::string(other)};
}

/// Returns the shape that is written for the value of the expression: of a declaration, or of a function's
/// result.
const ast::Shape* written_shape(const BodyContext& context) {
  const ast::Type* type = nullptr;
  if (context.declaration != nullptr) type = &context.declaration->syntax->type;
  if (context.instance != nullptr && context.instance->function->syntax->results.size() == 1)
    type = &context.instance->function->syntax->results.front();
  return type != nullptr && type->shape && !type->shape->extents.empty() ? &*type->shape : nullptr;
}

/// Returns the last extent of that shape, if the product between these texts is the whole value, or a bias is
/// added.
std::string result_extent(const BodyContext& context, std::string_view before, std::string_view behind) {
  const std::string_view rest = trimmed_front(behind);
  const std::string_view space = behind.substr(0, behind.size() - rest.size());
  const bool ends = rest.empty() || rest.front() == '+' || space.find('\n') != std::string_view::npos;
  const ast::Shape* shape = ends && trimmed_end(before).ends_with('=') ? written_shape(context) : nullptr;
  if (shape == nullptr) return std::string(other_extent);
  const std::string& text = shape->extents.back().text;
  const bool in_net = context.net != nullptr && context.net->dimensions.contains(text);
  return !text.empty() && (in_net || is_number(text)) ? text : std::string(other_extent);
}

std::string matrix(const std::string& name, const Written& rows, const Written& columns) {
  const bool trained = rows.constant && columns.constant;
  return fmt::format("declare it: {}: {}[{} x {}]{}", name, trained ? "param" : "in", rows.text, columns.text,
                     trained ? " = glorot()" : "");
}

/// Holds the texts before and behind the name.
struct Around {
  std::string_view before, behind;
};

std::string right_of_product(const BodyContext& context, const std::string& name, const Around& text) {
  const auto left = left_operand(text.before);
  if (!left) return "";
  const std::string_view before =
      text.before.substr(0, static_cast<std::size_t>(left->data() - text.before.data()));
  return matrix(name, extent_of(context, *left, 1, unknown_extent),
                {result_extent(context, before, text.behind)});
}

std::string left_of_product(const BodyContext& context, const std::string& name, const Around& text) {
  const auto right = right_operand(text.behind);
  return right ? matrix(name, {std::string(other_extent)}, extent_of(context, *right, 2, unknown_extent))
               : "";
}

/// Declares the `b` of `x • W + b`.
std::string bias(const BodyContext& context, const std::string& name, const Around& text) {
  std::string_view before = trimmed_end(text.before);
  if (!before.ends_with('+')) return "";
  before = trimmed_end(before.substr(0, before.size() - 1));
  const std::string_view matrix = last_name(before);
  if (matrix.empty()) return "";
  before = before.substr(0, before.size() - matrix.size());
  const auto left = left_operand(before);
  if (!left) return "";
  const std::string_view start = before.substr(0, static_cast<std::size_t>(left->data() - before.data()));
  const Written extent = extent_of(context, matrix, 1, result_extent(context, start, "+"));
  return extent.constant ? fmt::format("declare it: {}: param[{}] = 0", name, extent.text) : "";
}

}  // namespace

std::string declaration_of_unknown(const BodyContext& context, const std::string& name,
                                   const Location& location) {
  if (context.instance != nullptr && context.net == nullptr) return "";
  if (!location.valid() || !location.source->text()) return "";
  const std::string_view text = *location.source->text();
  const std::size_t at = location.source->offset(location.line, location.column);
  const Around around{text.substr(0, at), text.substr(std::min(text.size(), at + name.size()))};
  for (const auto& declaration : {right_of_product, left_of_product, bias})
    if (std::string found = declaration(context, name, around); !found.empty()) return found;
  if (context.instance != nullptr || name.front() < 'A' || name.front() > 'Z') return "";
  return fmt::format("declare it: a dimension that no shape names, dim {0}, or a parameter, {0}: param = 1",
                     name);
}

}  // namespace frontend::check
