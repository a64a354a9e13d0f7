// The names of functions, and the dimensions that their signatures name.
#include "frontend/check/names/function_names.h"

#include <algorithm>
#include <set>

#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/types/dimensions.h"

namespace frontend::check {
namespace {

bool is_declared_dimension(Scope& scope, const std::string& name) {
  const auto scopes = scope.visible();
  return std::any_of(scopes.begin(), scopes.end(), [&](const Scope* where) {
    const auto found = where->dimensions.find(name);
    return found != where->dimensions.end() && found->second.declared;
  });
}

/// Enters the generic dimensions of the function. Returns false after a mistake in its signature.
bool read_signature(Scope& scope, Function& function, dlvm::Diagnostics& diagnostics) {
  std::set<std::string_view> seen;
  bool fine = true;
  const auto read_name = [&](const std::string& name, Location location, bool result) {
    if (is_declared_dimension(scope, name)) return;
    if (function.net != nullptr && function.net->has_dimension(name)) return;
    if (std::ranges::find(function.generic, name) != function.generic.end()) return;
    if (result) {
      diagnostics.report(undetermined_dimension, location, name, function.syntax->name.text);
      fine = false;
    } else {
      function.generic.push_back(name);
    }
  };
  const auto read = [&](const ast::Type& type, bool result) {
    if (type.declared) {
      if (find_type(scope, *type.declared, diagnostics) == nullptr) fine = false;
      for (const OpenDimension& each : open_dimensions(scope, *type.declared))
        read_name(each.name, type.declared->name.location, result);
    }
    if (!type.shape) return;
    std::size_t rests = 0;
    for (const ast::Extent& extent : type.shape->extents) {
      if (extent.kind == ast::Extent::Kind::rest) {
        const bool known = function.rest == extent.text;
        if (++rests > 1 || (!function.rest.empty() && !known) || (result && !known)) {
          diagnostics.report(misplaced_rest, extent.location, extent.text);
          fine = false;
        }
        function.rest = extent.text;
      }
      for_each_name(extent, [&](const ast::Extent& name) { read_name(name.text, name.location, result); });
    }
  };
  for (const ast::Parameter& parameter : function.syntax->parameters) {
    if (!seen.insert(parameter.name.text).second) {
      const auto first = std::find_if(function.syntax->parameters.begin(), function.syntax->parameters.end(),
                                      [&](const auto& p) { return p.name.text == parameter.name.text; });
      report_declared_twice(parameter.name, first->name.location, diagnostics);
      fine = false;
    }
    read(parameter.type, false);
  }
  for (const ast::Type& result : function.syntax->results) read(result, true);
  return fine;
}

void declare(Program& program, Scope& scope, const std::vector<ast::Function>& all, FunctionNames& functions,
             Net* net, dlvm::Diagnostics& diagnostics) {
  for (const ast::Function& syntax : all) {
    Function function;
    function.syntax = &syntax;
    function.scope = &scope;
    function.net = net;
    function.defined = scope.library;
    if (!read_signature(scope, function, diagnostics)) function.failed = function.defined = true;
    auto& overloads = functions[syntax.name.text];
    const auto clash = std::find_if(overloads.begin(), overloads.end(),
                                    [&](const Function* other) { return overlap(*other->syntax, syntax); });
    if (clash != overloads.end()) {
      diagnostics.report(overlapping_signatures, syntax.name.location, syntax.name.text)
          .note((*clash)->syntax->name.location, signature(*(*clash)->syntax))
          .note(syntax.name.location, signature(syntax));
      continue;
    }
    overloads.push_back(&program.functions.emplace_back(std::move(function)));
  }
}

}  // namespace

void declare_functions(Program& program, dlvm::Diagnostics& diagnostics) {
  for (Scope& scope : program.scopes)
    declare(program, scope, scope.syntax->functions, scope.functions, nullptr, diagnostics);
  for (Net& net : program.nets)
    declare(program, *net.scope, net.syntax->functions, net.functions, &net, diagnostics);
}

}  // namespace frontend::check
