#include <algorithm>
#include <charconv>
#include <utility>

#include "dlvm/support/internal_error.h"
#include "frontend/parse/build.h"
#include "frontend/parse/diagnostics.h"

namespace frontend::syntax {

using ast::BinaryOperator;
using ast::ExpressionPointer;

namespace {

template <typename Node>
std::unique_ptr<Node> make(const Location& location) {
  return std::make_unique<Node>(location);
}

std::string without_underscores(std::string_view text) {
  std::string number(text);
  std::erase(number, '_');
  return number;
}

BinaryOperator binary_operator(std::size_t kind) {
  switch (kind) {
    case Grammar::OR:
      return BinaryOperator::logical_or;
    case Grammar::AND:
      return BinaryOperator::logical_and;
    case Grammar::EQUAL:
      return BinaryOperator::equal;
    case Grammar::NOT_EQUAL:
      return BinaryOperator::not_equal;
    case Grammar::LESS:
      return BinaryOperator::less;
    case Grammar::LESS_EQUAL:
      return BinaryOperator::less_equal;
    case Grammar::GREATER:
      return BinaryOperator::greater;
    case Grammar::GREATER_EQUAL:
      return BinaryOperator::greater_equal;
    case Grammar::PLUS:
      return BinaryOperator::add;
    case Grammar::MINUS:
      return BinaryOperator::subtract;
    case Grammar::STAR:
      return BinaryOperator::multiply;
    case Grammar::SLASH:
      return BinaryOperator::divide;
    case Grammar::PERCENT:
      return BinaryOperator::modulo;
    case Grammar::CARET:
      return BinaryOperator::power;
    case Grammar::BULLET:
    case Grammar::AT:
    case Grammar::PRODUCT_DOT:
      return BinaryOperator::product;
    default:
      dlvm::internal_error("the grammar has a binary operator that the parser does not know");
  }
}

constexpr int comparison_level = 2;
/// Operators of one level share a chain.
int level(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::logical_or:
      return 0;
    case BinaryOperator::logical_and:
      return 1;
    case BinaryOperator::add:
    case BinaryOperator::subtract:
      return 3;
    case BinaryOperator::multiply:
    case BinaryOperator::divide:
    case BinaryOperator::modulo:
      return 4;
    case BinaryOperator::product:
      return 5;
    case BinaryOperator::power:
      return 6;
    case BinaryOperator::equal:
    case BinaryOperator::not_equal:
    case BinaryOperator::less:
    case BinaryOperator::less_equal:
    case BinaryOperator::greater:
    case BinaryOperator::greater_equal:
      break;
  }
  return comparison_level;
}

std::size_t operator_of(const Grammar::ExpressionContext& tree) { return tree.op ? tree.op->getType() : 0; }

}  // namespace

void Builder::grow(std::uint32_t& height, std::uint32_t child, const Location& location) {
  height = std::max(height, child + 1);
  if (height <= ast::expression_height_limit) return;
  if (!failed_) diagnostics_.report(too_deep, location, ast::expression_height_limit);
  failed_ = true;
}

void Builder::grow(ast::Expression& e, std::initializer_list<const ExpressionPointer*> children) {
  for (const ExpressionPointer* child : children)
    if (*child) grow(e.height, (*child)->height, e.location);
}

ExpressionPointer Builder::expression(Expression& tree) {
  // Down the left operands, then up again: a chain of any length takes no stack.
  std::vector<Expression*> spine;
  Expression* at = &tree;
  for (; at->left; at = at->left) spine.push_back(at);
  ExpressionPointer result = leaf(*at);
  for (auto up = spine.rbegin(); up != spine.rend(); ++up) {
    result = postfix(**up, std::move(result));
    // Beyond the height limit nothing more is stacked: what is thrown away must not be deep either.
    if (failed_ && result->height > ast::expression_height_limit) return make<ast::Number>(result->location);
  }
  return result;
}

