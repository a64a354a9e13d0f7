// Nets, their instances, and the names of what is in them.
#include <utility>

#include "frontend/parse/build.h"
#include "frontend/parse/diagnostics.h"

namespace frontend::syntax {

void Builder::begin_net(Grammar::NetHeaderContext& tree) {
  anything_yet_ = true;
  if (!open_.empty()) {
    const Location location = token(tree.NET()->getSymbol()).location;
    if (inside(OpenScope::Kind::recurrence))
      diagnostics_.report(not_in_recurrence, location, "a net")
          .fix("declare the net and its instances before the block, and call them here");
    else if (in_net())
      diagnostics_.report(not_in_net, location, "another net")
          .fix("declare the net before, and an instance of it here: inner: NAME(n, m)");
    open_.push_back({OpenScope::Kind::left_out});
    return;
  }
  open_.push_back({OpenScope::Kind::net});
  net_ = {};
  net_.doc = doc_;
  net_.name = name(tree.NAME());
  for (auto* each : tree.netParameter()) {
    ast::Dimension parameter{"", name(each->NAME()), std::nullopt};
    if (parameter.name.text == "x") {
      failed_ = true;
      diagnostics_.report(dimension_named_x, parameter.name.location);
    }
    if (auto* value = each->extent()) parameter.value = extent(*value);
    if (auto* value = each->netOfFile()) parameter.value = net_of_file(*value);
    net_.parameters.push_back(std::move(parameter));
  }
  open_.back().failed = failed_;
}

void Builder::end_scope() {
  if (open_.empty()) return;
  const OpenScope ended = open_.back();
  open_.pop_back();
  if (ended.kind == OpenScope::Kind::net && !ended.failed) module_.nets.push_back(std::move(net_));
  if (ended.kind != OpenScope::Kind::recurrence) return;
  ast::Recurrence recurrence = std::move(recurrences_.back());
  recurrences_.pop_back();
  if (ended.failed) return;
  (recurrences_.empty() ? module_.recurrences : recurrences_.back().recurrences)
      .push_back(std::move(recurrence));
}

bool Builder::may_stand_here(Grammar::ItemContext& item) {
  if (in_net()) return may_stand_in_net(item);
  return recurrences_.empty() || may_stand_in_recurrence(item);
}

bool Builder::may_stand_in_net(Grammar::ItemContext& item) {
  if (item.function() || item.declaration()) return true;
  const Token& first = token(item.getStart());
  auto& report = diagnostics_.report(not_in_net, first.location, fmt::format("'{}'", first.text));
  if (item.nextValue() != nullptr)
    report.fix(fmt::format(
        "a function gives the state its next value: func apply(x: [n]) {{ {}' = ... return ... }}",
        first.text));
  return false;
}

ast::NetArgument Builder::net_argument(Grammar::NetArgumentContext& tree) {
  ast::NetArgument argument;
  if (tree.NAME()) argument.name = name(tree.NAME());
  argument.value = tree.netOfFile() != nullptr ? net_of_file(*tree.netOfFile()) : extent(*tree.extent());
  return argument;
}

ast::Extent Builder::net_of_file(Grammar::NetOfFileContext& tree) {
  ast::Extent extent;
  extent.kind = ast::Extent::Kind::member;
  extent.location = span(tree);
  extent.text = fmt::format("{}.{}", token(tree.file).text, token(tree.net).text);
  return extent;
}

void Builder::add_instance(Grammar::DeclarationContext& tree) {
  ast::NetInstance instance;
  instance.doc = doc_;
  instance.names = names(*tree.names());
  instance.location = instance.names.front().location;
  const antlr4::Token* first = tree.role != nullptr ? tree.role : tree.file;
  if (tree.net != nullptr) instance.file = name(first);
  instance.net = name(tree.net != nullptr ? tree.net : first);
  instance.use = span(token(first).location, token(tree.netArguments()->getStop()));
  if (auto* path = tree.pathInFiles()) instance.in_files = {text_of(*path->STRING()), span(*path), false};
  if (tree.net == nullptr && ast::role(instance.net.text)) {
    failed_ = true;
    diagnostics_
        .report(expected, token(tree.netArguments()->getStart()).location, "a shape in brackets", "'('")
        .fix(fmt::format("{}: {}[...]", instance.names.front().text, instance.net.text));
  }
  if (auto* array = tree.plainType()) {
    ast::Type written = type(*array);
    if (written.element || written.shape->extents.size() != 1 ||
        written.shape->extents[0].kind == ast::Extent::Kind::unknown ||
        written.shape->extents[0].kind == ast::Extent::Kind::rest) {
      failed_ = true;
      diagnostics_.report(not_an_array, written.location);
    } else {
      instance.count = std::move(written.shape->extents[0]);
    }
  }
  for (std::size_t i = first->getTokenIndex(); i <= tree.netArguments()->getStop()->getTokenIndex(); ++i)
    instance_ += resolved_.code[first_ + i].text;
  for (auto* each : tree.netArguments()->netArgument()) instance.arguments.push_back(net_argument(*each));
  instance_.clear();
  if (!failed_) (in_net() ? net_.instances : module_.instances).push_back(std::move(instance));
}

std::vector<ast::Name> Builder::paths(Grammar::PathsContext& tree) const {
  std::vector<ast::Name> all;
  for (auto* path : tree.path()) {
    ast::Name whole{"", span(*path)};
    for (auto* part : path->children)
      whole.text += token(static_cast<antlr4::tree::TerminalNode*>(part)->getSymbol()).text;
    all.push_back(std::move(whole));
  }
  return all;
}

}  // namespace frontend::syntax
