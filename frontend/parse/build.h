// Parse trees to abstract syntax, one declaration at a time.
#pragma once

#include <algorithm>

#include "frontend/ast/statement.h"
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
  void skip(const Chunk& chunk);

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
  void add_custom_gradient(Grammar::CustomGradientContext& tree);
  void add_optimize(Grammar::OptimizeContext& tree);
  // Structs and enums (build_type_declaration.cpp).
  void add_structure(Grammar::StructureContext& tree);
  void add_enumeration(Grammar::EnumerationContext& tree);
  /// Returns whether a struct or an enum of the file has the name.
  bool declares_type(std::string_view name) const;
  /// Whether the file declares a net of that name.
  bool declares_net(std::string_view name) const;
  // Nets (build_net.cpp).
  void begin_net(Grammar::NetHeaderContext& tree);
  void end_scope();
  /// Reports what cannot stand in the net or the recurrent block that is open. Returns false if there was
  /// something.
  bool may_stand_here(Grammar::ItemContext& item);
  bool may_stand_in_net(Grammar::ItemContext& item);
  void add_instance(Grammar::DeclarationContext& tree);
  ast::NetArgument net_argument(Grammar::NetArgumentContext& tree);
  ast::Extent net_of_file(Grammar::NetOfFileContext& tree);
  std::vector<ast::Name> paths(Grammar::PathsContext& tree) const;
  // Recurrent blocks (build_recurrence.cpp).
  /// A declaration of the name alone.
  ast::Declaration plain(antlr4::tree::TerminalNode* node) const;
  void begin_recurrence(Grammar::RecurrentHeaderContext& tree);
  bool may_stand_in_recurrence(Grammar::ItemContext& item);
  /// Returns whether it is `h[0-1] = …` in a recurrent block.
  bool is_initial_value(Grammar::DeclarationContext& tree) const;
  void add_initial_value(Grammar::DeclarationContext& tree);
  std::vector<ast::Declaration>& declarations() {
    if (in_net()) return net_.declarations;
    return recurrences_.empty() ? module_.declarations : recurrences_.back().declarations;
  }
  std::vector<ast::Function>& functions() { return in_net() ? net_.functions : module_.functions; }
  bool in_net() const { return inside(OpenScope::Kind::net); }
  ast::Parameter parameter(Grammar::ParameterContext& tree);
  std::vector<ast::Name> names(Grammar::NamesContext& tree) const;
  std::vector<ast::Name> indices(Grammar::IndicesContext& tree);
  /// `has_value` says that an expression follows.
  void unknown_role(const Token& token, const ast::Name& declared, bool has_value);

  // Types and extents (build_type.cpp).
  /// `integers` allows `int`, which stands for any integer type.
  ast::Type type(Grammar::TypeContext& tree, bool integers = false);
  ast::Type type(Grammar::PlainTypeContext& tree);
  /// Gives the type the shape that is written, or `auto`.
  void take_shape(ast::Type& type, Grammar::ShapeContext& tree);
  void report_automatic(const Token& word);
  ast::Shape shape(antlr4::ParserRuleContext& tree, Grammar::ExtentsContext* extents);
  ast::Extent extent(Grammar::ExtentContext& tree);
  ast::Extent extent(Grammar::ExtentTermContext& tree);
  ast::Extent extent(Grammar::ExtentFactorContext& tree);
  ast::Extent number_extent(const Token& token);
  ast::Extent name_extent(const Token& token, bool rest);
  std::optional<ast::ElementType> element(const Token& token, bool integers);

  // Statements (build_statement.cpp).
  ast::Block block(Grammar::BlockContext& tree);
  ast::Statement statement(Grammar::StatementContext& tree);
  ast::Statement result(Grammar::ResultsContext& tree, Location location);
  /// The case of these names, the first of which is its own.
  ast::Case matched_case(const std::vector<antlr4::tree::TerminalNode*>& names) const;

  // Expressions (build_expression.cpp).
  ast::ExpressionPointer expression(Expression& tree);
  ast::ExpressionPointer primary(Grammar::PrimaryContext& tree);
  ast::ExpressionPointer literal(Grammar::PrimaryContext& tree);
  ast::ExpressionPointer match(Grammar::PrimaryContext& tree);
  /// Builds an expression without an operand on its left: a primary, a prefix operator, or an `if`.
  ast::ExpressionPointer leaf(Expression& tree);
  ast::ExpressionPointer prefix(Expression& tree);
  ast::ExpressionPointer conditional(Expression& tree);
  /// Builds `tree` applied to its left operand.
  ast::ExpressionPointer postfix(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer call(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer argument_value(Grammar::ArgumentContext& tree);
  /// Builds a call with `for`.
  ast::ExpressionPointer reduction(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer index(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer power(Expression& tree, ast::ExpressionPointer left);
  ast::ExpressionPointer infix(Expression& tree, ast::ExpressionPointer left);
  /// Sets the height from the children's heights, and reports a height beyond the limit once for each
  /// declaration.
  void grow(ast::Expression& e, std::initializer_list<const ast::ExpressionPointer*> children);
  void grow(std::uint32_t& height, std::uint32_t child, const Location& location);

  const Token& token(const antlr4::Token* t) const { return resolved_.code[first_ + t->getTokenIndex()]; }
  /// Returns what stands between the quotation marks.
  std::string text_of(antlr4::tree::TerminalNode& string) const;
  ast::Name name(const antlr4::Token* t) const { return {std::string(token(t).text), token(t).location}; }
  ast::Name name(antlr4::tree::TerminalNode* node) const { return name(node->getSymbol()); }
  Location span(antlr4::ParserRuleContext& tree) const;
  Location span(const Location& from, const Token& last) const;

  /// A net or a recurrent block whose `}` has not been seen.
  struct OpenScope {
    enum class Kind : std::uint8_t {
      net,
      recurrence,
      left_out,  ///< one that cannot stand there, or whose header could not be read
    };
    Kind kind;
    bool failed = false;  ///< the header has a mistake
  };
  bool inside(OpenScope::Kind kind) const {
    return std::ranges::any_of(open_, [&](const OpenScope& each) { return each.kind == kind; });
  }

  ast::Module& module_;
  std::vector<OpenScope> open_;
  ast::Net net_;                              ///< the net that is open
  std::vector<ast::Recurrence> recurrences_;  ///< the recurrent blocks that are open, from the outside
  const Resolved& resolved_;
  Diagnostics& diagnostics_;
  std::size_t first_ = 0;  ///< the index of the first token of the current chunk
  std::string doc_;
  /// The role of the declaration whose type is built.
  std::optional<ast::Role> role_;
  std::string instance_;       ///< `Dense(784, 256)` while the arguments of such an instance are built
  bool failed_ = false;        ///< the current declaration is left out
  bool anything_yet_ = false;  ///< a declaration other than `module` and `type` has been seen
};

}  // namespace frontend::syntax
