#include "frontend/check/declarations/open_dimensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The extent that `dim` gives the name in the file; the dimension itself where nothing declares it.
Extent declared_extent(const Scope& scope, const std::string& name) {
  for (const Scope* where : const_cast<Scope&>(scope).visible())
    if (const auto found = where->dimensions.find(name);
        found != where->dimensions.end() && found->second.declared)
      return found->second.extent;
  return Extent::dimension(name);
}

/// Collects the dimensions of fields as they are written.
class Written {
 public:
  void add(const Scope& scope, const ast::TypeName& written) {
    dlvm::Diagnostics ignored;
    const DeclaredType* type = find_type(scope, written, ignored);
    if (type == nullptr || !seen_.insert(type).second) return;
    for (const ast::TypeDeclaration::Member& member : type->syntax->members)
      for (const ast::Type& each : member.types) {
        if (each.declared) add(*type->scope, *each.declared);
        if (!each.shape) continue;
        for (const ast::Extent& extent : each.shape->extents)
          for_each_name(extent, [&](const ast::Extent& name) { add(*type->scope, name); });
      }
  }

  std::vector<OpenDimension> all;

 private:
  void add(const Scope& scope, const ast::Extent& written) {
    std::set<std::string> names;
    declared_extent(scope, written.text).collect_names(names);
    for (const std::string& name : names)
      if (std::ranges::find(all, name, &OpenDimension::name) == all.end()) all.push_back({name, &written});
  }

  std::set<const DeclaredType*> seen_;
};

/// The dimensions of a type, each once, in order.
void append_dimensions(const Type& type, std::vector<std::string>& names) {
  std::set<std::string> own;
  if (type.is_tensor())
    for (const Extent& extent : type.shape) extent.collect_names(own);
  else
    own.insert(type.declared->dimensions.begin(), type.declared->dimensions.end());
  for (const std::string& name : own)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void report_payload(const DeclaredType& type, const ast::Type& written, const Type& payload,
                    dlvm::Diagnostics& diagnostics) {
  std::vector<std::string> names;
  append_dimensions(payload, names);
  auto& report =
      diagnostics.report(extent_of_type, written.location, spelling(Extent::dimension(names[0])), type.name);
  if (!payload.is_tensor())
    report.note(payload.declared->syntax->name.location,
                fmt::format("'{}' is declared here", payload.declared->name));
  report.fix(fmt::format("give the dimension a value, dim {0} = 8, or compile with -D {0}=8", names[0]));
}

/// Gives `name` the extent with which the pattern is `actual`, where the pattern is linear in it and has no
/// other dimension without one.
void bind(const Extent& pattern, const Extent& actual, bool alone, Extent::Substitution& known) {
  std::set<std::string> names;
  pattern.collect_names(names);
  std::erase_if(names, [&](const std::string& name) { return known.contains(name); });
  if (names.size() != 1) return;
  const std::string& name = *names.begin();
  const auto at = [&](const Extent& value) {
    Extent::Substitution values = known;
    values.insert_or_assign(name, value);
    return pattern.substitute(values);
  };
  const Extent zero = at(Extent(0)), scale = at(Extent(1)) - zero, variable = Extent::erased();
  if (scale.is(0) || at(variable) != scale * variable + zero) return;
  if (alone && !(scale.is(1) && zero.is(0))) return;
  const auto exact = Extent::exact_divide(actual - zero, scale);
  known.emplace(name, exact ? *exact : Extent::floor_divide(actual - zero, scale));
}

}  // namespace

std::vector<OpenDimension> open_dimensions(const Scope& scope, const ast::TypeName& written) {
  Written found;
  found.add(scope, written);
  return std::move(found.all);
}

void find_open_dimensions(Program& program, dlvm::Diagnostics& diagnostics) {
  for (bool changed = true; changed;) {
    changed = false;
    for (DeclaredType& type : program.types) {
      const std::size_t before = type.dimensions.size();
      if (type.is_structure())
        for (const DeclaredType::Member& field : type.members)
          for (const Type& each : field.types) append_dimensions(each, type.dimensions);
      changed = changed || type.dimensions.size() != before;
    }
  }
  for (DeclaredType& type : program.types) {
    for (const std::string& name : type.dimensions) type.extents.push_back(Extent::dimension(name));
    for (std::size_t i = 0; !type.is_structure() && !type.failed && i < type.members.size(); ++i)
      for (std::size_t k = 0; k < type.members[i].types.size(); ++k) {
        std::vector<std::string> names;
        append_dimensions(type.members[i].types[k], names);
        if (names.empty()) continue;
        report_payload(type, type.syntax->members[i].types[k], type.members[i].types[k], diagnostics);
        type.failed = true;
      }
  }
}

const DeclaredType* Checker::with_extents(const DeclaredType& type, std::vector<Extent> extents) {
  const DeclaredType& declared = type.declared();
  if (extents == declared.extents) return &declared;
  const DeclaredType*& known = types_with_extents_[{&declared, key(extents)}];
  if (known != nullptr) return known;
  Extent::Substitution values;
  for (std::size_t i = 0; i < extents.size(); ++i) values.emplace(declared.dimensions[i], extents[i]);
  DeclaredType made = declared;
  made.declaration = &declared;
  made.extents = std::move(extents);
  for (DeclaredType::Member& field : made.members)
    for (Type& each : field.types) {
      for (Extent& extent : each.shape) extent = extent.substitute(values);
      if (each.is_tensor()) continue;
      std::vector<Extent> own = each.declared->extents;
      for (Extent& extent : own) extent = extent.substitute(values);
      each.declared = with_extents(*each.declared, std::move(own));
    }
  return known = &program_.types_with_extents.emplace_back(std::move(made));
}

const DeclaredType* check_declared(BodyContext& context, const ast::TypeName& written) {
  const DeclaredType* type = find_type(*context.scope, written, context.diagnostics);
  if (type == nullptr || type->dimensions.empty()) return type;
  std::vector<Extent> extents;
  for (const std::string& name : type->dimensions) {
    const auto extent = named_extent(context, name, written.name.location, true);
    if (!extent) return nullptr;
    extents.push_back(*extent);
  }
  return context.checker.with_extents(*type, std::move(extents));
}

const DeclaredType* type_of_fields(BodyContext& context, const DeclaredType& type,
                                   const std::vector<Node*>& values, Location location) {
  Extent::Substitution known;
  for (const bool alone : {true, false})
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == nullptr) continue;
      const Type &pattern = type.members[i].types[0], &actual = values[i]->type;
      if (pattern.is_tensor() != actual.is_tensor()) continue;
      const bool same = pattern.is_tensor() || &pattern.declared->declared() == &actual.declared->declared();
      const auto& wanted = pattern.is_tensor() ? pattern.shape : pattern.declared->extents;
      const auto& given = pattern.is_tensor() ? actual.shape : actual.declared->extents;
      for (std::size_t k = 0; same && wanted.size() == given.size() && k < wanted.size(); ++k)
        bind(wanted[k], given[k], alone, known);
    }
  std::vector<Extent> extents;
  for (const std::string& name : type.dimensions) {
    const auto found = known.find(name);
    const auto extent =
        found != known.end() ? std::optional(found->second) : named_extent(context, name, location, false);
    if (!extent) return nullptr;
    extents.push_back(*extent);
  }
  return context.checker.with_extents(type, std::move(extents));
}

}  // namespace frontend::check
