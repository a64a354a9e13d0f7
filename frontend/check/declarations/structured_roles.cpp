#include "frontend/check/declarations/structured_roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/structure_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"

namespace frontend::check {
namespace {

/// The initial value is checked once for each tensor.
constexpr std::size_t most_fields = 256;

bool is_returned(ast::Role role) { return role == ast::Role::out || role == ast::Role::metric; }
/// Returns whether the value may be an enum, or have one in a field, where callers give or get it.
bool may_hold_cases(const Declaration& d) { return d.role() != ast::Role::param && d.net == nullptr; }

/// Returns whether the value may be an enum that holds itself, or have one in a field: callers give tables.
bool may_be_tables(const Declaration& d) { return d.role() == ast::Role::in; }

/// Finds what keeps a struct or an enum from being taken apart. Looks at no more parts, those of structs and
/// enums in it included, than are allowed.
class Parts {
 public:
  /// Says whether enums are allowed, and those that hold themselves.
  explicit Parts(bool cases, bool tables = false) : cases_(cases), tables_(tables) {}

  /// Returns false if there is an enum that is not allowed, or there are too many parts.
  bool are_tensors(const DeclaredType& type, const std::string& name) {
    if (!holds_itself(type)) return are_tensors_of(type, name);
    if (!tables_ || tree_ != nullptr) {
      recursive = &type;
      name_of_enumeration = name;
      return false;
    }
    tree_ = &type;
    const bool good = are_tensors_of(type, name);
    tree_ = nullptr;
    return good;
  }

  std::size_t count = 0;
  const DeclaredType* enumeration = nullptr;  ///< the one that is not allowed
  std::string name_of_enumeration;
  const DeclaredType* recursive = nullptr;  ///< a type that holds itself, and is not allowed

 private:
  bool are_tensors_of(const DeclaredType& type, const std::string& name) {
    if (!type.is_structure()) count += type.members.size();  // each payload is told apart from all cases
    for (const OuterPart& part : outer_parts(type)) {
      const std::string path = name + "." + part.name;
      if (++count > most_fields) return false;
      if (part.type.is_tensor()) continue;
      const DeclaredType& own = *part.type.declared;
      if (!own.is_structure() && !cases_) {
        enumeration = &own;
        name_of_enumeration = path;
        return false;
      }
      if (own.failed || (!is_outer_tensor(part.type, tree_) && !are_tensors(own, path))) return false;
    }
    return true;
  }

