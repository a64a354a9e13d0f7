#include "dlvm/verify/verify.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unordered_set>

#include "dlvm/analysis/function_values.h"
#include "dlvm/ir/tensor_size.h"
#include "dlvm/verify/checks.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm {
namespace verification {

bool is_valid(const Extent& extent) { return extent.valid(); }

bool is_valid(const Type& type) {
  if (type.is_tensor())
    return std::ranges::all_of(type.shape(), [](const Extent& extent) { return is_valid(extent); }) &&
           has_countable_bytes(type);
  return std::ranges::all_of(type.parts(), [](const Type& part) { return is_valid(part); });
}

namespace {

/// Whether a parameter or the result of a function is, or holds, a function.
bool passes_functions(const Type& type) {
  return type.kind() == Type::Kind::function &&
         (std::ranges::any_of(type.parameters(), holds_function) || holds_function(type.result()));
}

void check_functions(const Context& context) {
  std::unordered_set<std::string_view> names;
  for (const auto& function : context.module.functions()) {
    const auto report = [&](const std::string& reason) {
      context.diagnostics.report(bad_function, function->place(), function->name(), reason);
    };
    if (function->name().empty()) report("a function without a name");
    if (!names.insert(function->name()).second) report("another function has the name");
    if (function->type().kind() != Type::Kind::function)
      report("its type is " + function->type().text());
    else if (!is_valid(function->type()))
      report("an extent or the size of its type overflows");
    if (function->has_body() && function->gradient) report("a body and a gradient declaration");
    if (!function->has_body() && !function->gradient && passes_functions(function->type()))
      report("an external function takes and returns no functions");
    for (const Requirement& requirement : function->requirements)
      if (!requirement.left.valid() || !requirement.right.valid())
        context.diagnostics.report(bad_requirement, requirement.location, function->name(), requirement.text,
                                   "an extent overflows");
  }
}

void check_types(const Context& context) {
  const auto check = [&](const std::string& owner, const Type& type, Location location) {
    std::set<std::string> names;
    type.collect_names(names);
    if (!names.empty())
      context.diagnostics.report(bad_type, location, owner,
                                 fmt::format("the extents of {} are no numbers", type.text()));
  };
  for (const auto& declaration : context.module.types())
    for (const TypeDeclaration::Member& member : declaration->members)
      for (const Type& type : member.types) check("$" + declaration->name, type, declaration->location);
  for (const auto& global : context.module.globals())
    check("@" + global->name, global->type, global->location);
}

}  // namespace
}  // namespace verification

bool verify(const Module& module, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  verification::Context context{module, diagnostics, {}, {}};
  for (const auto& global : module.globals()) context.globals.insert(global.get());
  for (const auto& function : module.functions()) context.functions.insert(function.get());
  verification::check_types(context);
  verification::check_functions(context);
  // The checks that follow rely on function types.
  if (diagnostics.error_count() > errors) return false;
  for (const auto& function : module.functions()) verification::check_body(context, *function);
  verification::check_gradients(context);
  verification::check_derivatives(context);
  verification::check_interface(context);
  return diagnostics.error_count() == errors;
}

bool verifies_each() {
#ifdef NDEBUG
  const char* text = std::getenv("TELC_VERIFY_EACH");
  return text != nullptr && *text != '\0';
#else
  return true;
#endif
}

}  // namespace dlvm
