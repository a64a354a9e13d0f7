#include "frontend/parse/shape_fix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/ast/ast.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/place_text.h"

namespace frontend::syntax {
namespace {

std::size_t kind_at(const Place& place, std::size_t i) {
  return i < place.chunk.last ? place.code[i].kind : antlr4::Token::EOF;
}

bool is_bracket(std::size_t kind) { return kind == Grammar::LEFT_BRACKET || kind == Grammar::SHAPE_OPEN; }

/// Returns a fix that puts the shape of these extents in the place of the tokens from `first` to `last`.
dlvm::Fix shape_fix(const Place& place, std::string_view what, std::vector<std::string> extents,
                    std::size_t first, std::size_t last) {
  std::ranges::replace(extents, "-1", "?");
  std::string shape = fmt::format("[{}]", fmt::join(extents, " x "));
  dlvm::Fix fix{fmt::format("{}: {}", what, shape), std::nullopt};
  const bool whole = last < place.chunk.last && std::ranges::find(extents, "...") == extents.end();
  if (whole && place.code[first].location.line == place.code[last].location.line)
    fix.edit = edit_of(place, first, last, std::move(shape));
  return fix;
}

/// `in(N, 3)`, `in((N, 3))` and `in(shape=(N, 3))`
dlvm::Fix fix_of_parentheses(const Place& place) {
  const std::size_t first = place.position;
  std::size_t open = first;
  while (true) {
    std::size_t next = open + 1;
    if (kind_at(place, next) == Grammar::NAME && kind_at(place, next + 1) == Grammar::EQUALS) next += 2;
    if (kind_at(place, next) != Grammar::LEFT_PARENTHESIS) break;
    open = next;
  }
  return shape_fix(place, "a shape stands in brackets", parts_inside(place, open), first,
                   end_of_part(place, first + 1, false));
}

/// `in[N][3]`, where the error is at the second bracket.
dlvm::Fix fix_of_several_brackets(const Place& place) {
  std::size_t first = place.chunk.first;
  while (!is_bracket(kind_at(place, first))) ++first;
  std::vector<std::string> extents;
  std::size_t last = first - 1;
  while (is_bracket(kind_at(place, last + 1))) {
    std::string inside = text_between(place, last + 2, end_of_part(place, last + 2, false));
    extents.push_back(std::move(inside));
    last = end_of_part(place, last + 2, false);
  }
  return shape_fix(place, "a shape has one pair of brackets", std::move(extents), first, last);
}

}  // namespace

std::optional<dlvm::Fix> fix_of_shape_elsewhere(const Place& place) {
  const std::size_t at = place.position, kind = place.code[at].kind;
  if (at == place.chunk.first) return std::nullopt;
  const bool header = !place.equals && kind_at(place, place.chunk.first + 1) == Grammar::COLON;
  const std::size_t before = kind_before(place, at, 1);
  if (kind == Grammar::LEFT_PARENTHESIS) {
    const bool role = kind_before(place, at, 2) == Grammar::COLON && !place.equals &&
                      ast::role(place.code[at - 1].text).has_value();
    return role || before == Grammar::AS ? std::optional(fix_of_parentheses(place)) : std::nullopt;
  }
  if (!is_bracket(kind) || !header) return std::nullopt;
  if (is_bracket(before))
    return shape_fix(place, "a shape has one pair of brackets", parts_inside(place, at), at - 1,
                     end_of_part(place, at, false));
  if (before == Grammar::RIGHT_BRACKET && place.open.empty()) return fix_of_several_brackets(place);
  return std::nullopt;
}

dlvm::Fix fix_of_shape(const Place& place) {
  const std::size_t open = place.open.back();
  return shape_fix(place, "write x for the comma", parts_inside(place, open), open,
                   end_of_part(place, open + 1, false));
}

dlvm::Fix fix_of_range(const Place& place) {
  dlvm::Fix general{"a range has both ends, of which the last is left out: k in 0..3", std::nullopt};
  std::size_t open = place.position;
  while (open > place.chunk.first && place.code[open].text != "range") --open;
  const std::size_t range = open++;
  if (place.code[range].text != "range" || kind_at(place, open) != Grammar::LEFT_PARENTHESIS ||
      end_of_part(place, open + 1, false) + 1 != place.position)
    return general;
  const std::vector<std::string> ends = parts_inside(place, open);
  if (ends.empty() || ends.size() > 2 || std::ranges::find(ends, "...") != ends.end()) return general;
  const std::string written = fmt::format("{}..{}", ends.size() == 2 ? ends[0] : "0", ends.back());
  return {"a range has both ends: " + written, edit_of(place, range, place.position - 1, written)};
}

std::string fix_of_for(const Place& place) {
  if (!place.open.empty() && is_bracket(place.code[place.open.back()].kind))
    return "operators and functions take whole tensors, 2 * x; or an equation says what each element is: "
           "y[i] = 2 * "
           "x[i]";
  return "put the element in a reduction: sum(x[i] * y[i] for i)";
}

}  // namespace frontend::syntax