  bool cases_, tables_;
  const DeclaredType* tree_ = nullptr;  ///< the enum in whose tables the parts are
};

/// Reports what callers cannot give or get in the role of the declaration.
bool has_only_parts_of(const Declaration& d, const DeclaredType& type, dlvm::Diagnostics& messages) {
  Parts parts(may_hold_cases(d), may_be_tables(d));
  if (parts.are_tensors(type, d.name)) return true;
  const auto role = ast::spelling(d.role());
  if (parts.recursive != nullptr && may_be_tables(d)) {
    messages
        .report(tables_in_tables, d.syntax->type.location, d.name, type.name, parts.name_of_enumeration,
                parts.recursive->name)
        .note(parts.recursive->syntax->name.location,
              fmt::format("'{}' is declared here", parts.recursive->name))
        .fix(
            "give each an 'in' of its own, or tables of tensors, from which a function makes it: "
            "func tree(kind: int32[n], i: int64) -> Tree { ... }");
  } else if (parts.recursive != nullptr) {
    messages.report(recursive_value, d.location, role, d.name, type.name, parts.recursive->name)
        .note(parts.recursive->syntax->name.location,
              fmt::format("'{}' is declared here", parts.recursive->name))
        .fix("make it a value of the module, and return tensors that follow from it");
  } else if (parts.enumeration != nullptr) {
    messages
        .report(structure_with_enum, d.location, role, d.name, type.name, parts.name_of_enumeration,
                parts.enumeration->name)
        .note(parts.enumeration->syntax->name.location,
              fmt::format("'{}' is declared here", parts.enumeration->name))
        .fix(d.is_state()
                 ? "keep the tensors, and make the case a 'state' of the module"
                 : "train the tensors, and make the case an 'in', a 'const' or a 'state' beside them");
  } else if (parts.count > most_fields) {
    messages.report(structure_too_large, d.location, role, d.name, most_fields);
  }
  return false;
}

/// Reports that the declaration cannot have the type in its role.
void report_role(const Declaration& d, const DeclaredType& type, Location where,
                 dlvm::Diagnostics& messages) {
  const auto role = ast::spelling(d.role());
  auto& report = messages.report(role_of_declared, where, role, d.name, type.name, kind_of(type));
  if (d.net != nullptr && d.is_state())
    report.fix(
        fmt::format("make it a state of the module, which functions of the net take: func f(x: [n], {}: {})",
                    d.name, type.name));
  else if (d.role() == ast::Role::param)
    report.note("training changes numbers little by little, and there is nothing between two cases")
        .fix("train the tensors, and make the case an 'in', a 'const' or a 'state' beside them");
  else if (type.is_structure() && !type.members.empty())
    report.fix(fmt::format("make a tensor of it: {0} = ..., and y: {1} = {0}.{2}", d.name, role,
                           type.members.front().name));
  else
    report.fix(
        fmt::format("make a tensor of it: {} = ..., and y: {} = match {} {{ ... }}", d.name, role, d.name));
}

}  // namespace

bool has_only_tensors(const DeclaredType& type) {
  return type.is_structure() && !type.failed && Parts(false).are_tensors(type, type.name);
}

void note_enum(dlvm::Diagnostic& report, const DeclaredType& type, const std::string& name) {
  Parts parts(false);
  if (!type.is_structure() || parts.are_tensors(type, name) || parts.enumeration == nullptr) return;
  report.note(parts.enumeration->syntax->name.location,
              fmt::format("'{}' is {}, an enum", parts.name_of_enumeration, parts.enumeration->name));
}

const DeclaredType::Member* first_tensor(const DeclaredType& type) {
  if (!type.is_structure()) return nullptr;
  const auto found = std::ranges::find_if(
      type.members, [](const DeclaredType::Member& each) { return each.types[0].is_tensor(); });
  return found == type.members.end() ? nullptr : &*found;
}

namespace {

/// Returns whether callers can give or get the tensors of the struct or enum. Reports what is in the way.
bool may_be_taken_apart(const Declaration& d, const DeclaredType& type, dlvm::Diagnostics& messages) {
  if (type.failed) return false;
  const auto role = ast::spelling(d.role());
  const bool are_nodes = !type.is_structure() && holds_itself(type);
  if (d.axes != nullptr && !are_nodes && !has_only_tensors(type)) {
    auto& report = messages.report(structure_of_steps, d.location, role, d.name, type.name, kind_of(type));
    note_enum(report, type, d.name);
    report.fix(
        type.is_structure()
            ? fmt::format("give each field an 'in' of its own in the block: {}: in...", type.members[0].name)
            : fmt::format("give the numbers of the cases, of which a function makes the enum: {}: in int32",
                          d.name));
    return false;
  }
  if (d.syntax->in_files && !is_numbered(type)) {
    messages.report(structure_in_files, d.syntax->in_files->location, d.name, kind_of(type))
        .fix(fmt::format("leave the 'from' out: files have the tensors as {}.{} ...", d.name,
                         outer_parts(type)[0].name));
    return false;
  }
  return is_numbered(type) || has_only_parts_of(d, type, messages);
}

}  // namespace

/// A value that is a struct or an enum, or is declared to be one.
void Checker::take_declared(Declaration& d, BodyContext& context, Node* value) {
  const ast::Type& written = d.syntax->type;
  const DeclaredType* wanted = value->type.declared;
  if (written.declared) wanted = check_declared(context, *written.declared);
  if (written.element || written.shape) wanted = nullptr;
  if (written.declared && wanted == nullptr) return;
  value = require_declared(context, value, wanted, fmt::format("'{}'", d.name), written.location);
  if (value == nullptr) return;
  const ast::Role role = d.role();
  const bool inner = role == ast::Role::hidden || role == ast::Role::layer || role == ast::Role::constant;
  const bool returned = is_returned(role);
  if (!inner && !returned) return report_role(d, *wanted, d.location, context.diagnostics);
  if (!finish_body(context, value, own_element(context))) return;
  if (!d.tensors.empty() && d.type_of_tensors != wanted)
    return report_other_structure(d, value, context.diagnostics);
  d.type = value->type;
  d.body = std::move(context.body);
  if (returned) take_apart(d, *wanted, context.diagnostics);
}

/// Inputs, parameters and states (with their initializers), constants that are loaded.
void Checker::declare_given(Declaration& d, dlvm::Diagnostics& messages) {
  const ast::Type& written = d.syntax->type;
  if (!written.declared) return declare_given_tensor(d, messages);
  d.failed = true;
  BodyContext context{*this, d.scope, nullptr, messages};
  context.net = d.net;
  const DeclaredType* type = check_declared(context, *written.declared);
  if (type == nullptr || type->failed) return;
  if (!type->is_structure() && !may_hold_cases(d)) return report_role(d, *type, written.location, messages);
  if (d.net != nullptr) return void(may_be_taken_apart(d, *type, messages));
  if (!take_apart(d, *type, messages)) return;
  d.failed = false;
  assemble(d, messages);
}

// The tensors of an instance are numbered before anything is checked.
void Checker::take_apart_member(Declaration& d) {
  const ast::Type& written = d.syntax->type;
  if (!d.is_given() || !written.declared || d.syntax->scale) return;
  dlvm::Diagnostics messages;
  BodyContext context{*this, d.scope, nullptr, messages};
  context.net = d.net;
  const DeclaredType* type = check_declared(context, *written.declared);
  if (type == nullptr || (!type->is_structure() && !may_hold_cases(d))) return;
  if (check_role(d, messages) && may_be_taken_apart(d, *type, messages)) take_apart(d, *type);
}

bool Checker::take_apart(Declaration& d, const DeclaredType& type, dlvm::Diagnostics& messages) {
  if (!may_be_taken_apart(d, type, messages)) return false;
  if (d.next != nullptr) take_apart_next(d, type);
  take_apart(d, type);
  return true;
}

}  // namespace frontend::check
