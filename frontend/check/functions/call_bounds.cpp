#include "frontend/check/functions/call_bounds.h"

#include <algorithm>
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

}  // namespace

bool is_call_bound(const Program& program, std::string_view name) {
  for (const std::string_view ending : {"_depth", "_steps", "_nodes"}) {
    if (!name.ends_with(ending)) continue;
    std::string_view of = name.substr(0, name.size() - ending.size());
    if (of.ends_with("_primal"))
      of.remove_suffix(std::string_view("_primal").size());  // what is differentiated
    if (is_entry_point(program, of) || is_function_of_net(program, of) ||
        is_function_of_net(program, without_number(of)) ||
        std::ranges::any_of(program.scopes, [&](const Scope& scope) {
          return scope.functions.contains(of) || scope.functions.contains(without_number(of));
        }))
      return true;
  }
  return false;
}

}  // namespace frontend::check
