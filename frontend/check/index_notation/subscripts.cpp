// Which expressions have an index in them, and which are sums of indices with constant factors.
#include <algorithm>

#include "frontend/check/index_notation/equation.h"

namespace frontend::check {
namespace {

using ast::BinaryOperator;

Affine scaled(Affine affine, std::int64_t factor) {
  affine.constant = affine.constant * Extent(factor);
  for (auto& [index, coefficient] : affine.coefficients) coefficient *= factor;
  std::erase_if(affine.coefficients, [](const auto& each) { return each.second == 0; });
  return affine;
}

Affine sum(Affine left, const Affine& right) {
  left.constant = left.constant + right.constant;
  for (const auto& [index, coefficient] : right.coefficients) left.coefficients[index] += coefficient;
  std::erase_if(left.coefficients, [](const auto& each) { return each.second == 0; });
  return left;
}

/// Factors beyond this are not affine; so nothing here can overflow.
constexpr std::int64_t largest_factor = std::int64_t{1} << 30;

bool is_small(const Affine& affine) {
  return affine.constant.valid() && std::ranges::all_of(affine.coefficients, [](const auto& each) {
           return each.second <= largest_factor && each.second >= -largest_factor;
         });
}

std::optional<Affine> product(const Affine& left, const Affine& right) {
  const Affine& constant = left.coefficients.empty() ? left : right;
  const Affine& other = &constant == &left ? right : left;
  if (!constant.coefficients.empty()) return std::nullopt;
  if (other.coefficients.empty()) return Affine{left.constant * right.constant, {}};
  const auto factor = constant.constant.constant();
  if (!factor || *factor > largest_factor || *factor < -largest_factor) return std::nullopt;
  return scaled(other, *factor);
}

std::optional<Affine> combined(const Affine& left, BinaryOperator op, const Affine& right) {
  if (op == BinaryOperator::add) return sum(left, right);
  if (op == BinaryOperator::subtract) return sum(left, scaled(right, -1));
  if (op == BinaryOperator::multiply) return product(left, right);
  const bool constants = left.coefficients.empty() && right.coefficients.empty();
  if (op != BinaryOperator::divide || !constants || right.constant.is(0)) return std::nullopt;
  return Affine{Extent::floor_divide(left.constant, right.constant), {}};
}

std::optional<Affine> of_name(BodyContext& context, const ast::NameReference& e) {
  if (const auto index = context.equation->find(e.text)) return Affine{0, {{*index, 1}}};
  if (!knows_dimension(context, e.text)) return std::nullopt;
  const auto extent = check_extent(context, e);
  return extent ? std::optional(Affine{*extent, {}}) : std::nullopt;
}

}  // namespace

std::optional<IndexId> Affine::alone() const {
  if (!constant.is(0) || coefficients.size() != 1 || coefficients.begin()->second != 1) return std::nullopt;
  return coefficients.begin()->first;
}

bool mentions_index(const BodyContext& context, const ast::Expression& e) {
  using Kind = ast::Expression::Kind;
  const auto mentions = [&](const ast::ExpressionPointer& each) {
    return each != nullptr && mentions_index(context, *each);
  };
  switch (e.kind) {
    case Kind::name:
      return context.equation->find(ast::to<ast::NameReference>(e).text).has_value();
    case Kind::unary:
      return mentions(ast::to<ast::Unary>(e).operand);
    case Kind::binary:
      return std::ranges::any_of(ast::to<ast::Binary>(e).operands, mentions);
    case Kind::conditional: {
      const auto& conditional = ast::to<ast::If>(e);
      return mentions(conditional.otherwise) ||
             std::ranges::any_of(conditional.branches, [&](const ast::If::Branch& branch) {
               return mentions(branch.condition) || mentions(branch.value);
             });
    }
    case Kind::match:
      return mentions(ast::to<ast::Match>(e).value) ||
             std::ranges::any_of(ast::to<ast::Match>(e).results, mentions);
    case Kind::call:
      return std::ranges::any_of(ast::to<ast::Call>(e).arguments,
                                 [&](const ast::Argument& argument) { return mentions(argument.value); });
    case Kind::pipe:
      return mentions(ast::to<ast::Pipe>(e).input) ||
             std::ranges::any_of(ast::to<ast::Pipe>(e).stages, mentions);
    case Kind::index:
      return mentions(ast::to<ast::Index>(e).object) || has_index(context, ast::to<ast::Index>(e));
    case Kind::as:
      return mentions(ast::to<ast::As>(e).operand);
    case Kind::reduction:
      return mentions(ast::to<ast::Reduction>(e).element);
    default:
      return false;
  }
}

bool has_index(const BodyContext& context, const ast::Index& e) {
  return context.equation != nullptr && std::ranges::any_of(e.subscripts, [&](const ast::Subscript& s) {
           for (const auto* part : {&s.index, &s.start, &s.stop, &s.step})
             if (*part != nullptr && mentions_index(context, **part)) return true;
           return false;
         });
}

std::optional<Affine> affine_subscript(BodyContext& context, const ast::Expression& e) {
  if (const auto* number = ast::if_a<ast::Number>(e)) {
    const auto value = Number::parse(number->text);
    const auto integer = value ? value->integer() : std::nullopt;
    return integer ? std::optional(Affine{Extent(*integer), {}}) : std::nullopt;
  }
  if (const auto* name = ast::if_a<ast::NameReference>(e)) return of_name(context, *name);
  if (const auto* unary = ast::if_a<ast::Unary>(e); unary && unary->op == ast::UnaryOperator::negate) {
    const auto operand = affine_subscript(context, *unary->operand);
    return operand ? std::optional(scaled(*operand, -1)) : std::nullopt;
  }
  const auto* binary = ast::if_a<ast::Binary>(e);
  if (binary == nullptr || binary->right_associative()) return std::nullopt;
  auto result = affine_subscript(context, *binary->operands[0]);
  for (std::size_t i = 0; i < binary->operators.size() && result; ++i) {
    const auto right = affine_subscript(context, *binary->operands[i + 1]);
    if (!right) return std::nullopt;
    result = combined(*result, binary->operators[i].op, *right);
    if (result && !is_small(*result)) return std::nullopt;
  }
  return result;
}

}  // namespace frontend::check
