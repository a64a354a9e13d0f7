#include "frontend/check/declarations/structured_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/enum_numbers.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/structure_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/sizes.h"
#include "frontend/check/types/spelling.h"
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

ast::Name name_of(const DeclaredType& type, std::size_t field, Location location) {
  return {type.members[field].name, location};
}

/// The field of `x` to which the positions lead. That of a struct made here is the value it is made of.
Node* field_of(BodyContext& context, Node* x, const std::vector<std::size_t>& fields) {
  for (const std::size_t field : fields) {
    if (x == nullptr) return nullptr;
    x = x->kind == Node::Kind::made ? x->operands[field]
                                    : make_field(context, x, name_of(*x->type.declared, field, x->location));
  }
  return x;
}

/// The struct or the enum of the tensors from `next` on.
Node* assembled(BodyContext& context, const Declaration& whole, const DeclaredType& type, std::size_t& next) {
  if (is_numbered(type))
    return make_numbered_case(context, type, make_reference(context, *whole.tensors[next++], whole.location),
                              whole.location);
  std::vector<Node*> values;
  bool complete = true;
  for (const DeclaredType::Member& field : type.members) {
    const Type& own = field.types[0];
    values.push_back(own.is_tensor() ? make_reference(context, *whole.tensors[next++], whole.location)
                                     : assembled(context, whole, *own.declared, next));
    complete = complete && values.back() != nullptr;
  }
  return complete ? make_structure(context, type, std::move(values), whole.location) : nullptr;
}

/// Returns whether the tensor is what its path means outside of recurrent blocks. What callers pass or get
/// goes before the value of the last step.
bool has_name(const Declaration& tensor) {
  using Part = Declaration::Part;
  const Declaration& whole = *tensor.structure;
  if (!tensor.inner || tensor.part == Part::none) return tensor.recurrence == nullptr;
  return tensor.part == Part::last && tensor.recurrence == nullptr && whole.whole == nullptr;
}

}  // namespace

Declaration* declared_tensor(const Node& field) {
  std::vector<std::size_t> fields;
  const Node* x = &field;
  for (; x->kind == Node::Kind::field; x = x->operands[0]) fields.push_back(x->index);
  if (x->kind != Node::Kind::reference) return nullptr;
  std::ranges::reverse(fields);
  const auto& tensors = x->declaration->tensors;
  const auto found = std::ranges::find(tensors, fields, &Declaration::fields);
  return found == tensors.end() ? nullptr : *found;
}