ExpressionPointer Builder::leaf(Expression& tree) {
  if (tree.primary()) return primary(*tree.primary());
  return operator_of(tree) == Grammar::IF ? conditional(tree) : prefix(tree);
}

ExpressionPointer Builder::prefix(Expression& tree) {
  const std::size_t op = operator_of(tree);
  std::size_t run = 1;
  Expression* operand = tree.right;
  // Of a longer run, an even number of operators is left out: `---x` is `-x`.
  while (!operand->left && operator_of(*operand) == op) ++run, operand = operand->right;
  ExpressionPointer result = expression(*operand);
  for (std::size_t i = 0; i < (run % 2 == 0 ? 2u : 1u); ++i) {
    auto unary = make<ast::Unary>(span(tree));
    unary->op = op == Grammar::NOT ? ast::UnaryOperator::logical_not : ast::UnaryOperator::negate;
    unary->op_location = token(tree.op).location;
    grow(*unary, {&result});
    unary->operand = std::move(result);
    result = std::move(unary);
  }
  return result;
}

ExpressionPointer Builder::conditional(Expression& tree) {
  auto result = make<ast::If>(span(tree));
  Expression* at = &tree;
  for (; !at->left && operator_of(*at) == Grammar::IF; at = at->right) {
    ast::If::Branch branch{token(at->op).location, expression(*at->condition), expression(*at->value)};
    grow(*result, {&branch.condition, &branch.value});
    result->branches.push_back(std::move(branch));
  }
  result->otherwise = expression(*at);
  grow(*result, {&result->otherwise});
  return result;
}

ExpressionPointer Builder::postfix(Expression& tree, ExpressionPointer left) {
  const Token& op = token(tree.op);
  const bool binds_to_type = op.kind == Grammar::LEFT_BRACKET || op.kind == Grammar::LEFT_PARENTHESIS ||
                             op.kind == Grammar::DOT || op.kind == Grammar::TRANSPOSE ||
                             op.kind == Grammar::NEXT;
  if (binds_to_type && operator_of(*tree.left) == Grammar::AS) {
    failed_ = true;
    diagnostics_.report(postfix_after_as, op.location, op.text)
        .fix("put the conversion in parentheses: (… as …)");
  }
  switch (op.kind) {
    case Grammar::LEFT_BRACKET:
      return index(tree, std::move(left));
    case Grammar::LEFT_PARENTHESIS:
      return call(tree, std::move(left));
    case Grammar::CARET:
      return power(tree, std::move(left));
    case Grammar::DOT: {
      auto member = make<ast::Member>(span(tree));
      grow(*member, {&left});
      member->object = std::move(left);
      member->member = name(tree.member);
      return member;
    }
    case Grammar::TRANSPOSE: {
      auto transpose = make<ast::Transpose>(span(tree));
      grow(*transpose, {&left});
      transpose->operand = std::move(left);
      return transpose;
    }
    case Grammar::NEXT: {
      auto next = make<ast::Next>(span(tree));
      grow(*next, {&left});
      next->operand = std::move(left);
      return next;
    }
    case Grammar::AS: {
      auto as = make<ast::As>(span(tree));
      grow(*as, {&left});
      as->operand = std::move(left);
      as->type = type(*tree.type());
      return as;
    }
    case Grammar::PIPE: {
      ExpressionPointer stage = expression(*tree.right);
      // The left side of this pipe is the pipe so far, unless that stands in parentheses.
      std::unique_ptr<ast::Pipe> pipe;
      if (operator_of(*tree.left) == Grammar::PIPE) {
        pipe.reset(static_cast<ast::Pipe*>(left.release()));
        pipe->location = span(tree);
      } else {
        pipe = make<ast::Pipe>(span(tree));
        grow(*pipe, {&left});
        pipe->input = std::move(left);
      }
      grow(*pipe, {&stage});
      pipe->stages.push_back(std::move(stage));
      return pipe;
    }
    default:
      return infix(tree, std::move(left));
  }
}

