#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "dlvm/support/suggest.h"
#include "frontend/parse/build.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/python/translate.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

constexpr std::array<std::string_view, 10> element_types = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64"};

/// The decimal digits of an integer literal, `1e3` as "1000"; nothing where it is none, or has an exponent so
/// large that no extent can.
std::optional<std::string> integer_digits(std::string_view literal) {
  std::string text(literal);
  std::erase(text, '_');
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string::npos) return text.find('.') == std::string::npos ? std::optional(text) : std::nullopt;
  int exponent = 0;
  const char* from = text.data() + e + 1;
  if (*from == '+') ++from;
  if (std::from_chars(from, text.data() + text.size(), exponent).ec != std::errc()) return std::nullopt;
  std::string digits = text.substr(0, e);
  if (const std::size_t dot = digits.find('.'); dot != std::string::npos) {
    const auto fraction = static_cast<int>(std::min<std::size_t>(digits.size() - dot - 1, 1000));
    exponent -= fraction;
    digits.erase(dot, 1);
  }
  constexpr int largest = 40;
  if (exponent < 0 || exponent > largest) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  return digits;
}

/// An element type, misspelt or as other languages write it.
bool element_like(std::string_view word) {
  return !element_type_elsewhere(word).empty() || !dlvm::closest(word, element_types).empty();
}

}  // namespace

