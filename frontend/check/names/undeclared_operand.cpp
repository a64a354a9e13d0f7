#include "frontend/check/names/undeclared_operand.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/declarations/nets.h"
#include "frontend/check/names/python_fix.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// What stands for extents that nothing gives.
const std::string unknown_extent = "4", other_extent = "8";

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The text before or behind the name, without white space at the end that meets it.
std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
std::string_view trimmed_front(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

/// The operand in front of the product that the text ends with, as far as it is a name; nothing where there
/// is no product.
std::optional<std::string_view> left_operand(std::string_view text) {
  const std::string_view before = trimmed_end(text);
  for (const std::string_view product : {"•", "@", " ."}) {
    if (!before.ends_with(product)) continue;
    const std::string_view operand = trimmed_end(before.substr(0, before.size() - product.size()));
    std::size_t first = operand.size();
    while (first > 0 && is_of_name(operand[first - 1])) --first;
    const bool whole = first == 0 || (operand[first - 1] != '.' && operand[first - 1] != '\'');
    return whole ? operand.substr(first) : operand.substr(operand.size());
  }
  return std::nullopt;
}

/// The operand behind the product that the text begins with, as far as it is a name.
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

/// The extent of the axis over which a product with the operand sums: its last one, or that before it.
std::string summed_extent(const BodyContext& context, std::string_view operand, bool last) {
  const Type* type = operand.empty() ? nullptr : type_of_name(context, operand);
  if (type == nullptr || type->shape.empty()) return unknown_extent;
  const Extent& extent =
      last || type->shape.size() == 1 ? type->shape.back() : type->shape[type->shape.size() - 2];
  const std::string text = spelling(extent);
  return extent.constant() || knows_dimension(context, text) ? text : unknown_extent;
}

/// The extent in a net, which has the values of its dimensions, by the name of one.
std::string in_net(const BodyContext& context, std::string extent) {
  if (context.net == nullptr) return extent;
  for (const auto& [name, value] : context.net->dimensions)
    if (spelling(value) == extent) return name;
  return extent;
}

/// The last extent of the declaration's type, if the product between these texts is its whole value.
std::string result_extent(const BodyContext& context, std::string_view before, std::string_view behind) {
  const std::string_view rest = trimmed_front(behind);
  const bool ends =
      rest.empty() || behind.substr(0, behind.size() - rest.size()).find('\n') != std::string::npos;
  if (!ends || !trimmed_end(before).ends_with('=') || context.declaration == nullptr) return other_extent;
  const auto& shape = context.declaration->syntax->type.shape;
  const bool known = shape && !shape->extents.empty() && is_number(shape->extents.back().text);
  return known && !shape->extents.back().text.empty() ? shape->extents.back().text : other_extent;
}

}  // namespace

std::string declaration_of_unknown(const BodyContext& context, const std::string& name,
                                   const Location& location) {
  if (context.instance != nullptr && context.net == nullptr) return "";
  if (!location.valid() || !location.source->text()) return "";
  const std::string_view text = *location.source->text();
  const std::size_t at = location.source->offset(location.line, location.column);
  if (const auto left = left_operand(text.substr(0, at))) {
    const std::string_view before(text.data(), static_cast<std::size_t>(left->data() - text.data()));
    return fmt::format("declare it: {}: param[{} x {}] = glorot()", name,
                       in_net(context, summed_extent(context, *left, true)),
                       result_extent(context, before, text.substr(at + name.size())));
  }
  if (const auto right = right_operand(text.substr(at + name.size()))) {
    const std::string summed = in_net(context, summed_extent(context, *right, false));
    return is_number(summed) || context.net != nullptr
               ? fmt::format("declare it: {}: param[{} x {}] = glorot()", name, other_extent, summed)
               : fmt::format("declare it: {}: in[{} x {}]", name, other_extent, summed);
  }
  if (context.instance != nullptr || name.front() < 'A' || name.front() > 'Z') return "";
  return fmt::format("declare it: a dimension that no shape names, dim {0}, or a parameter, {0}: param = 1",
                     name);
}

}  // namespace frontend::check
