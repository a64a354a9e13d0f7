#include "frontend/check/types/declared_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Returns the value of a declaration for which `is_wanted` holds, and from which the value is computed
/// without a change of its rank; null where there is none.
const Node* find_source(const Node& x, const std::function<bool(const Declaration&)>& is_wanted) {
  std::vector<const Node*> open{&x};
  std::set<const Node*> seen{&x};
  while (!open.empty()) {
    const Node* at = open.back();
    open.pop_back();
    if (at->kind == Node::Kind::reference && is_wanted(*at->declaration)) return at;
    for (const Node* operand : at->operands)
      if (operand != nullptr && operand->type.rank() == x.type.rank() && seen.insert(operand).second)
        open.push_back(operand);
  }
  return nullptr;
}

bool is_last_step(const Declaration& declaration) { return declaration.part == Declaration::Part::last; }

/// Returns how the input of a recurrent block is declared of which each step has an axis too many; empty
/// where none is the cause.
std::string fix_of_step_input(const BodyContext& context, const Node& x) {
  const Node* input = find_source(x, [&](const Declaration& declaration) {
    return context.recurrence != nullptr && declaration.recurrence == context.recurrence &&
           declaration.syntax != nullptr && declaration.syntax->role == ast::Role::in;
  });
  if (input == nullptr) return "";
  const Shape& whole = input->type.shape;
  return fmt::format("the caller gives one for each step: {}: in{}", input->declaration->name,
                     spelling(Shape(whole.begin() + 1, whole.end())));
}

}  // namespace

Node* conform(BodyContext& context, Node* x, const ShapePattern& shape, Location declared,
              std::string_view what) {
  if (x == nullptr) return nullptr;
  const auto written = [&] {
    std::string out = "[";
    for (const auto& extent : shape)
      out += (out.size() > 1 ? " x " : "") + (extent ? spelling(*extent) : "?");
    return out + "]";
  };
  const auto origins = [&](dlvm::Diagnostic& diagnostic) {
    diagnostic.note(declared, fmt::format("declared {} here", written()));
    if (x->kind == Node::Kind::reference) explain_value(context, diagnostic, x, "the value");
  };
  const auto report = [&]() -> dlvm::Diagnostic& {
    auto& diagnostic = context.diagnostics.report(declared_shape_differs, x->location, what, written(),
                                                  spelling(type_of(context, x)));
    origins(diagnostic);
    return diagnostic;
  };
  Shape result = x->type.shape;
  const auto is_reshape = [&] {
    // A stack of one list has the elements in another order than that which is meant.
    if (std::ranges::find(context.diagnostics.all(), &stacked_list, &dlvm::Diagnostic::kind) !=
        context.diagnostics.all().end())
      return false;
    Extent count(1);
    for (const auto& extent : shape) count = count * extent.value_or(Extent(-1));
    return count == dlvm::unit_count(result);
  };
  if (shape.size() != result.size()) {
    auto& diagnostic = report();
    if (result.empty())
      diagnostic.fix(fmt::format("a declared shape does not stretch a scalar: broadcast({}, to: {})",
                                 quoted(x->place(), "..."), written()));
    else if (const std::string input = fix_of_step_input(context, *x);
             result.size() == shape.size() + 1 && !input.empty())
      diagnostic.fix(input);
    else if (const Node* last = find_source(*x, is_last_step);
             last != nullptr && shape.size() == result.size() + 1)
      diagnostic.fix(fmt::format("behind its block, {0} is the last step; all steps are sequence({0})",
                                 last->declaration->name),
                     dlvm::replacement(last->place(), fmt::format("sequence({})", last->declaration->name)));
    else if (is_reshape())
      diagnostic.fix(fmt::format("reshape: {} as {}", quoted_operand(x->place()), written()));
    return nullptr;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i] || *shape[i] == result[i]) continue;
    const std::string text =
        fmt::format("axis {} of {} is declared {}, which is {{left}}, but has extent {{right}} ({})", i, what,
                    spelling(*shape[i]), spelling(result[i]));
    context.checker.note_equation({*shape[i], result[i], dlvm::Requirement::Relation::equal,
                                   declared.valid() ? declared : x->location});
    if (!require_equal(context, *shape[i], result[i], text, x->location, origins)) {
      auto& diagnostic = report();
      Shape other;
      for (const auto& extent : shape) other.push_back(extent.value_or(Extent(-1)));
      if (result.size() == 2 && other == Shape{result[1], result[0]})
        diagnostic.fix(fmt::format("transpose: {}", quoted_transposed(x->place())));
      else if (is_reshape())
        diagnostic.fix(fmt::format("reshape: {} as {}", quoted_operand(x->place()), written()));
      return nullptr;
    }
    result[i] = *shape[i];
  }
  return make_reshape(context, x, std::move(result), x->location);
}

}  // namespace frontend::check
