#include "frontend/check/declarations/structured_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/enum_values.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/declarations/trees.h"
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

/// The value of that type of the tensors from `next` on, which is then behind them. It is in the tables of
/// `tree`, unless that is null.
Node* assembled(BodyContext& context, const Type& type, const DeclaredType* tree, std::size_t& next,
                Location location, const MakeTensor& tensor) {
  if (type.is_tensor()) return tensor(next++);
  const DeclaredType& declared = *type.declared;
  if (&declared == tree) return make_node_of_number(context, declared, tensor(next++), location);
  if (holds_itself(declared)) {
    const std::size_t first = std::exchange(next, next + count_outer_tensors(type, tree));
    return make_tree(context, declared, first, location, tensor);
  }
  const std::vector<OuterPart> parts =
      is_outer_tensor(type, tree) ? std::vector<OuterPart>() : outer_parts(declared);
  if (declared.is_structure()) {
    std::vector<Node*> values;
    for (const OuterPart& part : parts)
      values.push_back(assembled(context, part.type, tree, next, location, tensor));
    const bool complete = std::ranges::find(values, nullptr) == values.end();
    return complete ? make_structure(context, declared, std::move(values), location) : nullptr;
  }
  const std::size_t first = next;
  Node* number = tensor(next);
  next = first + count_outer_tensors(type, tree);
  return make_numbered_case(context, declared, number, location, [&](std::size_t of_case) {
    return make_payload_of_tensors(context, declared, of_case, tree, first, location, tensor);
  });
}

/// Returns whether the tensor is what its path means in the module, outside of recurrent blocks. What callers
/// pass or get goes before the value of the last step.
bool has_name(const Declaration& tensor) {
  using Part = Declaration::Part;
  const Declaration& whole = *tensor.structure;
  if (whole.net != nullptr) return false;
  if (!tensor.inner || tensor.part == Part::none) return tensor.recurrence == nullptr;
  return tensor.part == Part::last && tensor.recurrence == nullptr && whole.whole == nullptr;
}

}  // namespace

Node* part_of(BodyContext& context, Node* x, const std::vector<std::size_t>& positions) {
  for (const std::size_t position : positions) {
    if (x == nullptr) return nullptr;
    const OuterPart part = outer_parts(*x->type.declared)[position];
    if (part.kind == OuterPart::Kind::number)
      x = make_case_number(context, x, x->location);
    else if (part.kind == OuterPart::Kind::payload)
      x = make_payload(context, x, part.of_case, part.position, x->location);
    else
      x = x->kind == Node::Kind::made
              ? x->operands[position]
              : make_field(context, x, name_of(*x->type.declared, position, x->location));
  }
  return x != nullptr && !x->type.is_tensor() ? make_case_number(context, x, x->location) : x;
}

Node* make_of_tensors(BodyContext& context, const DeclaredType& type, Location location,
                      const MakeTensor& tensor) {
  std::size_t next = 0;
  return assembled(context, {{}, {}, &type}, nullptr, next, location, tensor);
}

std::vector<Node*> make_payload_of_tensors(BodyContext& context, const DeclaredType& type,
                                           std::size_t of_case, const DeclaredType* tree, std::size_t first,
                                           Location location, const MakeTensor& tensor) {
  std::vector<Node*> values;
  for (const OuterPart& part : outer_parts(type))
    if (part.kind == OuterPart::Kind::payload && part.of_case == of_case)
      values.push_back(assembled(context, part.type, tree, first, location, tensor));
    else
      first += count_outer_tensors(part.type, tree);
  return values;
}

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
  if (is_numbered(type))
    declare_tensor(d, d.name, {});
  else
    declare_tensors(d, type, nullptr, d.name, {});
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
    if (value == nullptr) return;
    value = require_declared(context, value, &type, fmt::format("'{}'", d.name), state.syntax->type.location);
    if (value == nullptr || !finish_body(context, value, own_element(context))) return;
    d.type = value->type;
    d.body = std::move(context.body);
  };
}

