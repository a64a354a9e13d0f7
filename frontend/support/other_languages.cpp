#include "frontend/support/other_languages.h"

#include <algorithm>
#include <utility>

namespace frontend {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr Entry element_types[]{
    {"half", "float16"},  {"f16", "float16"},   {"fp16", "float16"},      {"bf16", "bfloat16"},
    {"float", "float32"}, {"f32", "float32"},   {"fp32", "float32"},      {"single", "float32"},
    {"real", "float32"},  {"Float", "float32"}, {"float32_t", "float32"}, {"double", "float64"},
    {"f64", "float64"},   {"fp64", "float64"},  {"Double", "float64"},    {"float64_t", "float64"},
    {"i8", "int8"},       {"i16", "int16"},     {"short", "int16"},       {"i32", "int32"},
    {"int", "int32"},     {"Int", "int32"},     {"integer", "int32"},     {"i64", "int64"},
    {"long", "int64"},    {"int8_t", "int8"},   {"int16_t", "int16"},     {"int32_t", "int32"},
    {"int64_t", "int64"}, {"u8", "uint8"},      {"byte", "uint8"},        {"uint8_t", "uint8"},
    {"boolean", "bool"},  {"Bool", "bool"},     {"bool_", "bool"}};

constexpr Entry roles[]{{"input", "in"},     {"output", "out"},    {"parameter", "param"},
                        {"weight", "param"}, {"weights", "param"}, {"constant", "const"},
                        {"tensor", "in"},    {"Tensor", "in"},     {"variable", "param"}};

constexpr Entry parameters[]{
    {"axis", "along"}, {"axes", "along"}, {"dim", "along"}, {"keepdims", "keep"}, {"keepdim", "keep"}};

constexpr Entry values[]{{"True", "true"},
                         {"TRUE", "true"},
                         {"False", "false"},
                         {"FALSE", "false"},
                         {"pi", "3.141592653589793"},
                         {"PI", "3.141592653589793"}};

/// `{0}` is the first argument, `{all}` are all of them, `{rest}` those behind the first, `{type}` the second
/// as an element type, `{shape}` those behind the first as a shape, `{whole}` all as one. Operators stand in
/// parentheses, as the call may be an operand itself.
constexpr Entry calls[]{
    {"matmul", "({0} • {1})"},
    {"mm", "({0} • {1})"},
    {"bmm", "({0} • {1})"},
    {"dot", "({0} • {1})"},
    {"pow", "({0}^{1})"},
    {"power", "({0}^{1})"},
    {"add", "({0} + {1})"},
    {"sub", "({0} - {1})"},
    {"subtract", "({0} - {1})"},
    {"mul", "({0} * {1})"},
    {"multiply", "({0} * {1})"},
    {"div", "({0} / {1})"},
    {"divide", "({0} / {1})"},
    {"mod", "({0} % {1})"},
    {"neg", "(-{0})"},
    {"reciprocal", "(1 / {0})"},
    {"maximum", "max({0}, {1})"},
    {"minimum", "min({0}, {1})"},
    {"fabs", "abs({0})"},
    {"ln", "log({0})"},
    {"log2", "(log({0}) / log(2))"},
    {"log10", "(log({0}) / log(10))"},
    {"exp2", "(2^{0})"},
    {"logistic", "sigmoid({0})"},
    {"var", "variance({all})"},
    {"std", "sqrt(variance({all}))"},
    {"prod", "product({all})"},
    {"flip", "reverse({all})"},
    {"detach", "stop_gradient({0})"},
    {"isnan", "is_nan({0})"},
    {"isfinite", "is_finite({0})"},
    {"logical_and", "({0} and {1})"},
    {"logical_or", "({0} or {1})"},
    {"logical_not", "(not {0})"},
    {"where", "(if {0} then {1} else {2})"},
    {"select", "(if {0} then {1} else {2})"},
    {"clamp", "min(max({0}, {1}), {2})"},
    {"clip", "min(max({0}, {1}), {2})"},
    {"t", "({0}^T)"},
    {"reshape", "({0} as {shape})"},
    {"view", "({0} as {shape})"},
    {"flatten", "({0} as [?])"},
    {"ravel", "({0} as [?])"},
    {"cast", "({0} as {type})"},
    {"astype", "({0} as {type})"},
    {"to", "({0} as {type})"},
    {"concat", "({0} along {1})"},
    {"concatenate", "({0} along {1})"},
    {"cat", "({0} along {1})"},
    {"arange", "iota({all})"},
    {"range", "iota({all})"},
    {"zeros", "broadcast(0, to: {whole})"},
    {"ones", "broadcast(1, to: {whole})"},
    {"identity", "eye({0})"},
    {"conv1d", "convolve({all})"},
    {"conv2d", "convolve({all})"},
    {"conv3d", "convolve({all})"},
    {"conv_transpose1d", "transposed_convolve({all})"},
    {"conv_transpose2d", "transposed_convolve({all})"},
    {"conv_transpose3d", "transposed_convolve({all})"},
    {"max_pool1d", "max_pool({all})"},
    {"max_pool2d", "max_pool({all})"},
    {"max_pool3d", "max_pool({all})"},
    {"avg_pool1d", "avg_pool({all})"},
    {"avg_pool2d", "avg_pool({all})"},
    {"avg_pool3d", "avg_pool({all})"},
    {"permute", "transpose({0}, [{rest}])"},
};

template <std::size_t n>
std::string_view find(const Entry (&table)[n], std::string_view word) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const Entry& entry) { return entry.first == word; });
  return found == std::end(table) ? std::string_view() : found->second;
}

