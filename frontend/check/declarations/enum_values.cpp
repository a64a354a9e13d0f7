#include "frontend/check/declarations/enum_values.h"

#include <algorithm>

#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"

namespace frontend::check {
namespace {

using Payload = std::function<std::vector<Node*>(std::size_t)>;

/// Makes the value of one of the cases [first, last), of which `x` is the number. Each choice halves them. A
/// number behind the last case is that of the last one.
Node* one_of_cases(BodyContext& context, const DeclaredType& type, Node* x, std::size_t first,
                   std::size_t last, Location location, const Payload& payload) {
  if (last - first == 1) {
    const std::size_t index = std::min(first, type.members.size() - 1);
    std::vector<Node*> values = payload(index);
    if (std::ranges::find(values, nullptr) != values.end()) return nullptr;
    return make_case(context, type, index, std::move(values), location);
  }
  const std::size_t middle = first + (last - first) / 2;
  Node* bound = make_constant(context, static_cast<std::int64_t>(middle), dlvm::ElementType::i32, location);
  Node* below = make_operation(context, dlvm::Opcode::lessThan, {x, bound}, {}, location);
  const std::size_t begin = context.body.nodes.size();
  Node* low = one_of_cases(context, type, x, first, middle, location, payload);
  const std::size_t between = context.body.nodes.size();
  Node* high = one_of_cases(context, type, x, middle, last, location, payload);
  if (low == nullptr || high == nullptr) return nullptr;
  Node choice;
  choice.kind = Node::Kind::choice;
  choice.type = low->type;
  choice.location = location;
  choice.operands = {below, low, high};
  choice.sides = {between - begin, context.body.nodes.size() - between};
  return add_node(context, std::move(choice));
}

/// Makes zeros of the type: of an enum its first case, with zeros behind it.
Node* make_zero(BodyContext& context, const Type& type, Location location) {
  if (type.is_tensor())
    return make_broadcast(context, make_constant(context, 0, type.element, location), type.shape, location);
  std::vector<Node*> values;
  const auto add = [&](const Type& each) { values.push_back(make_zero(context, each, location)); };
  const auto& members = type.declared->members;
  if (!type.declared->is_structure()) {
    std::ranges::for_each(members[0].types, add);
    return make_case(context, *type.declared, 0, std::move(values), location);
  }
  for (const DeclaredType::Member& field : members) add(field.types[0]);
  return make_structure(context, *type.declared, std::move(values), location);
}

/// A match of `x`, an enum. `value` makes the value of each case, for which it may name the payload.
template <typename Value>
Node* make_match(BodyContext& context, Node* x, const Type& type, Location location, const Value& value) {
  Node match;
  match.kind = Node::Kind::match;
  match.type = type;
  match.location = location;
  match.operands = {x};
  for (std::size_t i = 0; i < x->type.declared->members.size(); ++i) {
    const std::size_t before = context.body.nodes.size();
    MatchedCase matched{i, {}};
    matched.payload.resize(x->type.declared->members[i].types.size());
    match.operands.push_back(value(i, matched));
    match.sides.push_back(context.body.nodes.size() - before);
    match.cases.push_back(std::move(matched));
  }
  return add_node(context, std::move(match));
}

/// Adds a variable for a value of a payload to the body. Returns its number.
std::size_t add_variable(BodyContext& context, std::string name, const Type& type, Location location) {
  Variable variable;
  variable.name = std::move(name);
  variable.location = location;
  variable.type = type;
  variable.is_payload = true;
  context.body.variables.push_back(std::move(variable));
  return context.body.variables.size() - 1;
}

}  // namespace

Node* make_numbered_case(BodyContext& context, const DeclaredType& type, Node* x, Location location,
                         const Payload& payload) {
  const auto count = static_cast<std::int64_t>(type.members.size());
  x = make_checked_index(context, x, Extent(count), false, location);
  // The value of an enum with one case depends on the number as well, so that it is an input and is checked.
  const std::size_t last = std::max<std::size_t>(type.members.size(), 2);
  return x == nullptr ? nullptr : one_of_cases(context, type, x, 0, last, location, payload);
}

Node* make_case_number(BodyContext& context, Node* x, Location location) {
  const auto number = [&](std::size_t i) {
    return make_constant(context, static_cast<std::int64_t>(i), dlvm::ElementType::i32, location);
  };
  if (x->kind == Node::Kind::made) return number(x->index);
  return make_match(context, x, {dlvm::ElementType::i32, {}}, location,
                    [&](std::size_t i, MatchedCase&) { return number(i); });
}

Node* make_payload(BodyContext& context, Node* x, std::size_t of_case, std::size_t position,
                   Location location) {
  const DeclaredType::Member& member = x->type.declared->members[of_case];
  const Type& type = member.types[position];
  if (x->kind == Node::Kind::made)
    return x->index == of_case ? x->operands[position] : make_zero(context, type, location);
  return make_match(context, x, type, location, [&](std::size_t i, MatchedCase& matched) {
    if (i != of_case) return make_zero(context, type, location);
    const std::size_t variable = add_variable(context, member.name, type, location);
    matched.payload[position] = variable;
    return make_variable(context, variable, location);
  });
}

}  // namespace frontend::check
