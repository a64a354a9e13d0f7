// Recurrent blocks, and the values that they begin with.
#include <utility>

#include "frontend/parse/build.h"
#include "frontend/parse/diagnostics.h"

namespace frontend::syntax {

ast::Declaration Builder::plain(antlr4::tree::TerminalNode* node) const {
  ast::Declaration declaration;
  declaration.names.push_back(name(node));
  declaration.location = declaration.type.location = declaration.names.front().location;
  return declaration;
}

void Builder::begin_recurrence(Grammar::RecurrentHeaderContext& tree) {
  anything_yet_ = true;
  const Location location = token(tree.RECURRENT()->getSymbol()).location;
  if (in_net())
    diagnostics_.report(not_in_net, location, "a recurrent block")
        .fix("write the block in the module, and call the net's functions in it");
  constexpr std::size_t max_depth = 32;
  const bool too_deep = recurrences_.size() >= max_depth;
  if (too_deep) diagnostics_.report(recurrences_too_deep, location, max_depth);
  if (too_deep || in_net() || inside(OpenScope::Kind::left_out)) {
    open_.push_back({OpenScope::Kind::left_out});
    return;
  }
  ast::Recurrence recurrence;
  recurrence.location = location;
  recurrence.doc = doc_;
  recurrence.counter = plain(tree.NAME());
  recurrence.backward = tree.BACKWARD() != nullptr;
  if (tree.extent()) recurrence.length = extent(*tree.extent());
  for (auto* each : tree.sequence()) {
    recurrence.sequences.push_back(plain(each->NAME()));
    recurrence.sequences.back().value = expression(*each->expression());
  }
  recurrences_.push_back(std::move(recurrence));
  open_.push_back({OpenScope::Kind::recurrence, failed_});
}

bool Builder::may_stand_in_recurrence(Grammar::ItemContext& item) {
  const bool declaration = item.declaration() != nullptr && item.declaration()->netArguments() == nullptr;
  if (declaration) return true;
  const Token& first = token(item.getStart());
  auto& report = diagnostics_.report(
      not_in_recurrence, first.location,
      item.declaration() != nullptr ? "an instance of a net" : fmt::format("'{}'", first.text));
  if (item.declaration() != nullptr) report.fix("declare the instance before the block, and call it here");
  if (item.nextValue() != nullptr)
    report.fix(fmt::format("a value of the step before is written {}[{}-1]", first.text,
                           recurrences_.back().counter.names.front().text));
  return false;
}

bool Builder::is_initial_value(Grammar::DeclarationContext& tree) const {
  if (recurrences_.empty() || tree.indices() == nullptr || tree.type() || tree.plainType() || tree.role)
    return false;
  for (auto* index : tree.indices()->expression()) {
    const auto* primary = index->primary();
    if (primary == nullptr || primary->token->getType() != Grammar::NAME) return true;
  }
  return false;
}

void Builder::add_initial_value(Grammar::DeclarationContext& tree) {
  ast::InitialValue initial;
  initial.declaration.names.push_back(name(tree.plain));
  initial.declaration.location = initial.declaration.type.location =
      initial.declaration.names.front().location;
  for (auto* index : tree.indices()->expression()) initial.steps.push_back(expression(*index));
  initial.declaration.value = expression(*tree.expression());
  if (!failed_) recurrences_.back().initial_values.push_back(std::move(initial));
}

}  // namespace frontend::syntax