ExpressionPointer Builder::reduction(Expression& tree, ExpressionPointer left) {
  auto reduction = make<ast::Reduction>(span(tree));
  const auto* function = ast::if_a<ast::NameReference>(*left);
  const auto& arguments = tree.argument();
  if (function == nullptr || arguments.size() != 1 || arguments.front()->NAME()) {
    failed_ = true;
    diagnostics_.report(misplaced_for, token(tree.FOR()->getSymbol()).location)
        .fix("a sum over k: sum(A[i, k] * B[k, j] for k)");
    return reduction;
  }
  reduction->function = {function->text, function->location};
  reduction->element = expression(*arguments.front()->expression(0));
  grow(*reduction, {&reduction->element});
  for (auto* written : tree.binder()) {
    ast::Binder binder;
    binder.name = name(written->NAME());
    if (written->first) {
      binder.first = expression(*written->first);
      binder.stop = expression(*written->stop);
      grow(*reduction, {&binder.first, &binder.stop});
    }
    reduction->binders.push_back(std::move(binder));
  }
  return reduction;
}

ExpressionPointer Builder::call(Expression& tree, ExpressionPointer left) {
  if (tree.FOR()) return reduction(tree, std::move(left));
  auto call = make<ast::Call>(span(tree));
  grow(*call, {&left});
  call->callee = std::move(left);
  for (auto* written : tree.argument()) {
    ast::Argument argument;
    if (written->NAME()) argument.name = name(written->NAME());
    argument.value = argument_value(*written);
    grow(*call, {&argument.value});
    call->arguments.push_back(std::move(argument));
  }
  return call;
}

ExpressionPointer Builder::argument_value(Grammar::ArgumentContext& tree) {
  if (!tree.RESULTS_OPEN()) return expression(*tree.expression(0));
  auto tuple =
      make<ast::Tuple>(span(token(tree.RESULTS_OPEN()->getSymbol()).location, token(tree.getStop())));
  for (auto* element : tree.expression()) {
    tuple->elements.push_back(expression(*element));
    grow(*tuple, {&tuple->elements.back()});
  }
  return tuple;
}

ExpressionPointer Builder::index(Expression& tree, ExpressionPointer left) {
  auto index = make<ast::Index>(span(tree));
  grow(*index, {&left});
  index->object = std::move(left);
  for (auto* written : tree.subscript()) {
    ast::Subscript subscript;
    subscript.location = span(*written);
    subscript.slice = written->slice() != nullptr;
    if (written->first) (subscript.slice ? subscript.start : subscript.index) = expression(*written->first);
    if (auto* slice = written->slice()) {
      if (slice->stop) subscript.stop = expression(*slice->stop);
      if (slice->step) subscript.step = expression(*slice->step);
    }
    grow(*index, {&subscript.index, &subscript.start, &subscript.stop, &subscript.step});
    index->subscripts.push_back(std::move(subscript));
  }
  return index;
}

ExpressionPointer Builder::power(Expression& tree, ExpressionPointer left) {
  auto binary = make<ast::Binary>(span(tree));
  grow(*binary, {&left});
  binary->operands.push_back(std::move(left));
  Expression* at = &tree;
  while (true) {
    binary->operators.push_back({BinaryOperator::power, token(at->op).location});
    Expression* right = at->right;
    const bool chain = right->left && operator_of(*right) == Grammar::CARET;
    binary->operands.push_back(expression(chain ? *right->left : *right));
    grow(*binary, {&binary->operands.back()});
    if (!chain) return binary;
    at = right;
  }
}

