#include "frontend/check/declarations/structured_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/enum_numbers.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/sizes.h"

namespace frontend::check {
namespace {

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
