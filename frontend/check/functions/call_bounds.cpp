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
  return name == "forward" || name == "evaluate" || name == "gradient" ||
         std::ranges::any_of(gradients, [&](const ast::Gradient& each) { return each.name.text == name; });
}

}  // namespace

bool is_call_bound(const Program& program, std::string_view name) {
  for (const std::string_view ending : {"_depth", "_steps", "_nodes"}) {
    if (!name.ends_with(ending)) continue;
    std::string_view of = name.substr(0, name.size() - ending.size());
    if (of.ends_with("_primal"))
      of.remove_suffix(std::string_view("_primal").size());  // what is differentiated
    if (is_entry_point(program, of) || std::ranges::any_of(program.scopes, [&](const Scope& scope) {
          return scope.functions.contains(of) || scope.functions.contains(without_number(of));
        }))
      return true;
  }
  return false;
}

}  // namespace frontend::check
