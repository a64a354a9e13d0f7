#include "frontend/check/expressions/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "frontend/check/calls/call.h"
#include "frontend/check/declarations/nets.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/diagnostics/statement_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

using ast::to;

namespace {

/// From the start of one place to the end of the other, where that is on the same line; else nowhere.
Location joined(Location first, const Location& last) {
  if (first.source != last.source || first.line != last.line || last.column < first.column) return {};
  first.length = last.column + last.length - first.column;
  return first;
}

Node* check_number(BodyContext& context, const ast::Number& e) {
  if (!may_compute(context, 0, e.location)) return nullptr;
  auto value = Number::parse(e.text);
  if (!value) {
    constexpr std::size_t longest = 24;
    context.diagnostics.report(number_too_large, e.location,
                               e.text.size() <= longest ? e.text : e.text.substr(0, longest) + "...");
    return nullptr;
  }
  if (!may_compute(context, value->length(), e.location)) return nullptr;
  return make_constant(context, std::move(*value), fresh_element(context), e.location);
}

Node* check_boolean(BodyContext& context, const ast::Boolean& e) {
  return make_constant(context, Number(e.value ? 1 : 0), ElementType::boolean, e.location);
}

Node* check_unary(BodyContext& context, const ast::Unary& e, Hint hint) {
  if (e.op == ast::UnaryOperator::logical_not)
    return make_unary(context, dlvm::Opcode::not_, check_expression(context, *e.operand), "not",
                      e.op_location);
  Node* x = check_expression(context, *e.operand, hint);
  if (x != nullptr && x->is_constant() && x->type.is_scalar() && !resolved(context, x->type.element).known())
    return make_constant(context, -x->values[0], x->type.element, e.location);
  return make_unary(context, dlvm::Opcode::negate, x, "-", e.op_location);
}

/// `a == b` and `a != b`, which are not chained.
template <typename Known>
Node* check_comparison(BodyContext& context, const ast::Binary& e, const Known& known) {
  Node* left = check_any_expression(context, *e.operands[0]);
  Node* right = check_any_expression(context, *e.operands[1], known(left));
  const ast::BinaryOperator op = e.operators[0].op;
  if (left != nullptr && right != nullptr && left->type.declared != nullptr &&
      left->type.declared == right->type.declared) {
    report_comparison(context, *left, *right, op == ast::BinaryOperator::equal);
    return nullptr;
  }
  left = require_tensor(context, left);
  right = require_tensor(context, right);
  Node* result = make_binary(context, op, left, right, e.operators[0].location);
  if (result != nullptr && !result->span.valid())
    result->span = joined(e.operands[0]->location, e.operands[1]->location);
  return result;
}

Node* check_binary(BodyContext& context, const ast::Binary& e, Hint hint) {
  const ast::BinaryOperator first = e.operators.front().op;
  const bool arithmetic = first >= ast::BinaryOperator::add;
  const auto known = [&](const Node* x) -> Hint {
    if (x != nullptr && resolved(context, x->type.element).known())
      return resolved(context, x->type.element).type;
    return arithmetic ? hint : Hint();
  };
  if (e.right_associative()) {
    std::vector<Node*> operands;
    for (const auto& operand : e.operands)
      operands.push_back(check_expression(context, *operand, operands.empty() ? hint : known(operands[0])));
    Node* result = operands.back();
    for (std::size_t i = e.operators.size(); i-- > 0;)
      result = make_power(context, operands[i], result, e.operators[i].location);
    return result;
  }
  if (first == ast::BinaryOperator::equal || first == ast::BinaryOperator::not_equal)
    return check_comparison(context, e, known);
  Node* result = check_expression(context, *e.operands[0], arithmetic ? hint : Hint());
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    Node* right = check_expression(context, *e.operands[i + 1], known(result));
    result = make_binary(context, e.operators[i].op, result, right, e.operators[i].location);
    if (result != nullptr && !result->span.valid())
      result->span = joined(e.operands[0]->location, e.operands[i + 1]->location);
  }
  return result;
}

/// The value of the expression that `written` is, unless it has several results, which is reported.
Node* single_value(BodyContext& context, Node* x, const Location& written) {
  if (x == nullptr || !has_several_results(*x)) return x;
  const std::size_t count = result_types(*x).size();
  const ast::Function* syntax = x->callee != nullptr ? x->callee->function->syntax : nullptr;
  std::string names;
  char letter = 'a';
  for (std::size_t i = 0; i < count; ++i) {
    while (letter < 'z' && context.scope->values.contains(std::string(1, letter))) ++letter;
    names += (i == 0 ? "" : ", ") + std::string(1, letter);
    if (letter < 'z') ++letter;
  }
  auto& report = context.diagnostics.report(several_results, x->location,
                                            syntax != nullptr ? syntax->name.text : "gradient", count);
  if (syntax != nullptr)
    report.note(syntax->name.location, fmt::format("the function is {}", signature(*syntax)));
  const std::string target = context.locals != nullptr ? "let (" + names + ")" : names;
  report.fix(fmt::format("name its results: {} = {}", target, quoted(written, "...")));
  return nullptr;
}

