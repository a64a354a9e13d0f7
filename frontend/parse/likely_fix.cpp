#include "frontend/parse/likely_fix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/ast/ast.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/place_text.h"
#include "frontend/python/translate.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

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
    return fmt::format("convert it: {}{}{} as {}", simple ? "" : "(", text_between(place, first, end),
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
  std::vector<std::string> elements = parts_inside(place, open);
  const std::string list = fmt::format("[{}]", fmt::join(elements, ", "));
  const bool is_shape = !elements.empty() && std::ranges::all_of(elements, is_like_extent);
  std::ranges::replace(elements, "-1", "?");
  return fmt::format("there are no tuples: a list is {}{}", list,
                     is_shape ? fmt::format(", a shape [{}]", fmt::join(elements, " x ")) : "");
}

std::string fix_of_is(const Place& place) {
  const bool negated = place.code[place.position + 1].text == "not";
  if (place.code[place.position + (negated ? 2 : 1)].text == "None")
    return "there is no None: functions of one name may take different arguments";
  return negated ? "a comparison: !=" : "a comparison: ==";
}

std::optional<dlvm::Fix> fix_of_operands(const Place& place) {
  const std::size_t at = place.position;
  const Token& found = place.code[at];
  if (!place.equals || at == place.chunk.first) return std::nullopt;
  const Token& before = place.code[at - 1];
  if (before.kind == Grammar::DOT && found.kind == Grammar::LEFT_PARENTHESIS &&
      kind_before(place, at, 2) == Grammar::NAME) {
    const std::size_t last = end_of_part(place, at + 1, false);
    if (last == place.chunk.last) return std::nullopt;
    const std::string step = fmt::format("[{}]", text_between(place, at + 1, last));
    return dlvm::Fix{fmt::format("the value of a step before is {}{}", place.code[at - 2].text, step),
                     edit_of(place, at - 1, last, step)};
  }
  if (found.text == "is") return dlvm::Fix{fix_of_is(place), std::nullopt};
  const Token& next = place.code[std::min(at + 1, place.chunk.last - 1)];
  if (found.kind == Grammar::ARROW && before.kind == Grammar::NAME)
    return found.begin == before.end && next.begin == found.end
               ? dlvm::
                     Fix{fmt::format(
                             "a member is selected by a point, {0}.{1}, and a function applied by {0} |> {1}",
                             before.text, next.text),
                         std::nullopt}
               : dlvm::Fix{
                     fmt::format("functions are applied in turn by |>: {} |> {}", before.text, next.text),
                     dlvm::replacement(found.location, "|>")};
  if (found.kind == Grammar::DOT && next.kind == Grammar::NUMBER && next.begin == found.end)
    return dlvm::Fix{fmt::format("a digit stands on both sides of the point: 0.{}", next.text),
                     dlvm::replacement(found.location, "0.")};
  if (found.text == "x" && kind_before(place, at, 2) == Grammar::AS)
    return dlvm::Fix{fmt::format("a shape stands in brackets: [{} x {}]", before.text, next.text),
                     std::nullopt};
  if (found.text == "x" && before.kind == Grammar::NUMBER && next.kind == Grammar::NUMBER)
    return dlvm::Fix{fmt::format("x stands in shapes alone: a list is [{0}, {1}], a product {0} * {1}",
                                 before.text, next.text),
                     std::nullopt};
  if (found.kind == Grammar::NAME && next.kind == Grammar::COLON && !place.open.empty())
    return dlvm::Fix{"a ',' stands between two arguments",
                     dlvm::replacement(found.location, fmt::format(", {}", found.text))};
  if (found.kind == Grammar::NAME && before.kind == Grammar::NUMBER && found.begin == before.end &&
      found.text != "x")
    return dlvm::Fix{fmt::format("a product is written {} * {}", before.text, found.text),
                     dlvm::replacement(found.location, fmt::format("* {}", found.text))};
  if (found.kind != Grammar::NAME || before.kind != Grammar::NAME || found.line_first) return std::nullopt;
  return dlvm::Fix{
      fmt::format("an operator is missing: {0} • {1} is a product of matrices, {0} * {1} one of elements",
                  before.text, found.text),
      std::nullopt};
}

std::optional<dlvm::Fix> fix_of_dots(const Place& place) {
  const Token& found = place.code[place.position];
  const bool with_end = found.kind == Grammar::ELLIPSIS;
  const std::size_t before = kind_before(place, place.position, 1);
  if (before == Grammar::COMMA || before == Grammar::LEFT_BRACKET) return std::nullopt;
  if ((!with_end && found.kind != Grammar::RANGE) || place.open.empty() ||
      place.code[place.open.back()].kind != Grammar::LEFT_BRACKET)
    return std::nullopt;
  if (with_end)
    return dlvm::Fix{"a slice is first:end, without its end: 0:4 has four elements", std::nullopt};
  return dlvm::Fix{"a slice is first:end, without its end: write ':'",
                   dlvm::replacement(found.location, ":")};
}

std::string fix_of_named_argument(const Place& place) {
  const std::size_t open = place.open.back();
  const bool plain =
      kind_before(place, open, 1) == Grammar::NAME && kind_before(place, open, 2) != Grammar::DOT;
  if (plain && !python::is_function(place.code[open - 1].text)) {
    std::vector<std::string> arguments = parts_inside(place, open);
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

namespace {

/// `x: in[N x 3] int32`, where the element type stands behind the shape.
std::optional<dlvm::Fix> fix_of_type_behind_shape(const Place& place) {
  const Token& found = place.code[place.position];
  const bool is_behind = !place.equals && place.open.empty() && place.position > place.chunk.first + 3 &&
                         place.code[place.position - 1].kind == Grammar::RIGHT_BRACKET &&
                         ast::element_type(found.text).has_value();
  if (!is_behind) return std::nullopt;
  const Token& open = place.code[place.chunk.first + 3];
  if (open.location.source != found.location.source || open.location.line != found.location.line)
    return std::nullopt;
  const std::string turned =
      fmt::format(" {}{}", found.text, text_between(place, place.chunk.first + 3, place.position));
  dlvm::Fix fix{"the element type stands before the shape: " + turned.substr(1), std::nullopt};
  if (turned.find("...") != std::string::npos) return fix;
  fix.edit = dlvm::replacement(found.location, turned);
  fix.edit->begin = dlvm::replacement(open.location, "").begin;
  return fix;
}

}  // namespace

std::optional<dlvm::Fix> fix_of_declared_parts(const Place& place) {
  const Token& found = place.code[place.position];
  if (found.kind == Grammar::AUTO && place.position == place.chunk.first + 3 &&
      place.code[place.position - 1].text == "param")
    return dlvm::Fix{"its shape in brackets: param[auto]", dlvm::replacement(found.location, "[auto]")};
  if (auto fix = fix_of_type_behind_shape(place)) return fix;
  if (found.kind != Grammar::FROM || place.equals) return std::nullopt;
  std::size_t scale = place.chunk.first, last = place.position + 1;
  while (scale < place.position && place.code[scale].kind != Grammar::SCALE) ++scale;
  if (scale == place.position || last >= place.chunk.last) return std::nullopt;
  if (last + 1 < place.chunk.last && place.code[last + 1].kind == Grammar::TRANSPOSE) ++last;
  const std::string turned =
      text_between(place, place.position, last + 1) + " " + text_between(place, scale, place.position);
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
