#include "frontend/check/declarations/enum_numbers.h"

#include <algorithm>

#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"

namespace frontend::check {
namespace {

/// Makes the value of one of the cases [first, last), of which `x` is the number. Each choice halves them. A
/// number behind the last case is that of the last one.
Node* one_of_cases(BodyContext& context, const DeclaredType& type, Node* x, std::size_t first,
                   std::size_t last, Location location) {
  if (last - first == 1) return make_case(context, type, std::min(first, type.members.size() - 1), location);
  const std::size_t middle = first + (last - first) / 2;
  Node* bound = make_constant(context, static_cast<std::int64_t>(middle), dlvm::ElementType::i32, location);
  Node* below = make_operation(context, dlvm::Opcode::lessThan, {x, bound}, {}, location);
  const std::size_t begin = context.body.nodes.size();
  Node* low = one_of_cases(context, type, x, first, middle, location);
  const std::size_t between = context.body.nodes.size();
  Node* high = one_of_cases(context, type, x, middle, last, location);
  Node choice;
  choice.kind = Node::Kind::choice;
  choice.type = low->type;
  choice.location = location;
  choice.operands = {below, low, high};
  choice.sides = {between - begin, context.body.nodes.size() - between};
  return add_node(context, std::move(choice));
}

}  // namespace

bool is_numbered(const DeclaredType& type) {
  return !type.is_structure() && !type.members.empty() &&
         std::ranges::all_of(type.members, [](const auto& each) { return each.types.empty(); });
}

Node* make_numbered_case(BodyContext& context, const DeclaredType& type, Node* x, Location location) {
  const auto count = static_cast<std::int64_t>(type.members.size());
  x = make_checked_index(context, x, Extent(count), false, location);
  // The value of an enum with one case depends on the number as well, so that it is an input and is checked.
  const std::size_t last = std::max<std::size_t>(type.members.size(), 2);
  return x == nullptr ? nullptr : one_of_cases(context, type, x, 0, last, location);
}

Node* make_case_number(BodyContext& context, Node* x, Location location) {
  Node match;
  match.kind = Node::Kind::match;
  match.type = {dlvm::ElementType::i32, {}};
  match.location = location;
  match.operands = {x};
  for (std::size_t i = 0; i < x->type.declared->members.size(); ++i) {
    match.operands.push_back(
        make_constant(context, static_cast<std::int64_t>(i), dlvm::ElementType::i32, location));
    match.sides.push_back(1);
    match.cases.push_back({i, {}});
  }
  return add_node(context, std::move(match));
}

}  // namespace frontend::check
