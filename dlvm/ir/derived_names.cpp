#include "dlvm/ir/derived_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "dlvm/ir/dimension_names.h"

namespace dlvm {
namespace {

constexpr std::string_view caller = ".called";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t digits_at_front(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

/// Takes the number of a name that was not free, as in `.called.1`, from its end.
std::string_view without_number(std::string_view name) {
  const auto last = std::ranges::find_if_not(name.rbegin(), name.rend(), is_digit);
  const auto digits = static_cast<std::size_t>(last - name.rbegin());
  return digits > 0 && last != name.rend() && *last == '.' ? name.substr(0, name.size() - digits - 1) : name;
}

/// Returns what all dimensions of `name_after` begin with.
std::string stem(std::string_view function) {
  std::string name(function);
  for (const std::string_view derived :
       {std::string_view(".numbered"), std::string_view(".adjoint"), std::string_view(".tangent"), caller,
        std::string_view(".with_state")})
    if (const auto at = name.find(derived); at != 0 && at != std::string::npos) name.erase(at);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return (is_digit(name[0]) ? "f" : "") + name;
}

/// Takes names of dimensions, each with its extent, from the front of `text`, as `shape_specialization`
/// writes them: those that begin with `_` have no name there. Returns how much of it was taken.
std::size_t extents_at_front(std::string_view text, const std::set<std::string>& dimensions) {
  std::size_t taken = digits_at_front(text);
  for (const std::string& dimension : dimensions) {
    const std::string_view rest = text.substr(taken);
    if (dimension.starts_with('_') || !rest.starts_with(dimension)) continue;
    const std::size_t digits = digits_at_front(rest.substr(dimension.size()));
    if (digits > 0) taken += dimension.size() + digits;
  }
  return taken;
}

/// Returns whether a copy of a function with these dimensions may have such an ending.
bool is_of_copies(std::string_view ending, const std::set<std::string>& dimensions) {
  while (!ending.empty()) {
    if (ending[0] != '_') return false;
    ending.remove_prefix(1);
    std::size_t taken = extents_at_front(ending, dimensions);
    for (const std::string_view word : {"segment", "segmented"})
      if (ending.starts_with(word)) taken = std::max(taken, word.size());
    if (taken == 0) return false;
    ending.remove_prefix(taken);
  }
  return true;
}

}  // namespace

std::string name_of_caller(std::string_view name) { return std::string(name) + std::string(caller); }

std::string_view name_in_messages(std::string_view name) {
  const std::string_view plain = without_number(name);
  if (plain.size() <= caller.size() || !plain.ends_with(caller)) return name;
  return plain.substr(0, plain.size() - caller.size());
}

std::string name_after(const Function& function, std::string_view word) {
  return stem(function.name()) + "_" + std::string(word);
}

bool is_bound_of_lowering(std::string_view name, const Module& module) {
  for (const std::string_view word : {"_depth", "_steps", "_nodes", "_values"}) {
    if (!name.ends_with(word)) continue;
    const std::string_view of = name.substr(0, name.size() - word.size());
    return std::ranges::any_of(module.functions(), [&](const auto& function) {
      const std::string begin = stem(function->name());
      return of.starts_with(begin) && is_of_copies(of.substr(begin.size()), dimension_names(*function));
    });
  }
  return false;
}

std::string meaning_of_bound(std::string_view name) {
  const std::string_view of = name.substr(0, name.rfind('_'));
  if (name.ends_with("_depth")) return fmt::format("how many calls of '{}' may be open at once", of);
  if (name.ends_with("_steps"))
    return fmt::format("how many rounds of loops, or calls, '{}' has at most", of);
  if (name.ends_with("_nodes")) return fmt::format("how many nodes '{}' makes at most", of);
  if (name.ends_with("_values"))
    return fmt::format("how many values memory that '{}' allocates has at most", of);
  return "";
}

}  // namespace dlvm