const Declaration* given_tensor(const Node& field) {
  const Declaration* tensor = declared_tensor(field);
  return tensor != nullptr && tensor->is_given() ? tensor : nullptr;
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
    auto& report = messages.report(structure_of_steps, d.location, role, d.name, type.name, kind_of(type));
    Fields steps(false);
    if (type.is_structure() && !steps.are_tensors(type, d.name) && steps.enumeration != nullptr)
      report.note(steps.enumeration->syntax->name.location,
                  fmt::format("'{}' is {}, an enum", steps.name_of_enumeration, steps.enumeration->name));
    report.fix(
        type.is_structure()
            ? fmt::format("give each field an 'in' of its own in the block: {}: in...", type.members[0].name)
            : fmt::format("give the numbers of the cases, of which a function makes the enum: {}: in int32",
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

void Checker::take_apart(Declaration& d, const DeclaredType& type) {
  if (type.is_structure())
    declare_tensors(d, type, d.name, {});
  else
    declare_tensor(d, d.name, {});
  d.type_of_tensors = &type;
  d.inner = true;
}

/// The next value of a state that is a struct is taken apart like an `out`.
void Checker::take_apart_next(Declaration& state, const DeclaredType& type) {
  Declaration& next = *state.next;
  next.state = nullptr;
  next.inner = true;
  next.type_of_tensors = &type;
  next.make = [&type, &state](BodyContext& context, Declaration& d) {
    context.declaration = &d;
    Node* value = check_any_expression(context, *d.syntax->value);
    if (value == nullptr ||
        !require_declared(context, value, &type, fmt::format("'{}'", d.name), state.syntax->type.location) ||
        !finish_body(context, value, own_element(context)))
      return;
    d.type = value->type;
    d.body = std::move(context.body);
  };
}

void Checker::declare_tensors(Declaration& whole, const DeclaredType& type, const std::string& name,
                              std::vector<std::size_t> fields) {
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    const Type& own = type.members[i].types[0];
    const std::string path = name + "." + type.members[i].name;
    fields.push_back(i);
    if (!own.is_tensor() && own.declared->is_structure()) {
      declare_tensors(whole, *own.declared, path, fields);
    } else {
      Declaration& tensor = declare_tensor(whole, path, fields);
      if (has_name(tensor)) program_.dotted_tensors.emplace(path, &tensor);
      if (whole.next != nullptr) {
        tensor.next = &declare_tensor(*whole.next, path + "'", fields);
        tensor.next->state = &tensor;
      }
    }
    fields.pop_back();
  }
}

Declaration& Checker::declare_tensor(Declaration& whole, const std::string& name,
                                     const std::vector<std::size_t>& fields) {
  const auto place = whole.inner ? program_.declarations.emplace(program_.declarations.end())
                                 : program_.declarations.emplace(place_behind(whole));
  place->name = name;
  place->location = whole.location;
  place->syntax = whole.syntax;
  place->scope = whole.scope;
  place->order = whole.order;
  place->structure = &whole;
  place->fields = fields;
  place->inner = whole.inner;
  place->axes = whole.axes;
  if (!whole.inner) places_.emplace(&*place, place);
  whole.tensors.push_back(&*place);
  declare_part(*place);
  return *place;
}

/// The tensors of what callers give and get stand in the order of the source.
std::list<Declaration>::iterator Checker::place_behind(const Declaration& whole) {
  if (places_.empty())
    for (auto each = program_.declarations.begin(); each != program_.declarations.end(); ++each)
      places_.emplace(&*each, each);
  const Declaration& last = whole.tensors.empty() ? whole : *whole.tensors.back();
  return std::next(places_.at(&last));
}

void Checker::assemble(Declaration& d, dlvm::Diagnostics& messages) {
  if (d.axes != nullptr || d.part == Declaration::Part::sequence) {
    d.type = {{}, {}, d.type_of_tensors};  // a struct of sequences, which has no value
    return;
  }
  BodyContext context{*this, d.scope, nullptr, messages};
  std::size_t next = 0;
  Node* value = assembled(context, d, *d.type_of_tensors, next);
  if (value == nullptr || !finish_body(context, value, own_element(context))) {
    d.failed = true;
    return;
  }
  d.type = value->type;
  d.body = std::move(context.body);
}

bool has_only_tensors(const DeclaredType& type) {
  return type.is_structure() && !type.failed && Fields(false).are_tensors(type, type.name);
}

Type type_of_field(const Declaration& tensor) {
  Type found{{}, {}, tensor.structure->type_of_tensors};
  for (const std::size_t field : tensor.fields) found = Type(found.declared->members[field].types[0]);
  if (found.declared != nullptr) return {ElementType::i32, {}};  // the number of a case
  return found;
}

void Checker::check_tensor(Declaration& d, dlvm::Diagnostics& messages) {
  BodyContext context{*this, d.scope, nullptr, messages};
  const DeclaredType* whole = d.structure->type_of_tensors;
  if (!d.is_given()) {
    const bool used = d.structure->used;
    Node* value = make_reference(context, *d.structure, d.location);
    if (d.recurrence != nullptr) d.structure->used = used;  // that a step takes it apart is no use of it
    if (value == nullptr || value->type.declared != whole) return;
    value = field_of(context, value, d.fields);
    if (value != nullptr && !value->type.is_tensor()) value = make_case_number(context, value, d.location);
    if (value == nullptr || !finish_body(context, value, own_element(context))) return;
    d.type = value->type;
    d.body = std::move(context.body);
    return;
  }
  context.declaration = &d;
  d.type = type_of_field(d);
  const Shape own = std::exchange(d.type.shape, {});
  if (d.axes != nullptr && !add_axes(d)) return;
  d.type.shape.insert(d.type.shape.end(), own.begin(), own.end());
  if (!check_size(d.type, d.location, messages)) return;
  if (d.role() == ast::Role::in || !d.syntax->value) return;
  if (!may_be_trained(d, messages)) return;
  context.initializer = Type{{}, {}, whole};
  context.constant = true;
  Node* value = check_any_expression(context, *d.syntax->value);
  if (value == nullptr ||
      !require_declared(context, value, whole, fmt::format("the initial value of '{}'", d.structure->name),
                        d.syntax->type.location))
    return;
  value = field_of(context, value, d.fields);
  if (value != nullptr && finish_body(context, value, d.type.element.type)) d.body = std::move(context.body);
}

}  // namespace frontend::check
