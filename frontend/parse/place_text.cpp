#include "frontend/parse/place_text.h"

#include "frontend/parse/grammar.h"

namespace frontend::syntax {
namespace {

bool opens(const Token& token) {
  return token.kind == Grammar::LEFT_PARENTHESIS || token.kind == Grammar::RESULTS_OPEN ||
         token.kind == Grammar::LEFT_BRACKET || token.kind == Grammar::SHAPE_OPEN;
}

bool closes(const Token& token) {
  return token.kind == Grammar::RIGHT_PARENTHESIS || token.kind == Grammar::RIGHT_BRACKET;
}

}  // namespace

std::size_t kind_before(const Place& place, std::size_t i, std::size_t distance) {
  return i >= place.chunk.first + distance ? place.code[i - distance].kind : 0;
}

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

std::string text_between(const Place& place, std::size_t first, std::size_t last) {
  constexpr std::size_t longest = 40;
  if (first >= last) return "...";
  const char* from = place.code[first].text.data();
  const std::string_view end = place.code[last - 1].text;
  const std::string_view all(from, static_cast<std::size_t>(end.data() + end.size() - from));
  return all.size() > longest || all.find('\n') != std::string_view::npos ? "..." : std::string(all);
}

std::vector<std::string> parts_inside(const Place& place, std::size_t opener) {
  std::vector<std::string> all;
  for (std::size_t from = opener + 1; from < place.chunk.last;) {
    const std::size_t end = end_of_part(place, from, true);
    if (end > from) all.push_back(text_between(place, from, end));
    if (end == place.chunk.last || closes(place.code[end])) break;
    from = end + 1;
  }
  return all;
}

dlvm::Edit edit_of(const Place& place, std::size_t first, std::size_t last, std::string text) {
  dlvm::Edit edit = dlvm::replacement(place.code[last].location, std::move(text));
  edit.begin = dlvm::replacement(place.code[first].location, "").begin;
  return edit;
}

}  // namespace frontend::syntax
