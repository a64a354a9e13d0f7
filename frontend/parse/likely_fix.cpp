#include "frontend/parse/likely_fix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/ast/ast.h"
#include "frontend/parse/grammar.h"
#include "frontend/python/translate.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

bool opens(const Token& token) {
  return token.kind == Grammar::LEFT_PARENTHESIS || token.kind == Grammar::RESULTS_OPEN ||
         token.kind == Grammar::LEFT_BRACKET || token.kind == Grammar::SHAPE_OPEN;
}

bool closes(const Token& token) {
  return token.kind == Grammar::RIGHT_PARENTHESIS || token.kind == Grammar::RIGHT_BRACKET;
}

/// The kind of the token `distance` before `i`; 0 where the declaration starts behind it.
std::size_t kind_before(const Place& place, std::size_t i, std::size_t distance) {
  return i >= place.chunk.first + distance ? place.code[i - distance].kind : 0;
}

/// The first token from `first` on that stands outside all brackets that follow and is a comma, if
/// `at_comma`, or closes a bracket; the end of the declaration where there is none.
std::size_t end_of_part(const Place& place, std::size_t first, bool at_comma) {
  std::size_t depth = 0, i = first;
  for (; i < place.chunk.last; ++i) {
    const Token& token = place.code[i];
    if (depth == 0 && (closes(token) || (at_comma && token.kind == Grammar::COMMA))) break;
    depth += opens(token) ? 1 : 0;
    depth -= closes(token) ? 1 : 0;
  }
  return i;
}

/// Returns what is written from token `first` to before `last`; "..." where it is long.
std::string text(const Place& place, std::size_t first, std::size_t last) {
  constexpr std::size_t longest = 40;
  if (first >= last) return "...";
  const char* from = place.code[first].text.data();
  const std::string_view end = place.code[last - 1].text;
  const std::string_view all(from, static_cast<std::size_t>(end.data() + end.size() - from));
  return all.size() > longest || all.find('\n') != std::string_view::npos ? "..." : std::string(all);
}

/// Returns what is written between the commas inside the bracket at `opener`.
std::vector<std::string> parts(const Place& place, std::size_t opener) {
  std::vector<std::string> all;
  for (std::size_t from = opener + 1; from < place.chunk.last;) {
    const std::size_t end = end_of_part(place, from, true);
    if (end > from) all.push_back(text(place, from, end));
    if (end == place.chunk.last || closes(place.code[end])) break;
    from = end + 1;
  }
  return all;
}

std::string shape_text(const Place& place, std::size_t opener) {
  std::string shape;
  for (const std::string& part : parts(place, opener))
    shape += (shape.empty() ? "" : " x ") + (part == "-1" ? "?" : part);
  return "[" + shape + "]";
}

/// `torch.float32` where a type stands; empty where it is something else.
std::string fix_of_qualified_type(const Place& place) {
  if (place.code[place.position].kind != Grammar::DOT || place.equals || !place.open.empty()) return "";
  const Token& element = place.code[place.position + 1];
  const std::string_view type =
      element.kind == Grammar::ELEMENT_TYPE ? element.text : element_type_elsewhere(element.text);
  if (type.empty()) return "";
  const bool role = kind_before(place, place.position, 2) == Grammar::COLON;
  return fmt::format("write {}{}", role ? "in " : "", type);
}

}  // namespace

std::string fix_of_conversion(const Place& place) {
  const std::size_t position = place.position;
  const Token& type = place.code[position];
  if (type.kind != Grammar::ELEMENT_TYPE) return fix_of_qualified_type(place);
  if (!place.equals) return "";
  if (place.code[position + 1].kind == Grammar::LEFT_PARENTHESIS) {
    const std::size_t first = position + 2, end = end_of_part(place, first, false);
    const bool simple = end - first == 1;
    return fmt::format("convert it: {}{}{} as {}", simple ? "" : "(", text(place, first, end),
                       simple ? "" : ")", type.text);
  }
  std::size_t at = position;
  if (kind_before(place, at, 1) == Grammar::DOT) at -= 2;  // of `np.float32`
  const bool method = kind_before(place, at, 1) == Grammar::LEFT_PARENTHESIS &&
                      kind_before(place, at, 3) == Grammar::DOT && kind_before(place, at, 4) == Grammar::NAME;
  return method ? fmt::format("convert it: {} as {}", place.code[at - 4].text, type.text) : "";
}

namespace {

/// A number, or a name in capitals, as dimensions have.
bool is_like_extent(const std::string& text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '-'; });
}

}  // namespace

