#include "frontend/parse/declaration_fix.h"

#include <fmt/format.h>

#include "frontend/parse/grammar.h"
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

}  // namespace frontend::syntax
