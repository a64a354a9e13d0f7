#include "frontend/check/declarations/declared_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "dlvm/support/suggest.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/sizes.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Where the file declares something else of that name: a value, a dimension, a net or a function.
std::optional<Location> other_declaration(const Scope& scope, const std::string& name) {
  if (const auto value = scope.values.find(name); value != scope.values.end()) return value->second->location;
  if (const auto each = scope.dimensions.find(name); each != scope.dimensions.end() && each->second.declared)
    return each->second.location;
  for (const ast::Net& net : scope.syntax->nets)
    if (net.name.text == name) return net.name.location;
  for (const ast::NetInstance& instance : scope.syntax->instances)
    for (const ast::Name& each : instance.names)
      if (each.text == name) return each.location;
  for (const ast::Function& function : scope.syntax->functions)
    if (function.name.text == name) return function.name.location;
  return std::nullopt;
}

/// Reports members of one name, and a type without any.
bool check_member_names(const ast::TypeDeclaration& type, dlvm::Diagnostics& diagnostics) {
  const bool structure = type.kind == ast::TypeDeclaration::Kind::structure;
  if (type.members.empty()) {
    diagnostics.report(empty_type, type.name.location, ast::spelling(type.kind), type.name.text,
                       structure ? "fields" : "cases");
    return false;
  }
  bool fine = true;
  for (auto each = type.members.begin(); each != type.members.end(); ++each) {
    const auto first = std::find_if(type.members.begin(), each,
                                    [&](const auto& other) { return other.name.text == each->name.text; });
    if (first == each) continue;
    report_declared_twice(each->name, first->name.location, diagnostics);
    fine = false;
  }
  return fine;
}

/// Completes the types of one program.
class Completion {
 public:
  Completion(Checker& checker, dlvm::Diagnostics& diagnostics)
      : checker_(checker), diagnostics_(diagnostics) {}

  void complete(DeclaredType& type) {
    for (const ast::TypeDeclaration::Member& written : type.syntax->members) {
      DeclaredType::Member member{written.name.text, written.name.location, {}};
      for (const ast::Type& each : written.types)
        if (auto known = type_of(type, each))
          member.types.push_back(std::move(*known));
        else
          type.failed = true;
      type.members.push_back(std::move(member));
    }
  }

 private:
  std::optional<Type> type_of(DeclaredType& type, const ast::Type& written) {
    if (written.declared) {
      DeclaredType* inner = find_type(*type.scope, *written.declared, diagnostics_);
      if (inner == nullptr) return std::nullopt;
      return Type{{}, {}, inner};
    }
    Type tensor{written.element ? element_of(*written.element) : type.scope->element(), {}, nullptr};
    if (!written.shape) return tensor;
    for (const ast::Extent& extent : written.shape->extents) {
      const auto known = extent_of(type, extent);
      if (!known) return std::nullopt;
      tensor.shape.push_back(*known);
    }
    if (!check_size(tensor, written.location, diagnostics_)) return std::nullopt;
    return tensor;
  }

  std::optional<Extent> extent_of(DeclaredType& type, const ast::Extent& written) {
    std::optional<Location> unnamed;
    for_each_part(written, [&](const ast::Extent& part) {
      using Kind = ast::Extent::Kind;
      if ((part.kind == Kind::unknown || part.kind == Kind::rest) && !unnamed) unnamed = part.location;
    });
    if (unnamed) {
      diagnostics_.report(extent_without_name, *unnamed, quoted(*unnamed, "?"), type.name)
          .fix(type.is_structure() ? "give it a name: each value of the struct has its own extent for it"
                                   : "give it a number, or a dimension with a value");
      return std::nullopt;
    }
    // What nothing declares is a dimension of the struct.
    const auto lookup = [&](const ast::Extent& name) {
      const auto own = type.scope->dimensions.find(name.text);
      const bool declared = (own != type.scope->dimensions.end() && own->second.declared) ||
                            checker_.is_imported_dimension(*type.scope, name.text);
      if (!declared && !type.scope->values.contains(name.text))
        return std::optional(Extent::dimension(name.text));
      return checker_.dimension(*type.scope, name.text, name.location, false, diagnostics_);
    };
    const auto extent = evaluate_extent(written, lookup, diagnostics_);
    const auto value = extent ? extent->constant() : std::nullopt;
    if (!value || *value >= 1) return extent;
    diagnostics_.report(extent_not_positive, written.location, *value);
    return std::nullopt;
  }

  template <typename Visit>
  static void for_each_part(const ast::Extent& extent, const Visit& visit) {
    visit(extent);
    for (const ast::Extent& operand : extent.operands) for_each_part(operand, visit);
  }

  Checker& checker_;
  dlvm::Diagnostics& diagnostics_;
};

