// The meaning of a name in a file: the file's own names come first, then those of imported files, then `nn`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// The functions of that name that a call in the scope may mean; `qualifier` is the file in `file.name`, or
/// empty. Reports a name that two imported files have. Empty if there are none.
struct FoundFunctions {
  std::vector<Function*> candidates;
  bool reported = false;
};
FoundFunctions find_functions(Scope& scope, std::string_view qualifier, const std::string& name,
                              Location location, dlvm::Diagnostics& diagnostics);

/// Returns a net of that name of the file or of one that it imports, or null.
const Net* known_net(const Scope& scope, const std::string& name);

/// Returns the net of an instance that is declared in the scope, or in the net `outer`, none of whose
/// parameters it names. Null, with a report, where no net has the name or two imported files have one.
Net* find_net(Scope& scope, const ast::NetInstance& instance, const Net* outer,
              dlvm::Diagnostics& diagnostics);
/// Returns the net that `value` names, `Linear` or `layers.Linear`, which is given to a parameter that is a
/// net, inside of the net `outer` or of none. A dimension of `outer`, or of this file where an imported one
/// has the net, hides a net of its name. Null, with a report, where there is no such net.
Net* named_net(const ast::Name& parameter, const ast::Extent& value, Scope& scope, const Net* outer,
               dlvm::Diagnostics& diagnostics);

/// The imported constant of that name; reports a clash.
struct FoundValue {
  Declaration* value = nullptr;
  bool reported = false;
};
FoundValue find_imported_value(Scope& scope, const std::string& name, Location location,
                               dlvm::Diagnostics& diagnostics);
/// The dimension of that name that imported files declare; reports two that do not have one value.
struct FoundDimension {
  Dimension* dimension = nullptr;
  bool reported = false;
};
FoundDimension find_imported_dimension(Scope& scope, const std::string& name, Location location,
                                       dlvm::Diagnostics& diagnostics);
Scope* find_import(const Scope& scope, std::string_view name);
/// Returns how the file comes to know the module of the library: by an import, or, where a file of the same
/// name is imported in its place, by another name of that.
std::string advice_on_import(const Scope& scope, std::string_view module);

/// Returns every name that an expression in the scope may use, for suggestions.
std::vector<std::string_view> visible_values(const Scope& scope);
std::vector<std::string_view> visible_functions(const Scope& scope);

}  // namespace frontend::check
