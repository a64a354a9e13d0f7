#include "frontend/check/functions/call_bounds.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace frontend::check {
namespace {

/// Without the number that tells apart the functions of one name: `g` for `g_1`.
std::string_view without_number(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool numbered = last != std::string_view::npos && last + 1 < name.size() && name[last] == '_';
  return numbered ? name.substr(0, last) : name;
}

bool is_entry_point(const Program& program, std::string_view name) {
  const auto& gradients = program.main().syntax->gradients;
  return name == "forward" || name == "evaluate" || name == "gradient" || name == "step" ||
         std::ranges::any_of(gradients, [&](const ast::Gradient& each) { return each.name.text == name; });
}

/// `apply` of the net `Pow` is `Pow_apply` there.
bool is_function_of_net(const Program& program, std::string_view name) {
  return std::ranges::any_of(program.nets, [&](const Net& net) {
    const std::string prefix = net.name() + "_";
    return name.starts_with(prefix) && net.functions.contains(name.substr(prefix.size()));
  });
}

bool is_function(const Program& program, std::string_view name) {
  return is_entry_point(program, name) || is_function_of_net(program, name) ||
         std::ranges::any_of(program.scopes,
                             [&](const Scope& scope) { return scope.functions.contains(name); });
}

/// Whether lowering makes a function of that name: one of the program, or one that is made of such a function
/// for its derivative or for a gradient in it, as often as these are nested.
bool is_made_of(const Program& program, std::string_view name) {
  if (is_function(program, name) || is_function(program, without_number(name))) return true;
  const std::string_view plain = without_number(name);
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"_primal", "_differentiated", "_gradient"},
      [&](std::string_view part) {
        return plain.ends_with(part) && is_made_of(program, plain.substr(0, plain.size() - part.size()));
      });
}

}  // namespace

bool is_call_bound(const Program& program, std::string_view name) {
  for (const std::string_view ending : {"_depth", "_steps", "_nodes", "_values"})
    if (name.ends_with(ending) && is_made_of(program, name.substr(0, name.size() - ending.size())))
      return true;
  return false;
}

}  // namespace frontend::check
