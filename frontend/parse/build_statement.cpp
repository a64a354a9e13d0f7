#include <utility>

#include "frontend/parse/build.h"

namespace frontend::syntax {

using ast::Statement;

namespace {

Statement::Kind kind_of(const Grammar::StatementContext& tree) {
  auto& t = const_cast<Grammar::StatementContext&>(tree);
  if (t.word) return t.word->getType() == Grammar::LET ? Statement::Kind::let : Statement::Kind::var;
  if (!t.IF().empty()) return Statement::Kind::conditional;
  if (t.LOOP()) return Statement::Kind::counted;
  if (t.WHILE()) return Statement::Kind::loop;
  if (t.MATCH()) return Statement::Kind::match;
  if (t.NEXT()) return Statement::Kind::next;
  return t.RETURN() ? Statement::Kind::result : Statement::Kind::assignment;
}

}  // namespace

ast::Block Builder::block(Grammar::BlockContext& tree) {
  ast::Block block;
  block.location = token(tree.getStart()).location;
  block.end = token(tree.getStop()).location;
  for (auto* each : tree.statement()) block.statements.push_back(statement(*each));
  return block;
}

Statement Builder::statement(Grammar::StatementContext& tree) {
  const Location start = token(tree.getStart()).location;
  if (tree.RETURN()) return result(*tree.results(), start);
  Statement statement;
  statement.kind = kind_of(tree);
  statement.location = start;
  for (auto* each : tree.target()) {
    ast::Target target{name(each->NAME()), {}};
    target.type.location = target.name.location;
    if (each->type()) target.type = type(*each->type());
    statement.targets.push_back(std::move(target));
  }
  if (tree.NAME()) statement.targets.push_back({name(tree.NAME()), {}});
  for (auto* each : tree.expression()) statement.expressions.push_back(expression(*each));
  for (auto* each : tree.block()) statement.blocks.push_back(block(*each));
  for (auto* each : tree.matchCase()) {
    statement.cases.push_back(matched_case(each->NAME()));
    statement.blocks.push_back(block(*each->block()));
  }
  return statement;
}

Statement Builder::result(Grammar::ResultsContext& tree, Location location) {
  Statement statement;
  statement.kind = Statement::Kind::result;
  statement.location = location;
  for (auto* each : tree.expression()) statement.expressions.push_back(expression(*each));
  return statement;
}

ast::Case Builder::matched_case(const std::vector<antlr4::tree::TerminalNode*>& names) const {
  ast::Case written{name(names.front()), {}};
  for (std::size_t i = 1; i < names.size(); ++i) written.payload.push_back(name(names[i]));
  return written;
}

ast::ExpressionPointer Builder::match(Grammar::PrimaryContext& tree) {
  auto match = std::make_unique<ast::Match>(span(tree));
  match->word = token(tree.token).location;
  match->value = expression(*tree.expression());
  grow(*match, {&match->value});
  for (auto* each : tree.valueCase()) {
    match->cases.push_back(matched_case(each->NAME()));
    match->results.push_back(expression(*each->expression()));
    grow(*match, {&match->results.back()});
  }
  return match;
}

}  // namespace frontend::syntax