void Checker::declare_tensors(Declaration& whole, const DeclaredType& type, const DeclaredType* tree,
                              const std::string& name, std::vector<std::size_t> fields) {
  if (holds_itself(type)) tree = &type;
  const std::vector<OuterPart> parts = outer_parts(type);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string path = name + "." + parts[i].name;
    fields.push_back(i);
    if (!is_outer_tensor(parts[i].type, tree)) {
      declare_tensors(whole, *parts[i].type.declared, tree, path, fields);
    } else {
      Declaration& tensor = declare_tensor(whole, path, fields);
      // The values of all steps are nodes of the same tables.
      if (tree != nullptr && parts[i].kind != OuterPart::Kind::root) tensor.axes = nullptr;
      if (has_name(tensor)) program_.dotted_tensors.emplace(path, &tensor);
    }
    fields.pop_back();
  }
}

Declaration& Checker::declare_tensor(Declaration& whole, const std::string& name,
                                     const std::vector<std::size_t>& fields) {
  Declaration& tensor = add_tensor(whole);
  tensor.name = name;
  tensor.location = whole.location;
  tensor.syntax = whole.syntax;
  tensor.scope = whole.scope;
  tensor.net = whole.net;
  tensor.order = whole.order;
  tensor.structure = &whole;
  tensor.fields = fields;
  tensor.inner = whole.inner;
  tensor.axes = whole.axes;
  whole.tensors.push_back(&tensor);
  declare_part(tensor);
  if (whole.next != nullptr) {
    tensor.next = &declare_tensor(*whole.next, name + "'", fields);
    tensor.next->state = &tensor;
  }
  return tensor;
}

Declaration& Checker::add_tensor(const Declaration& whole) {
  if (whole.net != nullptr) return program_.net_declarations.emplace_back();
  if (whole.inner) return program_.declarations.emplace_back();
  const auto place = program_.declarations.emplace(place_behind(whole));
  places_.emplace(&*place, place);
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
  if (d.axes != nullptr || d.part == Declaration::Part::sequence || d.net != nullptr) {
    // A struct of sequences, or of the tensors of some instance, has no value.
    d.type = {{}, {}, d.type_of_tensors};
    return;
  }
  BodyContext context{*this, d.scope, nullptr, messages};
  Node* value = make_of_tensors(context, *d.type_of_tensors, d.location, [&](std::size_t number) {
    return make_reference(context, *d.tensors[number], d.location);
  });
  if (value == nullptr || !finish_body(context, value, own_element(context))) {
    d.failed = true;
    return;
  }
  d.type = value->type;
  d.body = std::move(context.body);
}

Type type_of_field(const Declaration& tensor) {
  const OuterPlace place = place_of(tensor);
  return outer_tensor(place.type, place.tree);
}

void Checker::check_tensor(Declaration& d, dlvm::Diagnostics& messages) {
  BodyContext context{*this, d.scope, nullptr, messages};
  context.net = d.net;
  const DeclaredType* whole = d.structure->type_of_tensors;
  if (!d.is_given()) {
    const bool used = d.structure->used;
    Node* value = make_reference(context, *d.structure, d.location);
    if (d.recurrence != nullptr) d.structure->used = used;  // that a step takes it apart is no use of it
    if (value == nullptr || value->type.declared != whole) return;
    value = part_of(context, value, d.fields);
    if (value == nullptr || !finish_body(context, value, own_element(context))) return;
    d.type = value->type;
    d.body = std::move(context.body);
    return;
  }
  context.declaration = &d;
  d.type = type_of_field(d);
  const Shape own = std::exchange(d.type.shape, {});
  if (d.axes != nullptr && !add_axes(d)) return;
  if (const auto rows = rows_of_tables(d)) d.type.shape.push_back(*rows);
  d.type.shape.insert(d.type.shape.end(), own.begin(), own.end());
  if (!check_size(d.type, d.location, messages) || d.role() == ast::Role::in) return;
  const bool constant = (d.net != nullptr && d.net->sample) || has_constant_extents(d, messages);
  if (!constant || !d.syntax->value) return;
  if (!may_be_trained(d, messages)) return;
  context.initializer = Type{{}, {}, whole};
  context.constant = true;
  Node* value = check_any_expression(context, *d.syntax->value);
  if (value == nullptr) return;
  value = require_declared(context, value, whole, fmt::format("the initial value of '{}'", d.structure->name),
                           d.syntax->type.location);
  if (value == nullptr) return;
  value = part_of(context, value, d.fields);
  if (value != nullptr && finish_body(context, value, d.type.element.type)) d.body = std::move(context.body);
}

}  // namespace frontend::check
