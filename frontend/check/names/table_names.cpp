#include "frontend/check/names/table_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/check/declarations/declared_types.h"

namespace frontend::check {
namespace {

/// A value of more parts is refused.
constexpr std::size_t most_parts = 256;

/// Looks at types as they are written, because nothing has been checked yet.
class TableNames {
 public:
  explicit TableNames(Program& program) : program_(program), main_(program.main()) {}

  void declare() {
    declare(main_.syntax->declarations);
    declare(main_.syntax->recurrences);
  }

 private:
  using Types = std::vector<const DeclaredType*>;

  void declare(const std::vector<ast::Recurrence>& blocks) {
    for (const ast::Recurrence& block : blocks) {
      declare(block.declarations);
      declare(block.recurrences);
    }
  }

  void declare(const std::vector<ast::Declaration>& declarations) {
    for (const ast::Declaration& each : declarations) {
      if (each.role != ast::Role::in || !each.type.declared) continue;
      const DeclaredType* type = named(main_, *each.type.declared);
      for (const ast::Name& name : each.names) {
        parts_ = 0;
        add(type, name.text, name.location, {});
      }
    }
  }

  /// The type of that name; null where there is none, which is reported elsewhere.
  static const DeclaredType* named(const Scope& scope, const ast::TypeName& name) {
    dlvm::Diagnostics reported;
    return find_type(scope, name, reported);
  }

  static Types types_in(const DeclaredType& type) {
    Types all;
    for (const ast::TypeDeclaration::Member& member : type.syntax->members)
      for (const ast::Type& each : member.types)
        if (each.declared)
          if (const DeclaredType* inner = named(*type.scope, *each.declared)) all.push_back(inner);
    return all;
  }

  static bool holds_itself(const DeclaredType& type) {
    std::set<const DeclaredType*> seen;
    Types open{&type};
    while (!open.empty()) {
      const DeclaredType& each = *open.back();
      open.pop_back();
      for (const DeclaredType* inner : types_in(each)) {
        if (inner == &type) return !type.is_structure();
        if (seen.insert(inner).second) open.push_back(inner);
      }
    }
    return false;
  }

  /// The dimensions of the tables in a value of the type, which has this name. `around` are the types that
  /// hold it.
  void add(const DeclaredType* type, const std::string& name, Location location, Types around) {
    if (type == nullptr || std::ranges::find(around, type) != around.end() || ++parts_ > most_parts) return;
    around.push_back(type);
    const bool are_tables = holds_itself(*type);
    if (are_tables) add(name, "", location);
    for (const ast::TypeDeclaration::Member& member : type->syntax->members) {
      if (are_tables && !member.types.empty()) add(name, member.name.text, location);
      for (std::size_t i = 0; !are_tables && i < member.types.size(); ++i) {
        if (!member.types[i].declared) continue;
        const std::string part = type->is_structure() ? fmt::format("{}.{}", name, member.name.text)
                                                      : fmt::format("{}.{}_{}", name, member.name.text, i);
        add(named(*type->scope, *member.types[i].declared), part, location, around);
      }
    }
  }

  void add(const std::string& name, const std::string& of_case, Location location) {
    std::string& dimension = program_.dimensions_of_tables[name + "." + of_case];
    if (!dimension.empty()) return;  // the value is declared twice, which is reported elsewhere
    std::string wanted = name + (of_case.empty() ? "" : "_" + of_case) + "_count";
    std::ranges::replace(wanted, '.', '_');
    dimension = wanted;
    for (int i = 0; main_.dimensions.contains(dimension) || main_.values.contains(dimension);)
      dimension = fmt::format("{}_{}", wanted, ++i);
    main_.dimensions[dimension] = {Extent::dimension(dimension), location, false, std::nullopt, true};
  }

  Program& program_;
  Scope& main_;
  std::size_t parts_ = 0;  ///< of the value at hand, those that are structs and enums
};

}  // namespace

void declare_dimensions_of_tables(Program& program) { TableNames(program).declare(); }

}  // namespace frontend::check