std::optional<ast::ElementType> Builder::element(const Token& word, bool integers) {
  if (const auto type = ast::element_type(word.text)) return type;
  if (integers && word.text == "int") return ast::ElementType::any_integer;
  failed_ = true;
  auto& report = diagnostics_.report(unknown_element_type, word.location, word.text);
  if (const auto meant = element_type_elsewhere(word.text); !meant.empty())
    report.fix(fmt::format("write {}", meant), dlvm::replacement(word.location, std::string(meant)));
  else if (const auto near = dlvm::closest(word.text, element_types); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  return std::nullopt;
}

ast::Type Builder::type(Grammar::TypeContext& tree, bool integers) {
  if (tree.plainType()) return type(*tree.plainType());
  ast::Type type;
  type.location = span(tree);
  const Token& word = token(tree.NAME(0)->getSymbol());
  if (tree.member != nullptr) {
    type.declared = {name(tree.NAME(0)), name(tree.member)};
    return type;
  }
  const bool number = element_like(word.text) || (integers && word.text == "int");
  if (tree.shape() == nullptr && (declares_type(word.text) || !number)) {
    type.declared = {std::nullopt, name(tree.NAME(0))};
    return type;
  }
  type.element_location = word.location;
  type.element = element(word, integers);
  if (auto* written = tree.shape()) take_shape(type, *written);
  return type;
}

ast::Type Builder::type(Grammar::PlainTypeContext& tree) {
  ast::Type type;
  type.location = span(tree);
  if (tree.ELEMENT_TYPE()) {
    const Token& word = token(tree.ELEMENT_TYPE()->getSymbol());
    type.element_location = word.location;
    type.element = ast::element_type(word.text);
  }
  if (auto* written = tree.shape()) take_shape(type, *written);
  return type;
}

void Builder::take_shape(ast::Type& type, Grammar::ShapeContext& tree) {
  const antlr4::Token* first = tree.extents() != nullptr ? tree.extents()->getStart() : nullptr;
  const bool automatic = first != nullptr && first == tree.extents()->getStop() &&
                         token(first).kind == Grammar::AUTO && role_ == ast::Role::param;
  if (automatic)
    type.automatic = token(first).location;
  else
    type.shape = shape(tree, tree.extents());
}

/// `auto` where it is not the whole shape of a param.
void Builder::report_automatic(const Token& word) {
  failed_ = true;
  auto& report = diagnostics_.report(misplaced_auto, word.location);
  if (role_ == ast::Role::param)
    report.fix("write each extent, or param[auto], where all extents follow from the uses");
  else if (role_ == ast::Role::in)
    report.fix("an extent that the caller chooses has a name: in[N]");
  else if (role_ && role_ != ast::Role::state && role_ != ast::Role::constant)
    report.fix("leave the shape out: it follows from the expression");
  else
    report.fix("write the extents, or declare them with names: dim n = 8");
}

ast::Shape Builder::shape(antlr4::ParserRuleContext& tree, Grammar::ExtentsContext* extents) {
  ast::Shape shape;
  shape.location = span(tree);
  if (!extents) return shape;
  for (auto* each : extents->extent()) shape.extents.push_back(extent(*each));
  return shape;
}

ast::Extent Builder::number_extent(const Token& token) {
  ast::Extent extent;
  extent.kind = ast::Extent::Kind::number;
  extent.location = token.location;
  if (auto digits = integer_digits(token.text)) {
    extent.text = std::move(*digits);
  } else {
    failed_ = true;
    auto& report = diagnostics_.report(extent_not_integer, token.location, token.text);
    const std::string advice = instance_.empty() ? "" : python::advice_for_layer(instance_);
    if (!advice.empty() && !advice.starts_with("it is a net")) report.fix(advice);
  }
  return extent;
}

ast::Extent Builder::name_extent(const Token& token, bool rest) {
  ast::Extent extent;
  extent.kind = rest ? ast::Extent::Kind::rest : ast::Extent::Kind::name;
  extent.location = token.location;
  extent.text = token.text;
  if (extent.text == "x") {
    failed_ = true;
    diagnostics_.report(dimension_named_x, token.location);
  }
  return extent;
}

ast::Extent Builder::extent(Grammar::ExtentFactorContext& tree) {
  ast::Extent result;
  if (tree.value) {
    const Token& value = token(tree.value);
    if (value.kind == Grammar::NUMBER) return number_extent(value);
    if (value.kind == Grammar::AUTO) report_automatic(value);
    if (value.kind == Grammar::NAME) {
      result = name_extent(value, tree.dots != nullptr);
      result.location = span(tree);
      return result;
    }
    result.kind = ast::Extent::Kind::unknown;
    result.location = value.location;
    return result;
  }
  if (auto* inner = tree.extent()) {
    result = extent(*inner);
    result.location = span(tree);
    return result;
  }
  // A run of minus signs: two of them are none.
  std::size_t signs = 0;
  Grammar::ExtentFactorContext* factor = &tree;
  for (; factor->extentFactor(); factor = factor->extentFactor()) ++signs;
  ast::Extent operand = extent(*factor);
  if (signs % 2 == 0) return operand;
  result.kind = ast::Extent::Kind::negate;
  result.location = span(tree);
  grow(result.height, operand.height, result.location);
  if (!failed_) result.operands.push_back(std::move(operand));
  return result;
}

ast::Extent Builder::extent(Grammar::ExtentTermContext& tree) {
  const auto factors = tree.extentFactor();
  if (factors.size() == 1) return extent(*factors.front());
  ast::Extent result;
  result.kind = ast::Extent::Kind::chain;
  result.location = span(tree);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    result.operands.push_back(extent(*factors[i]));
    grow(result.height, result.operands.back().height, result.location);
    if (i == 0) continue;
    const Token& op = token(static_cast<antlr4::tree::TerminalNode*>(tree.children[2 * i - 1])->getSymbol());
    result.operators.push_back({op.text.front(), op.location});
  }
  return result;
}

ast::Extent Builder::extent(Grammar::ExtentContext& tree) {
  const auto terms = tree.extentTerm();
  if (terms.size() == 1) return extent(*terms.front());
  ast::Extent result;
  result.kind = ast::Extent::Kind::chain;
  result.location = span(tree);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    result.operands.push_back(extent(*terms[i]));
    grow(result.height, result.operands.back().height, result.location);
    if (i == 0) continue;
    const Token& op = token(static_cast<antlr4::tree::TerminalNode*>(tree.children[2 * i - 1])->getSymbol());
    result.operators.push_back({op.text.front(), op.location});
  }
  return result;
}

}  // namespace frontend::syntax
