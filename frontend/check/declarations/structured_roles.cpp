#include "frontend/check/declarations/structured_roles.h"

#include <fmt/format.h>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/enum_numbers.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/structure_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/support/unsupported.h"

namespace frontend::check {
namespace {

/// The initial value is checked once for each tensor.
constexpr std::size_t most_fields = 256;

bool is_returned(ast::Role role) { return role == ast::Role::out || role == ast::Role::metric; }
/// Returns whether a value in that role may be an enum without payloads, or have one in a field.
bool may_be_numbered(ast::Role role) { return role == ast::Role::in || is_returned(role); }

/// Finds what keeps a struct from being taken apart. Looks at no more fields, those of structs in it
/// included, than are allowed.
class Fields {
 public:
  explicit Fields(bool numbered) : numbered_(numbered) {}

  /// Returns false if there is an enum that is not allowed, or there are too many fields.
  bool are_tensors(const DeclaredType& type, const std::string& name) {
    for (const DeclaredType::Member& field : type.members) {
      const Type& own = field.types[0];
      const std::string path = name + "." + field.name;
      if (++fields > most_fields) return false;
      if (own.is_tensor() || (numbered_ && is_numbered(*own.declared))) continue;
      if (!own.declared->is_structure()) {
        enumeration = own.declared;
        name_of_enumeration = path;
        return false;
      }
      if (own.declared->failed || !are_tensors(*own.declared, path)) return false;
    }
    return true;
  }

  std::size_t fields = 0;
  const DeclaredType* enumeration = nullptr;
  std::string name_of_enumeration;

 private:
  bool numbered_;
};

}  // namespace

bool has_only_tensors(const DeclaredType& type) {
  return type.is_structure() && !type.failed && Fields(false).are_tensors(type, type.name);
}

/// A value that is a struct or an enum, or is declared to be one.
void Checker::take_declared(Declaration& d, BodyContext& context, Node* value) {
  const ast::Type& written = d.syntax->type;
  const DeclaredType* wanted = value->type.declared;
  if (written.declared) wanted = find_type(*d.scope, *written.declared, context.diagnostics);
  if (written.element || written.shape) wanted = nullptr;
  if (written.declared && wanted == nullptr) return;
  if (!require_declared(context, value, wanted, fmt::format("'{}'", d.name), written.location)) return;
  const ast::Role role = d.role();
  const bool inner = role == ast::Role::hidden || role == ast::Role::layer || role == ast::Role::constant;
  const bool returned = is_returned(role) && (wanted->is_structure() || is_numbered(*wanted));
  if ((!inner && !returned) || d.net != nullptr) {
    auto& report = context.diagnostics.report(role_of_declared, d.location, ast::spelling(role), d.name,
                                              wanted->name, kind_of(*wanted));
    if (wanted->is_structure() && !wanted->members.empty() && d.net == nullptr)
      report.fix(fmt::format("make a tensor of it: {0} = ..., and y: {1} = {0}.{2}", d.name,
                             ast::spelling(role), wanted->members.front().name));
    return;
  }
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
  const DeclaredType* type = find_type(*d.scope, *written.declared, messages);
  if (type == nullptr || type->failed) return;
  const bool numbered = is_numbered(*type) && may_be_numbered(d.role());
  if (!type->is_structure() && !numbered && d.role() == ast::Role::in)
    return syntax::report_unsupported(syntax::input_of_enumeration, written.location, messages);
  if (!(type->is_structure() || numbered) || d.net != nullptr)
    return void(messages.report(role_of_declared, written.location, ast::spelling(d.role()), d.name,
                                type->name, kind_of(*type)));
  if (!take_apart(d, *type, messages)) return;
  d.failed = false;
  assemble(d, messages);
}

bool Checker::take_apart(Declaration& d, const DeclaredType& type, dlvm::Diagnostics& messages) {
  if (type.failed) return false;
  const auto role = ast::spelling(d.role());
  if (d.axes != nullptr && !has_only_tensors(type)) {
    messages.report(structure_of_steps, d.location, role, d.name, type.name, kind_of(type))
        .fix(type.is_structure()
                 ? fmt::format("give each field an 'in' of its own in the block: {}: in...",
                               type.members[0].name)
                 : fmt::format(
                       "give the numbers of the cases, of which a function makes the enum: {}: in int32",
                       d.name));
    return false;
  }
  if (d.syntax->in_files) {
    messages.report(structure_in_files, d.syntax->in_files->location, d.name)
        .fix(fmt::format("leave the 'from' out: files have the tensors as {}.{} ...", d.name,
                         type.members[0].name));
    return false;
  }
  Fields fields(may_be_numbered(d.role()));
  if (type.is_structure() && !fields.are_tensors(type, d.name)) {
    if (fields.enumeration != nullptr) {
      auto& report = messages.report(structure_with_enum, d.location, role, d.name, type.name,
                                     fields.name_of_enumeration, fields.enumeration->name);
      report.note(fields.enumeration->syntax->name.location,
                  fmt::format("'{}' is declared here", fields.enumeration->name));
      if (may_be_numbered(d.role()))
        report.fix("an enum without payloads is allowed: give each payload in a field of its own");
    } else if (fields.fields > most_fields) {
      messages.report(structure_too_large, d.location, role, d.name, most_fields);
    }
    return false;
  }
  if (d.next != nullptr) take_apart_next(d, type);
  take_apart(d, type);
  return true;
}

}  // namespace frontend::check