/// Whether the argument is written `name: value`.
bool is_named(const std::string& argument) {
  const std::size_t end =
      argument.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  return end != 0 && end != std::string::npos && (argument[end] == ':' || argument[end] == '=');
}

/// The argument in parentheses where an operator stands in it outside of brackets.
std::string operand(const std::string& argument) {
  int depth = 0;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    const char c = argument[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth == 0 && (c == ' ' || (i > 0 && (c == '+' || c == '-' || c == '*' || c == '/' || c == '^'))))
      return "(" + argument + ")";
  }
  return argument;
}

/// Extents that are written as arguments, `2, -1` or `[2, -1]` or `(2, -1)`, as a shape.
std::string shape_of(std::span<const std::string> extents) {
  std::string list;
  for (const std::string& extent : extents) list += (list.empty() ? "" : ",") + extent;
  if (list.empty()) return "[4 x 3]";
  if (extents.size() == 1 && (list.front() == '[' || list.front() == '('))
    list = list.substr(1, list.size() - 2);
  std::string shape;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    const std::size_t first = std::min(list.find_first_not_of(' ', from), comma);
    const std::string extent = list.substr(first, comma - first);
    if (!extent.empty())
      shape += (shape.empty() ? "" : " x ") + (extent == "-1" || extent == "(-1)" ? "?" : extent);
    from = comma + 1;
  }
  return "[" + shape + "]";
}

}  // namespace

std::string_view element_type_elsewhere(std::string_view word) { return find(element_types, word); }
std::string_view role_elsewhere(std::string_view word) { return find(roles, word); }
std::string_view parameter_elsewhere(std::string_view word) { return find(parameters, word); }
std::string_view value_elsewhere(std::string_view word) { return find(values, word); }

bool is_called_elsewhere(std::string_view name) { return !find(calls, name).empty(); }

std::string call_elsewhere(std::string_view name, std::span<const std::string> arguments) {
  std::string text(find(calls, name));
  if (const auto type = element_type_elsewhere(name); text.empty() && !type.empty())
    text = "({0} as " + std::string(type) + ")";
  const bool takes_names = text.find("{all}") != std::string::npos;
  if (!takes_names && std::ranges::any_of(arguments, is_named)) return "";
  if (text == "iota({all})" && arguments.size() > 1) return "";  // TEL's begin at 0
  bool known = true;
  const auto replace = [&](std::string_view placeholder, const std::string& by) {
    const auto at = text.find(placeholder);
    if (at == std::string::npos) return;
    known = known && !by.empty();
    text.replace(at, placeholder.size(), text.front() == '(' ? operand(by) : by);
  };
  for (std::size_t i = 0; i < 3; ++i)
    replace("{" + std::to_string(i) + "}", i < arguments.size() ? arguments[i] : "");
  const auto rest = arguments.subspan(std::min<std::size_t>(1, arguments.size()));
  for (const auto& [placeholder, list] : {std::pair("{all}", arguments), std::pair("{rest}", rest)}) {
    std::string all;
    for (const std::string& argument : list) all += (all.empty() ? "" : ", ") + argument;
    if (const auto at = text.find(placeholder); at != std::string::npos) {
      known = known && !all.empty();
      text.replace(at, std::string_view(placeholder).size(), all);
    }
  }
  if (const auto at = text.find("{type}"); at != std::string::npos) {
    const std::string_view type = rest.empty() ? "" : element_type_elsewhere(rest.front());
    known = known && !type.empty();
    text.replace(at, 6, type);
  }
  if (const auto at = text.find("{shape}"); at != std::string::npos) text.replace(at, 7, shape_of(rest));
  if (const auto at = text.find("{whole}"); at != std::string::npos) text.replace(at, 7, shape_of(arguments));
  return known ? text : "";
}

}  // namespace frontend
