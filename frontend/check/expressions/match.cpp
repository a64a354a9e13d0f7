// `match t { leaf(v) => a  node(l, r) => b }`: the value of the case that an enum has.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/declarations/state_changes.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/local_values.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/functions/matches.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

class MatchChecker {
 public:
  MatchChecker(BodyContext& context, const ast::Match& syntax) : context_(context), syntax_(syntax) {}

  Node* check(Hint hint) {
    const std::size_t begin = context_.body.nodes.size();
    Node* value = check_matched(context_, *syntax_.value, CaseForm::value);
    const DeclaredType* type = value != nullptr ? value->type.declared : nullptr;
    const auto order = type != nullptr
                           ? order_of_cases(context_, syntax_.cases, syntax_.word, *type, CaseForm::value)
                           : std::nullopt;
    Node node;
    node.kind = Node::Kind::match;
    node.location = syntax_.word;
    node.operands.push_back(value);
    bool complete = order.has_value();
    for (std::size_t i = 0; i < syntax_.cases.size(); ++i) {
      const std::size_t first = context_.body.nodes.size();
      MatchedCase written;
      if (order) written.position = (*order)[i];
      Node* result = result_of(i, type, written, hint);
      complete = complete && result != nullptr;
      if (result != nullptr && resolved(context_, result->type.element).known() && result->type.is_tensor())
        hint = resolved(context_, result->type.element).type;
      node.operands.push_back(result);
      node.sides.push_back(context_.body.nodes.size() - first);
      node.cases.push_back(std::move(written));
    }
    if (!complete || first_ == nullptr || !is_of_whole_tensors(begin)) return nullptr;
    node.type = first_->type;
    return add_node(context_, std::move(node));
  }

 private:
  /// The value of case `i`, in which its payload has names; null after a mistake.
  Node* result_of(std::size_t i, const DeclaredType* type, MatchedCase& written, Hint hint) {
    Locals own;  // where there are no statements, no other names
    Locals* const outer = context_.locals;
    if (outer == nullptr) context_.locals = &own;
    context_.locals->open_block();
    const bool declared = declare_payload(context_, syntax_.cases[i], type, written.payload);
    const NoChange no_change(context_, "in one case of a 'match'");
    Node* result = check_any_expression(context_, *syntax_.results[i], hint);
    if (result != nullptr && first_ != nullptr) result = with_type_of_first(result, i);
    if (result != nullptr && first_ == nullptr) {
      first_ = result;
      first_case_ = i;
    }
    warn_of_unused(context_, context_.locals->close_block());
    context_.locals = outer;
    return declared ? result : nullptr;
  }

  /// The value with the type of the first case; reports one that cannot have it.
  Node* with_type_of_first(Node* result, std::size_t i) {
    const auto differs = [&]() -> Node* {
      report_difference(result, i);
      return nullptr;
    };
    const Type& type = first_->type;
    if (is_same_declared(result->type, type) && !type.is_tensor())
      return require_declared(context_, result, type.declared, "a value of the match", first_->place());
    if (result->type.declared != type.declared) return differs();
    if (result->type.rank() != type.rank()) return differs();
    if (!unify_elements(context_, result->type.element, type.element)) return differs();
    for (std::size_t axis = 0; axis < type.rank(); ++axis)
      if (!require_equal(context_, type.shape[axis], result->type.shape[axis],
                         fmt::format("two cases of a match have extents {{left}} and {{right}} on axis {}, "
                                     "which must be equal",
                                     axis),
                         result->place(), [](dlvm::Diagnostic&) {}))
        return differs();
    return make_reshape(context_, result, type.shape, result->location);
  }

  void report_difference(const Node* result, std::size_t i) {
    const ast::Name &first = syntax_.cases[first_case_].name, &other = syntax_.cases[i].name;
    const Type before = type_of(context_, first_), own = type_of(context_, result);
    auto& report = context_.diagnostics.report(values_of_cases_differ, result->place(), first.text,
                                               spelling(before), other.text, spelling(own));
    report.note(first_->place(), fmt::format("the value of the case '{}'", first.text));
    if (!before.is_tensor() || !own.is_tensor()) return;
    if (before.element.known() && own.element.known() && before.element.type != own.element.type)
      report.fix(fmt::format("convert it: {}", converted(result->place(), before.element.type)));
    else if (own.is_scalar())
      report.fix(
          fmt::format("broadcast({}, to: {})", quoted(result->place(), "..."), spelling(before.shape)));
    else if (before.is_scalar())
      report.fix(fmt::format("for the case '{}': broadcast({}, to: {})", first.text,
                             quoted(first_->place(), "..."), spelling(own.shape)));
  }

  /// Nothing from node `begin` on depends on an index.
  bool is_of_whole_tensors(std::size_t begin) {
    if (context_.equation == nullptr) return true;
    const auto& nodes = context_.body.nodes;
    const auto is_of_element = [](const auto& node) {
      return node->indexed || node->kind == Node::Kind::reduction;
    };
    if (std::none_of(nodes.begin() + static_cast<std::ptrdiff_t>(begin), nodes.end(), is_of_element))
      return true;
    context_.diagnostics.report(match_of_element, syntax_.word)
        .fix(context_.instance == nullptr ? "name what depends on no index before: m = match ..."
                                          : "name what depends on no index before: let m = match ...");
    return false;
  }

  BodyContext& context_;
  const ast::Match& syntax_;
  const Node* first_ = nullptr;  ///< the first value without a mistake
  std::size_t first_case_ = 0;
};

}  // namespace

Node* check_match(BodyContext& context, const ast::Match& e, Hint hint) {
  return MatchChecker(context, e).check(hint);
}

}  // namespace frontend::check