ExpressionPointer Builder::infix(Expression& tree, ExpressionPointer left) {
  const BinaryOperator op = binary_operator(operator_of(tree));
  const Location& op_location = token(tree.op).location;
  ExpressionPointer right = expression(*tree.right);
  // The left operand continues this chain if it is an operator of the same level without parentheses.
  const bool same_level = tree.left->left && left->kind == ast::Binary::own_kind &&
                          level(binary_operator(operator_of(*tree.left))) == level(op);
  if (same_level && level(op) == comparison_level && !failed_) {
    failed_ = true;
    diagnostics_.report(chained_comparison, op_location).fix("join two comparisons with `and`");
  }
  std::unique_ptr<ast::Binary> binary;
  if (same_level) {
    binary.reset(static_cast<ast::Binary*>(left.release()));
    binary->location = span(tree);
  } else {
    binary = make<ast::Binary>(span(tree));
    grow(*binary, {&left});
    binary->operands.push_back(std::move(left));
  }
  grow(*binary, {&right});
  binary->operators.push_back({op, op_location});
  binary->operands.push_back(std::move(right));
  return binary;
}

ExpressionPointer Builder::primary(Grammar::PrimaryContext& tree) {
  const Token& first = token(tree.token);
  switch (first.kind) {
    case Grammar::NUMBER: {
      auto number = make<ast::Number>(first.location);
      number->text = without_underscores(first.text);
      return number;
    }
    case Grammar::NAME: {
      auto name = make<ast::NameReference>(first.location);
      name->text = first.text;
      return name;
    }
    case Grammar::LEFT_PARENTHESIS: {
      ExpressionPointer inner = expression(*tree.expression());
      inner->location = span(tree);
      return inner;
    }
    case Grammar::SHAPE_OPEN: {
      auto literal = make<ast::ShapeLiteral>(span(tree));
      literal->shape = shape(tree, tree.extents());
      for (const ast::Extent& extent : literal->shape.extents)
        grow(literal->height, extent.height, literal->location);
      return literal;
    }
    case Grammar::LEFT_BRACKET:
      return literal(tree);
    case Grammar::MATCH_VALUE:
      return match(tree);
    default: {
      auto boolean = make<ast::Boolean>(first.location);
      boolean->value = first.kind == Grammar::TRUE;
      return boolean;
    }
  }
}

ExpressionPointer Builder::literal(Grammar::PrimaryContext& tree) {
  std::vector<std::vector<ExpressionPointer>> rows;
  bool all_bare = true;
  for (auto* row : tree.row()) {
    rows.emplace_back();
    for (auto* element : row->expression()) {
      auto* bare = element->primary();
      all_bare = all_bare && bare && bare->token->getType() == Grammar::LEFT_BRACKET && !bare->axis;
      rows.back().push_back(expression(*element));
    }
  }
  if (all_bare && !failed_) {
    failed_ = true;
    diagnostics_.report(nested_literal, span(tree))
        .fix("a matrix: [1, 2; 3, 4]")
        .fix("a new axis: stack([1, 2], [3, 4], along: 0)");
  }
  if (rows.size() > 1) {
    auto matrix = make<ast::Matrix>(span(tree));
    for (const auto& row : rows)
      for (const auto& element : row) grow(*matrix, {&element});
    matrix->rows = std::move(rows);
    if (tree.axis) {
      failed_ = true;
      diagnostics_.report(expected, token(tree.ALONG()->getSymbol()).location,
                          "an operator or the next declaration", "'along' after a matrix");
    }
    return matrix;
  }
  auto list = make<ast::Concatenation>(span(tree));
  for (const auto& element : rows.front()) grow(*list, {&element});
  list->elements = std::move(rows.front());
  if (!tree.axis) return list;
  const Token& number = token(tree.axis);
  Location location = number.location;
  if (tree.sign) location = span(token(tree.sign).location, number);
  const std::string digits = without_underscores(number.text);
  std::int64_t axis = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), axis);
  if (status != std::errc() || end != digits.data() + digits.size()) {
    failed_ = true;
    diagnostics_.report(axis_not_integer, location, number.text);
  }
  list->along = {tree.sign ? -axis : axis, location};
  return list;
}

}  // namespace frontend::syntax
