// Parse trees to abstract syntax, one declaration at a time.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/token.h"

namespace frontend::syntax {

class Builder {
 public:
  Builder(ast::Module& module, const Resolved& resolved, Diagnostics& diagnostics)
      : module_(module), resolved_(resolved), diagnostics_(diagnostics) {}

  /// Adds the declaration to the module. If it has a mistake that the grammar does not see, reports that
  /// instead.
  void add(Grammar::ItemContext& item, const Chunk& chunk);
  /// Notes that a declaration stands here that could not be read.
  void skip() { anything_yet_ = true; }

 private:
  using Expression = Grammar::ExpressionContext;

  // Declarations (build.cpp).
  void add_module_line(Grammar::ItemContext& item);
  void add_type_line(Grammar::ItemContext& item);
  void add_dimensions(Grammar::ItemContext& item);
  void add_next_value(Grammar::NextValueContext& tree);
  void add_declaration(Grammar::DeclarationContext& tree);
  void add_function(Grammar::FunctionContext& tree);
  void add_gradient(Grammar::GradientContext& tree);
  ast::Parameter parameter(Grammar::ParameterContext& tree);
  std::vector<ast::Name> names(Grammar::NamesContext& tree) const;
  /// `has_value` says that an expression follows.
  void unknown_role(const Token& token, bool has_value);

  // Types and extents (build_type.cpp).
  /// `integers` allows `int`, which stands for any integer type.
  ast::Type type(Grammar::TypeContext& tree, bool integers = false);
  ast::Type type(Grammar::PlainTypeContext& tree);
  ast::Shape shape(antlr4::ParserRuleContext& tree, Grammar::ExtentsContext* extents);
  ast::Extent extent(Grammar::ExtentContext& tree);
  ast::Extent extent(Grammar::ExtentTermContext& tree);
  ast::Extent extent(Grammar::ExtentFactorContext& tree);
  ast::Extent number_extent(const Token& token);
  ast::Extent name_extent(const Token& token, bool rest);
  std::optional<ast::ElementType> element(const Token& token, bool integers);

  // Expressions (build_expression.cpp).
  ast::ExpressionPointer expression(Expression& tree);
  ast::ExpressionPointer primary(Grammar::PrimaryContext& tree);
  ast::ExpressionPointer literal(Grammar::PrimaryContext& tree);
  /// Builds an expression without an operand on its left: a primary, a prefix operator, or an `if`.
  ast::ExpressionPointer leaf(Expression& tree);
  ast::ExpressionPointer prefix(Expression& tree);
  ast::ExpressionPointer conditional(Expression& tree);
  /// Builds `tree` applied to its left operand.
  ast::ExpressionPointer postfix(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer call(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer index(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer power(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer infix(Expression& tree, ast::ExpressionPointer left);
  /// Sets the height from the children's heights, and reports a height beyond the limit once for each
  /// declaration.
  void grow(ast::Expression& e, std::initializer_list<const ast::ExpressionPointer*> children);
  void grow(std::uint32_t& height, std::uint32_t child, const Location& location);

  const Token& token(const antlr4::Token* t) const { return resolved_.code[first_ + t->getTokenIndex()]; }
  ast::Name name(const antlr4::Token* t) const { return {std::string(token(t).text), token(t).location}; }
  ast::Name name(antlr4::tree::TerminalNode* node) const { return name(node->getSymbol()); }
  Location span(antlr4::ParserRuleContext& tree) const;
  Location span(const Location& from, const Token& last) const;

  ast::Module& module_;
  const Resolved& resolved_;
  Diagnostics& diagnostics_;
  std::size_t first_ = 0;  ///< the index of the first token of the current chunk
  std::string doc_;
  bool failed_ = false;        ///< the current declaration is left out
  bool anything_yet_ = false;  ///< a declaration other than `module` and `type` has been seen
};

}  // namespace frontend::syntax
