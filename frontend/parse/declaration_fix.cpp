#include "frontend/parse/declaration_fix.h"

#include <fmt/format.h>

#include "frontend/parse/grammar.h"
#include "frontend/parse/place_text.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {

std::string fix_of_parameter(const Place& place) {
  const Token &found = place.code[place.position], &name = place.code[place.position - 1];
  if (name.text == "self") return "leave 'self' out: the functions of a net know what it declares";
  const std::string_view type = element_type_elsewhere(name.text);
  if (found.kind == Grammar::NAME)
    return type.empty() ? fmt::format("{}: {}", found.text, name.text)
                        : fmt::format("{}: {}[]", found.text, type);
  return fmt::format("{0}: [s...], or {0}: [] for a number", name.text);
}

std::string fix_of_array_of_nets(const Place& place) {
  if (place.open.size() != 1 || place.code[place.open[0]].kind != Grammar::LEFT_BRACKET) return "";
  const std::size_t net = place.open[0] + 1;
  const char first = place.code[net].text.empty() ? 'a' : place.code[net].text[0];
  if (place.code[net].kind != Grammar::NAME || first < 'A' || first > 'Z' || net + 1 >= place.position ||
      place.code[net + 1].kind != Grammar::LEFT_PARENTHESIS)
    return "";
  std::string_view number = "...";
  for (std::size_t i = place.position; i + 3 < place.chunk.last; ++i)
    if (place.code[i].text == "range" && place.code[i + 3].kind == Grammar::RIGHT_PARENTHESIS)
      number = place.code[i + 2].text;
  return fmt::format("an array of nets: {}: [{}] {}", place.code[place.chunk.first].text, number,
                     text_between(place, net, place.position));
}

}  // namespace frontend::syntax
