#include "frontend/parse/net_array_fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/parse/grammar.h"
#include "frontend/parse/place_text.h"
#include "frontend/python/names.h"
#include "frontend/python/translate.h"

namespace frontend::syntax {
namespace {

/// The tokens of a declaration, and those that are none: before and behind it.
class Written {
 public:
  explicit Written(const Place& place) : place_(place) {}

  const Token& operator[](std::size_t i) const { return place_.code[std::min(i, place_.code.size() - 1)]; }
  bool is(std::size_t i, std::size_t kind) const { return (*this)[i].kind == kind; }
  bool opens_list(std::size_t i) const { return is(i, Grammar::LEFT_BRACKET) || is(i, Grammar::SHAPE_OPEN); }
  /// Returns whether the call of a net begins here: its name is capital.
  bool is_net(std::size_t i) const {
    const std::string_view name = (*this)[i].text;
    return is(i, Grammar::NAME) && !name.empty() && name[0] >= 'A' && name[0] <= 'Z' &&
           is(i + 1, Grammar::LEFT_PARENTHESIS);
  }
  std::string text(std::size_t first, std::size_t last) const { return text_between(place_, first, last); }

 private:
  const Place& place_;
};

/// A net of the library, as the table of names has it.
struct LibraryNet {
  std::string file, instance;
};

/// Returns the net of the library that an instance of PyTorch or Keras means, if it is one.
std::optional<LibraryNet> library_net(const std::string& instance) {
  constexpr std::string_view begins = "it is a net of the library: import ", ends = ", and ";
  const std::string advice = python::advice_for_layer(instance);
  const std::size_t file = begins.size(), comma = advice.find(", "), colon = advice.find(": ", comma);
  const std::size_t end = advice.find(ends, colon);
  if (!advice.starts_with(begins) || end == std::string::npos) return std::nullopt;
  return LibraryNet{advice.substr(file, comma - file), advice.substr(colon + 2, end - colon - 2)};
}

/// Returns the declaration of the array, behind the import of a net of the library that is not imported.
std::string array_of_nets(const Place& place, std::string_view number, const std::string& instance) {
  const auto stands = [&](std::size_t kind, std::string_view name) {
    for (std::size_t i = 0; i + 1 < place.code.size(); ++i)
      if (place.code[i].kind == kind && place.code[i + 1].text == name) return true;
    return false;
  };
  const std::string_view name = place.code[place.chunk.first].text;
  const bool own = stands(Grammar::NET, instance.substr(0, instance.find('(')));
  const auto library = own ? std::nullopt : library_net(instance);
  return fmt::format(
      "an array of nets: {}{}: [{}] {}",
      library && !stands(Grammar::IMPORT, library->file) ? fmt::format("import {}, ", library->file) : "",
      name, number, library ? library->instance : instance);
}

/// Returns n of the `range(n)` behind token `i`; dots where another range, or none, stands there.
std::string_view number_of_range(const Place& place, std::size_t i) {
  for (; i + 3 < place.chunk.last; ++i)
    if (place.code[i].text == "range" && place.code[i + 3].kind == Grammar::RIGHT_PARENTHESIS)
      return place.code[i + 2].text;
  return "...";
}

/// Returns what the list is in which the error is, at the name's parenthesis or at the word `for`.
std::string fix_of_list(const Place& place) {
  const Written tokens(place);
  const std::size_t list = place.open.back();
  if (!tokens.opens_list(list)) return "";
  std::size_t net = list + 1;
  std::string number;
  if (tokens.is(net, Grammar::NUMBER) && tokens.is(net + 1, Grammar::SEPARATOR)) {
    number = tokens[net].text;
    net += 2;
  }
  if (python::is_library(tokens[net].text) && tokens.is(net + 1, Grammar::DOT)) net += 2;
  const std::size_t behind = end_of_part(place, net + 2, false) + 1;
  if (!tokens.is_net(net) || (place.position != behind && place.position > net + 1)) return "";
  if (!number.empty()) return array_of_nets(place, number, tokens.text(net, behind));
  if (tokens.is(behind, Grammar::FOR)) {
    number = number_of_range(place, behind);
  } else if (tokens.is(behind, Grammar::RIGHT_BRACKET) && tokens.is(behind + 1, Grammar::STAR)) {
    number = tokens[behind + 2].text;
  } else if (const auto all = parts_inside(place, list); all.size() > 1) {
    const bool equal = std::ranges::all_of(all, [&](const auto& each) { return each == all.front(); });
    number = equal ? std::to_string(all.size()) : "";
  }
  return number.empty() ? "" : array_of_nets(place, number, tokens.text(net, behind));
}

}  // namespace

std::string fix_of_array_of_nets(const Place& place) {
  if (!place.open.empty()) return fix_of_list(place);
  const Written tokens(place);
  const std::size_t at = place.position, sign = place.chunk.first + 1, last = place.chunk.last;
  if (at < sign + 1) return "";
  if (place.equals) {  // `blocks = [3] Block(8)`
    const bool number = at == sign + 4 && tokens.opens_list(sign + 1) && tokens.is(sign + 2, Grammar::NUMBER);
    return number && tokens.is_net(at) ? array_of_nets(place, tokens[sign + 2].text, tokens.text(at, last))
                                       : "";
  }
  if (!tokens.is(sign, Grammar::COLON)) return "";
  if (at == sign + 1 && tokens.is(at, Grammar::NUMBER) && tokens.is(at + 1, Grammar::STAR) &&
      tokens.is(at + 2, Grammar::NAME))
    return array_of_nets(place, tokens[at].text, tokens.text(at + 2, last));
  if (!tokens.is(at - 1, Grammar::RIGHT_PARENTHESIS)) return "";
  const bool times = tokens[at].text == "x" && tokens.is(at + 1, Grammar::NUMBER);
  if (!tokens.opens_list(at) && !times) return "";
  if (times) return array_of_nets(place, tokens[at + 1].text, tokens.text(sign + 1, at));
  const std::string number = tokens.text(at + 1, end_of_part(place, at + 1, false));
  return array_of_nets(place, number, tokens.text(sign + 1, at));
}

}  // namespace frontend::syntax
