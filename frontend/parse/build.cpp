#include "frontend/parse/build.h"

#include <array>
#include <utility>

#include "dlvm/support/suggest.h"
#include "frontend/ast/statement.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/python/translate.h"
#include "frontend/support/other_languages.h"
#include "frontend/support/stdlib.h"

namespace frontend::syntax {

using ast::Name;

void Builder::add(Grammar::ItemContext& item, const Chunk& chunk) {
  first_ = chunk.first;
  doc_ = chunk.doc;
  failed_ = false;
  if (auto* tree = item.netHeader()) return begin_net(*tree);
  if (auto* tree = item.recurrentHeader()) return begin_recurrence(*tree);
  if (item.RIGHT_BRACE()) return end_scope();
  if (inside(OpenScope::Kind::left_out) || !may_stand_here(item)) return;
  if (item.MODULE()) return add_module_line(item);
  if (item.TYPE()) return add_type_line(item);
  anything_yet_ = true;
  if (item.IMPORT()) module_.imports.push_back({name(item.NAME())});
  if (item.DIM()) add_dimensions(item);
  if (auto* tree = item.function()) add_function(*tree);
  if (auto* tree = item.gradient()) add_gradient(*tree);
  if (auto* tree = item.customGradient()) add_custom_gradient(*tree);
  if (auto* tree = item.optimize()) add_optimize(*tree);
  if (auto* tree = item.structure()) add_structure(*tree);
  if (auto* tree = item.enumeration()) add_enumeration(*tree);
  if (auto* tree = item.declaration()) add_declaration(*tree);
  if (auto* tree = item.nextValue()) add_next_value(*tree);
}

void Builder::add_module_line(Grammar::ItemContext& item) {
  const Token& word = token(item.MODULE()->getSymbol());
  if (module_.name || module_.element_type || anything_yet_) {
    auto& report = diagnostics_.report(misplaced_header, word.location, word.text);
    if (module_.name)
      report.note(module_.name->location, fmt::format("the module is named '{}' here", module_.name->text))
          .fix("leave the line out");
    else
      report.fix(
          fmt::format("write the line 'module {}' before all others", token(item.NAME()->getSymbol()).text));
    return;
  }
  module_.name = name(item.NAME());
  module_.doc = doc_;
}

void Builder::add_type_line(Grammar::ItemContext& item) {
  const Token& word = token(item.TYPE()->getSymbol());
  if (module_.element_type || anything_yet_) {
    auto& report = diagnostics_.report(misplaced_header, word.location, word.text);
    if (module_.element_type)
      report.note(module_.element_type_location, "the element type is given here").fix("leave the line out");
    else
      report.fix(fmt::format(
          "write the line 'type {}' {}", token(item.element).text,
          module_.name ? fmt::format("behind 'module {}'", module_.name->text) : "before all declarations"));
    return;
  }
  module_.element_type = element(token(item.element), false);
  module_.element_type_location = token(item.element).location;
}

void Builder::add_dimensions(Grammar::ItemContext& item) {
  for (auto* tree : item.dimension()) {
    ast::Dimension dimension{doc_, name(tree->NAME()), std::nullopt};
    if (dimension.name.text == "x") {
      failed_ = true;
      diagnostics_.report(dimension_named_x, dimension.name.location);
    }
    if (auto* value = tree->extent()) dimension.value = extent(*value);
    if (!failed_) module_.dimensions.push_back(std::move(dimension));
  }
}

void Builder::skip(const Chunk& chunk) {
  anything_yet_ = true;
  if (chunk.opens_scope) open_.push_back({OpenScope::Kind::left_out});
  if (chunk.closes_scope) end_scope();
}

std::vector<Name> Builder::names(Grammar::NamesContext& tree) const {
  std::vector<Name> all;
  for (auto* node : tree.NAME()) all.push_back(name(node));
  return all;
}

void Builder::unknown_role(const Token& token, const ast::Name& declared, bool has_value) {
  failed_ = true;
  constexpr std::array<std::string_view, 19> candidates = {
      "in",   "param", "const", "hidden", "layer", "out",     "loss",     "metric",  "state",  "bool",
      "int8", "int16", "int32", "int64",  "uint8", "float16", "bfloat16", "float32", "float64"};
  auto& report = diagnostics_.report(syntax::unknown_role, token.location, token.text);
  if (declares_type(token.text))
    return void(
        report.fix(fmt::format("a role stands before the type, {}: hidden {} = ...; the type may be left out",
                               declared.text, token.text)));
  if (declares_net(token.text) || !library_module_with("net", token.text).empty())
    return void(report.fix(
        fmt::format("an instance of a net has parentheses, with its dimensions if it has any: {}: {}(...)",
                    declared.text, token.text)));
  if (const auto role = role_elsewhere(token.text); !role.empty())
    return void(
        report.fix(fmt::format("write '{}'", role), dlvm::replacement(token.location, std::string(role))));
  if (const auto type = element_type_elsewhere(token.text); !type.empty())
    return void(
        report.fix(has_value ? fmt::format("write '{}'", type)
                             : fmt::format("a role stands before the type: in {}", type),
                   dlvm::replacement(token.location, fmt::format("{}{}", has_value ? "" : "in ", type))));
  const std::string_view value = python::constant(token.text);
  if (!has_value && (value == "true" || value == "false"))
    return void(report.fix(fmt::format("a value stands behind '=': {} = {}", declared.text, value)));
  if (const auto near = dlvm::closest(token.text, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  else
    report.note("the roles are in, param, const, hidden, layer, out, loss, metric and state");
}

std::vector<Name> Builder::indices(Grammar::IndicesContext& tree) {
  std::vector<Name> all;
  for (auto* written : tree.expression()) {
    const auto* primary = written->primary();
    if (primary != nullptr && primary->token->getType() == Grammar::NAME) {
      all.push_back(name(primary->token));
      continue;
    }
    failed_ = true;
    std::string text;
    for (auto i = written->getStart()->getTokenIndex(); i <= written->getStop()->getTokenIndex(); ++i)
      text += resolved_.code[first_ + i].text;
    auto& report = diagnostics_.report(index_not_name, span(*written), text)
                       .fix("move what is computed to the right side: y[i] = x[i + 1]")
                       .fix("a shape stands behind the role: y: hidden[3 x 4] = ...");
    if (text.find_first_not_of("0123456789") == std::string::npos)
      report.fix(fmt::format("a tensor with another row: replace(x, ..., at: {})", text));
  }
  return all;
}

void Builder::add_declaration(Grammar::DeclarationContext& tree) {
  if (tree.netArguments()) return add_instance(tree);
  if (is_initial_value(tree)) return add_initial_value(tree);
  ast::Declaration declaration;
  declaration.doc = doc_;
  if (tree.names())
    declaration.names = names(*tree.names());
  else
    declaration.names.push_back(name(tree.plain));
  declaration.location = declaration.names.front().location;
  declaration.type.location = declaration.names.back().location;
  if (tree.role) {
    const Token& word = token(tree.role);
    const auto role = ast::role(word.text);
    if (!role) unknown_role(word, declaration.names.back(), tree.expression() != nullptr);
    declaration.role = role.value_or(ast::Role::hidden);
    declaration.role_location = word.location;
    declaration.type.location = word.location;
  }
  role_ = declaration.role;
  if (tree.type()) declaration.type = type(*tree.type());
  if (tree.plainType()) declaration.type = type(*tree.plainType());
  role_.reset();
  if (auto* written = tree.nameInFiles())
    declaration.in_files = {text_of(*written->STRING()), span(*written), written->TRANSPOSE() != nullptr};
  if (tree.scale()) declaration.scale = expression(*tree.scale()->expression());
  if (tree.indices()) declaration.indices = indices(*tree.indices());
  if (tree.expression()) declaration.value = expression(*tree.expression());
  if (!failed_) declarations().push_back(std::move(declaration));
}

std::string Builder::text_of(antlr4::tree::TerminalNode& string) const {
  const std::string_view text = token(string.getSymbol()).text;
  return std::string(text.substr(1, text.size() - 2));
}

void Builder::add_next_value(Grammar::NextValueContext& tree) {
  ast::Declaration next;
  next.doc = doc_;
  next.names.push_back(name(tree.NAME()));
  next.location = next.type.location = next.names.front().location;
  next.value = expression(*tree.expression());
  if (!failed_) module_.next_values.push_back(std::move(next));
}

ast::Parameter Builder::parameter(Grammar::ParameterContext& tree) {
  ast::Parameter parameter;
  parameter.name = name(tree.NAME());
  auto& written = *tree.type();
  if (!written.NAME().empty() && !written.shape() && written.member == nullptr)
    for (const auto kind : {ast::Parameter::Kind::axis, ast::Parameter::Kind::flag})
      if (name(written.NAME(0)).text == ast::spelling(kind)) parameter.kind = kind;
  if (parameter.is_value())
    parameter.type = type(written, true);
  else
    parameter.type.location = span(written);
  if (tree.expression()) parameter.value = expression(*tree.expression());
  return parameter;
}

void Builder::add_function(Grammar::FunctionContext& tree) {
  ast::Function function;
  function.doc = doc_;
  function.name = name(tree.NAME());
  for (auto* p : tree.parameter()) function.parameters.push_back(parameter(*p));
  for (auto* result : tree.type()) function.results.push_back(type(*result, true));
  if (tree.block()) {
    function.block = std::make_shared<ast::Block>(block(*tree.block()));
  } else if (auto* results = tree.results(); results->RESULTS_OPEN()) {
    ast::Block only;
    only.location = only.end = span(*results);
    only.statements.push_back(result(*results, only.location));
    function.block = std::make_shared<ast::Block>(std::move(only));
  } else {
    function.body = expression(*results->expression(0));
  }
  if (!failed_) functions().push_back(std::move(function));
}

void Builder::add_gradient(Grammar::GradientContext& tree) {
  ast::Gradient gradient;
  gradient.doc = doc_;
  gradient.name = name(tree.NAME());
  gradient.location = gradient.name.location;
  gradient.of = names(*tree.of);
  if (tree.from) gradient.from = name(tree.from);
  gradient.wrt = paths(*tree.wrt);
  if (tree.keeping) gradient.keeping = paths(*tree.keeping);
  gradient.seedable = tree.SEEDABLE() != nullptr;
  module_.gradients.push_back(std::move(gradient));
}

void Builder::add_custom_gradient(Grammar::CustomGradientContext& tree) {
  ast::CustomGradient custom;
  custom.doc = doc_;
  custom.of = name(tree.of);
  for (const antlr4::Token* parameter : tree.parameters) custom.parameters.push_back(name(parameter));
  ast::Block body;
  if (tree.block()) {
    body = block(*tree.block());
  } else {
    body.location = body.end = span(*tree.results());
    body.statements.push_back(result(*tree.results(), body.location));
  }
  custom.block = std::make_shared<ast::Block>(std::move(body));
  if (!failed_) module_.custom_gradients.push_back(std::move(custom));
}

void Builder::add_optimize(Grammar::OptimizeContext& tree) {
  ast::Optimize optimize;
  optimize.doc = doc_;
  optimize.location = token(tree.OPTIMIZE()->getSymbol()).location;
  optimize.call = expression(*tree.call);
  if (tree.scaling != nullptr) optimize.scaling = expression(*tree.scaling);
  if (!failed_) module_.optimizers.push_back(std::move(optimize));
}

Location Builder::span(const Location& from, const Token& last) const {
  Location whole = from;
  if (last.location.line == from.line) {
    whole.length = last.location.column + last.location.length - from.column;
    return whole;
  }
  const std::string_view line = from.source->line(from.line);
  std::uint32_t characters = 0;
  for (const char c : line) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  // The location of what goes on behind its line covers the end of the line, by which `quoted` recognizes it.
  whole.length = characters >= from.column ? characters - from.column + 2 : from.length;
  return whole;
}

Location Builder::span(antlr4::ParserRuleContext& tree) const {
  return span(token(tree.getStart()).location, token(tree.getStop()));
}

}  // namespace frontend::syntax