/// Reports the types that have no finite value.
void report_endless(Program& program, dlvm::Diagnostics& diagnostics) {
  std::set<const DeclaredType*> finite;
  const auto is_finite = [&](const Type& type) { return type.is_tensor() || finite.contains(type.declared); };
  const auto has_value = [&](const DeclaredType& type) {
    const auto all = [&](const auto& member) { return std::ranges::all_of(member.types, is_finite); };
    return type.failed || (type.is_structure() ? std::ranges::all_of(type.members, all)
                                               : std::ranges::any_of(type.members, all));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const DeclaredType& type : program.types)
      if (!finite.contains(&type) && has_value(type)) changed = finite.insert(&type).second;
  }
  for (DeclaredType& type : program.types) {
    if (finite.contains(&type)) continue;
    type.failed = true;
    diagnostics.report(endless_type, type.syntax->name.location, type.name)
        .fix("an enum with a case that holds no other value: enum List { end  item([], List) }");
  }
}

std::vector<std::string_view> visible_types(const Scope& scope) {
  std::vector<std::string_view> names;
  for (const auto& [name, type] : scope.types) names.push_back(name);
  for (const Scope* import : scope.imports)
    for (const auto& [name, type] : import->types) names.push_back(name);
  return names;
}

DeclaredType* type_in(const Scope& scope, std::string_view name) {
  const auto found = scope.types.find(name);
  return found == scope.types.end() ? nullptr : found->second;
}

}  // namespace

std::optional<std::size_t> DeclaredType::find(std::string_view member) const {
  const auto& all = syntax->members;
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.name.text == member; });
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

void declare_types(Program& program, dlvm::Diagnostics& diagnostics) {
  for (Scope& scope : program.scopes)
    for (const ast::TypeDeclaration& syntax : scope.syntax->types) {
      const std::string& name = syntax.name.text;
      if (const DeclaredType* before = type_in(scope, name)) {
        report_declared_twice(syntax.name, before->syntax->name.location, diagnostics);
        continue;
      }
      if (const auto before = other_declaration(scope, name)) {
        report_declared_twice(syntax.name, *before, diagnostics);
        continue;
      }
      DeclaredType& type = program.types.emplace_back();
      type.name = scope.main ? name : scope.name + "." + name;
      type.syntax = &syntax;
      type.scope = &scope;
      type.failed = !check_member_names(syntax, diagnostics);
      scope.types[name] = &type;
    }
}

void complete_types(Program& program, Checker& checker, dlvm::Diagnostics& diagnostics) {
  Completion completion(checker, diagnostics);
  for (DeclaredType& type : program.types) completion.complete(type);
  report_endless(program, diagnostics);
}

DeclaredType* find_type(const Scope& scope, std::string_view name) {
  if (DeclaredType* own = type_in(scope, name)) return own;
  for (const Scope* import : scope.imports)
    if (DeclaredType* found = type_in(*import, name)) return found;
  return nullptr;
}

DeclaredType* find_type(const Scope& scope, const ast::TypeName& written, dlvm::Diagnostics& diagnostics) {
  const std::string& name = written.name.text;
  const Scope* where = &scope;
  if (written.file) {
    where = find_import(scope, written.file->text);
    if (where == nullptr) {
      diagnostics.report(unknown_file, written.file->location, written.file->text)
          .fix(fmt::format("import it: import {}", written.file->text));
      return nullptr;
    }
  } else if (type_in(scope, name) == nullptr) {
    std::vector<const Scope*> having;
    for (const Scope* import : scope.imports)
      if (type_in(*import, name) != nullptr) having.push_back(import);
    if (having.size() > 1) {
      diagnostics.report(ambiguous_import, written.name.location, having[0]->name, having[1]->name, name)
          .fix(fmt::format("write {0}.{2} or {1}.{2}", having[0]->name, having[1]->name, name));
      return nullptr;
    }
  }
  DeclaredType* found = written.file ? type_in(*where, name) : find_type(scope, name);
  if (found != nullptr) {
    found->used = true;
    return found;
  }
  auto& report = diagnostics.report(unknown_type, written.name.location, ast::spelling(written));
  constexpr std::array<std::string_view, 10> elements = {
      "bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64"};
  std::vector<std::string_view> candidates = visible_types(*where);
  if (!written.file) candidates.insert(candidates.end(), elements.begin(), elements.end());
  if (const auto near = dlvm::closest(name, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  return nullptr;
}

std::string_view kind_of(const DeclaredType& type) { return type.is_structure() ? "a struct" : "an enum"; }

std::string example(const DeclaredType& type, std::size_t member) {
  std::string text = type.name;
  if (!type.is_structure()) {
    const auto& written = type.syntax->members[member];
    text += "." + written.name.text;
    for (std::size_t i = 0; i < written.types.size(); ++i) text += i == 0 ? "(..." : ", ...";
    return text + (written.types.empty() ? "" : ")");
  }
  for (const auto& field : type.syntax->members)
    text += fmt::format("{}{}: ...", &field == &type.syntax->members.front() ? "(" : ", ", field.name.text);
  return text + ")";
}

}  // namespace frontend::check
