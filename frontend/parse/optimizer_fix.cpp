#include "frontend/parse/optimizer_fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "frontend/parse/grammar.h"
#include "frontend/parse/place_text.h"
#include "frontend/python/translate.h"

namespace frontend::syntax {
namespace {

/// Returns the optimizer of TEL that the name means, as libraries of Python write it; empty for others.
std::string optimizer_of(std::string_view name) {
  constexpr std::array<std::string_view, 7> optimizers{"adam",    "adamw",   "sgd", "momentum",
                                                       "rmsprop", "adagrad", "lion"};
  std::string lower(name.substr(name.rfind('.') + 1));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(optimizers, lower) != optimizers.end() ? lower : "";
}

/// An argument of an optimizer: `lr=0.1`, `rate: 0.1`, or a rate alone, which has no name.
struct OptimizerArgument {
  std::string_view name, value;
  bool assigned = false;  ///< it is written as in Python

  explicit OptimizerArgument(std::string_view part) : value(part) {
    const std::size_t sign = part.find_first_of(":=([");
    if (sign == std::string_view::npos || part[sign] == '(' || part[sign] == '[') return;
    assigned = part[sign] == '=';
    name = part.substr(0, sign);
    value = part.substr(sign + 1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    if (name == "lr" || name == "learning_rate") name = "rate";
  }
};

/// Returns the call of the optimizer in TEL; its arguments are `parts`.
std::string optimizer_call(std::string_view optimizer, std::span<const std::string> parts) {
  std::string python, tel;
  bool assigned = false;
  for (const std::string& part : parts) {
    const OptimizerArgument argument(part);
    const std::string_view name = argument.name.empty() ? "rate" : argument.name;
    python += fmt::format("{}{}={}", python.empty() ? "" : ", ", name, argument.value);
    tel += fmt::format("{}{}: {}", tel.empty() ? "" : ", ", name, argument.value);
    assigned = assigned || argument.assigned;
  }
  std::string call = assigned ? python::optimizer(fmt::format("{}({})", optimizer, python)) : "";
  return call.empty() ? fmt::format("{}({})", optimizer, tel.empty() ? "rate: 0.001" : tel) : call;
}

/// Returns the call of the optimizer that stands among the arguments of `optimize(L, adam, rate: 0.1)`, with
/// those behind it; that of adam where there are arguments with names alone. Empty where there are none.
std::string optimizer_among(const Place& place, std::span<const std::string> parts) {
  const auto is_own = [&](std::string_view name) {
    for (std::size_t i = 0; i + 1 < place.code.size(); ++i)
      if (place.code[i].kind == Grammar::FUNC && place.code[i + 1].text == name) return true;
    return false;
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string known = optimizer_of(parts[i]);
    if (!known.empty() || is_own(parts[i]))
      return optimizer_call(known.empty() ? parts[i] : known, parts.subspan(i + 1));
  }
  const auto named = std::ranges::find_if(
      parts, [](const std::string& part) { return !OptimizerArgument(part).name.empty(); });
  return named == parts.end() ? "" : optimizer_call("adam", {named, parts.end()});
}

}  // namespace

std::string fix_of_optimize(const Place& place) {
  const auto is_call = [&](std::size_t i) {
    return place.code[i].kind == Grammar::NAME && place.code[i + 1].kind == Grammar::LEFT_PARENTHESIS;
  };
  const std::size_t first = place.chunk.first + 1, last = place.chunk.last;
  if (first < last && place.code[first].kind == Grammar::LEFT_PARENTHESIS)
    if (const std::string call = optimizer_among(place, parts_inside(place, first)); !call.empty())
      return "optimize with " + call;
  std::size_t name = first;
  while (name + 1 < last && !is_call(name)) ++name;
  if (name + 1 < last) {
    const std::string optimizer = optimizer_of(place.code[name].text);
    const auto parts = parts_inside(place, name + 1);
    if (std::ranges::any_of(parts, [](const auto& part) { return OptimizerArgument(part).assigned; }))
      return "optimize with " + optimizer_call(optimizer.empty() ? place.code[name].text : optimizer, parts);
    const std::size_t end = end_of_part(place, name + 2, false);
    return fmt::format("optimize with {}", text_between(place, name, std::min(end + 1, last)));
  }
  for (std::size_t i = first; i < last; ++i)
    if (const std::string optimizer = optimizer_of(place.code[i].text); !optimizer.empty())
      return fmt::format("optimize with {}(rate: 0.001)", optimizer);
  return "optimize with adam(rate: 0.001)";
}

}  // namespace frontend::syntax