Node* check_pipe(BodyContext& context, const ast::Pipe& e, Hint hint) {
  Node* x = check_any_expression(context, *e.input, hint);
  for (const auto& stage : e.stages) {
    std::vector<Argument> arguments{{nullptr, nullptr, x, true, e.input->location}};
    const ast::Expression* callee = stage.get();
    if (const auto* written = ast::if_a<ast::Call>(*stage)) {
      callee = written->callee.get();
      std::ranges::copy(arguments_of(*written), std::back_inserter(arguments));
    } else if (stage->kind != ast::Expression::Kind::name && stage->kind != ast::Expression::Kind::member) {
      const auto* index = ast::if_a<ast::Index>(*stage);
      if (const auto net = index != nullptr ? find_net(context, *index->object) : std::nullopt)
        report_net_as_value(context, *net, index->object->location, index);
      else
        context.diagnostics.report(pipe_into_value, stage->location);
      return nullptr;
    }
    x = check_call(context, *callee, std::move(arguments), stage->location, hint);
    if (&stage == &e.stages.back()) break;
    Location before = e.location;
    if (before.line == stage->location.line)
      before.length = stage->location.column + stage->location.length - before.column;
    x = single_value(context, x, before);
  }
  return x;
}

Node* check_call(BodyContext& context, const ast::Call& e, Hint hint) {
  return check_call(context, *e.callee, arguments_of(e), e.location, hint);
}

Node* check_kind(BodyContext& context, const ast::Expression& e, Hint hint) {
  using Kind = ast::Expression::Kind;
  switch (e.kind) {
    case Kind::number:
      return check_number(context, to<ast::Number>(e));
    case Kind::boolean:
      return check_boolean(context, to<ast::Boolean>(e));
    case Kind::name:
      return check_name(context, to<ast::NameReference>(e));
    case Kind::member:
      return check_member(context, to<ast::Member>(e));
    case Kind::unary:
      return check_unary(context, to<ast::Unary>(e), hint);
    case Kind::binary:
      return check_binary(context, to<ast::Binary>(e), hint);
    case Kind::conditional:
      return check_conditional(context, to<ast::If>(e), hint);
    case Kind::match:
      return check_match(context, to<ast::Match>(e), hint);
    case Kind::call:
      return check_call(context, to<ast::Call>(e), hint);
    case Kind::pipe:
      return check_pipe(context, to<ast::Pipe>(e), hint);
    case Kind::index:
      return check_index(context, to<ast::Index>(e), hint);
    case Kind::as:
      return check_as(context, to<ast::As>(e), hint);
    case Kind::concatenation:
      return check_concatenation(context, to<ast::Concatenation>(e), hint);
    case Kind::matrix:
      return check_matrix(context, to<ast::Matrix>(e), hint);
    case Kind::transpose:
      return check_transpose(context, to<ast::Transpose>(e), hint);
    case Kind::reduction:
      return check_reduction(context, to<ast::Reduction>(e), hint);
    case Kind::next:
      return check_next(context, to<ast::Next>(e));
    case Kind::tuple:
      context.diagnostics.report(wrt_outside, e.location);
      return nullptr;
    case Kind::shape:
      context.diagnostics.report(shape_as_value, e.location);
      return nullptr;
  }
  return nullptr;
}

}  // namespace

std::vector<Type> result_types(const Node& x) {
  if (x.kind == Node::Kind::call) return x.callee->results;
  if (x.kind == Node::Kind::derivative) return x.derivative->results;
  std::vector<Type> types{x.type};
  if (x.kind != Node::Kind::gradient) return types;
  for (std::size_t i = 2; i < x.operands.size(); ++i) types.push_back(x.operands[i]->type);
  return types;
}

bool has_several_results(const Node& x) { return result_types(x).size() > 1; }

std::vector<Argument> arguments_of(const ast::Call& call) {
  std::vector<Argument> arguments;
  for (const auto& each : call.arguments)
    arguments.push_back(
        {each.name ? &*each.name : nullptr, each.value.get(), nullptr, false, each.value->location});
  return arguments;
}

Node* check_expression(BodyContext& context, const ast::Expression& e, Hint hint) {
  const bool several_allowed = std::exchange(context.several_allowed, false);
  const bool declared_allowed = std::exchange(context.declared_allowed, false);
  Node* result = check_kind(context, e, hint);
  if (!several_allowed) result = single_value(context, result, e.location);
  if (result != nullptr && !result->span.valid()) result->span = e.location;
  if (!declared_allowed && !several_allowed) return require_tensor(context, result);
  return result;
}

}  // namespace frontend::check