std::string fix_of_tuple(const Place& place) {
  if (place.code[place.position].kind != Grammar::COMMA || place.open.empty()) return "";
  const std::size_t open = place.open.back();
  if (place.code[open].kind != Grammar::LEFT_PARENTHESIS || kind_before(place, open, 1) == Grammar::NAME)
    return "";
  const std::vector<std::string> elements = parts(place, open);
  const std::string list = fmt::format("[{}]", fmt::join(elements, ", "));
  const bool is_shape = !elements.empty() && std::ranges::all_of(elements, is_like_extent);
  return fmt::format("there are no tuples: a list is {}{}", list,
                     is_shape ? ", a shape " + shape_text(place, open) : "");
}

std::string fix_of_named_argument(const Place& place) {
  const std::size_t open = place.open.back();
  const bool plain =
      kind_before(place, open, 1) == Grammar::NAME && kind_before(place, open, 2) != Grammar::DOT;
  if (plain && !python::is_function(place.code[open - 1].text)) {
    std::vector<std::string> arguments = parts(place, open);
    for (std::string& each : arguments) {
      const std::size_t equals = each.find('=');
      if (equals == std::string::npos || equals + 1 == each.size() || each[equals + 1] == '=') continue;
      const std::size_t end = each.find_last_not_of(' ', equals - 1) + 1;
      const std::size_t value = std::min(each.find_first_not_of(' ', equals + 1), each.size());
      if (each.find_first_of("([!<>") > equals) each = each.substr(0, end) + ": " + each.substr(value);
    }
    return fmt::format("write {}({})", place.code[open - 1].text, fmt::join(arguments, ", "));
  }
  return fmt::format("a named argument: {}: …", place.code[place.position - 1].text);
}

std::string fix_of_shape_in_parentheses(const Place& place) {
  const std::size_t at = place.position;
  if (place.code[at].kind != Grammar::LEFT_PARENTHESIS || at == place.chunk.first) return "";
  const bool role = kind_before(place, at, 2) == Grammar::COLON && !place.equals &&
                    ast::role(place.code[at - 1].text).has_value();
  if (!role && kind_before(place, at, 1) != Grammar::AS) return "";
  std::size_t open = at;  // `in((N, 3))` has a tuple in parentheses
  while (open + 1 < place.chunk.last && place.code[open + 1].kind == Grammar::LEFT_PARENTHESIS) ++open;
  return "a shape stands in brackets: " + shape_text(place, open);
}

std::string fix_of_shape(const Place& place) {
  return "write x for the comma: " + shape_text(place, place.open.back());
}

std::optional<dlvm::Fix> fix_of_declared_parts(const Place& place) {
  const Token& found = place.code[place.position];
  if (found.kind == Grammar::AUTO && place.position == place.chunk.first + 3 &&
      place.code[place.position - 1].text == "param")
    return dlvm::Fix{"its shape in brackets: param[auto]", dlvm::replacement(found.location, "[auto]")};
  if (found.kind != Grammar::FROM || place.equals) return std::nullopt;
  std::size_t scale = place.chunk.first, last = place.position + 1;
  while (scale < place.position && place.code[scale].kind != Grammar::SCALE) ++scale;
  if (scale == place.position || last >= place.chunk.last) return std::nullopt;
  if (last + 1 < place.chunk.last && place.code[last + 1].kind == Grammar::TRANSPOSE) ++last;
  const std::string turned = text(place, place.position, last + 1) + " " + text(place, scale, place.position);
  dlvm::Fix fix{"the name in files stands before the scale: " + turned, std::nullopt};
  if (turned.find("...") != std::string::npos) return fix;
  fix.edit = dlvm::replacement(place.code[last].location, turned);
  fix.edit->begin = dlvm::replacement(place.code[scale].location, "").begin;
  return fix;
}

std::string fix_of_next_member(const Place& place) {
  const auto kind = [&](std::size_t distance) {
    return place.position + distance < place.chunk.last ? place.code[place.position + distance].kind : 0;
  };
  std::size_t member = 0;
  while (kind(member) == Grammar::NAME && kind(member + 1) == Grammar::DOT) member += 2;
  if (member == 0 || kind(member) != Grammar::NAME || kind(member + 1) != Grammar::NEXT) return "";
  return fmt::format(
      "only a state has a next value: a struct as a whole, {}' = ..., and the state of a net in the net, {}' "
      "= "
      "...",
      place.code[place.position].text, place.code[place.position + member].text);
}

}  // namespace frontend::syntax
