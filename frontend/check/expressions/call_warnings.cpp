#include "frontend/check/expressions/call_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Returns the node that computes a value of the body: that of a name is the result of its declaration, or
/// what a `let` names.
const Node* computed(const Node* node, const Body* body) {
  for (const Node* next = node; next != nullptr;) {
    node = next;
    next = nullptr;
    if (node->kind == Node::Kind::variable) next = body->variables[node->index].value;
    if (node->kind != Node::Kind::reference) continue;
    body = &node->declaration->body;
    next = body->result;
  }
  return node;
}

bool calls_library(const Node& node, std::string_view name) {
  return node.kind == Node::Kind::call && node.callee->function->scope->library &&
         node.callee->function->syntax->name.text == name;
}

/// Returns whether the location is a step of a pipe: its text lacks what is piped into it.
bool is_step(const Location& location) {
  if (!location.valid() || !location.source->text()) return false;
  const std::string_view before = std::string_view(*location.source->text())
                                      .substr(0, location.source->offset(location.line, location.column));
  return before.substr(0, before.find_last_not_of(" \t\n") + 1).ends_with("|>");
}

}  // namespace

void warn_about_probabilities(dlvm::Diagnostics& diagnostics, const Body& body, const Instance& callee,
                              std::span<Node* const> operands, Location location) {
  struct Loss {
    std::string_view name, applies;
  };
  constexpr Loss losses[]{{"cross_entropy", "softmax"}, {"binary_cross_entropy", "sigmoid"}};
  const std::string& name = callee.function->syntax->name.text;
  const auto loss = std::ranges::find(losses, name, &Loss::name);
  if (loss == std::end(losses) || !callee.function->scope->library) return;
  const Node* probabilities = computed(operands.front(), &body);
  if (probabilities == nullptr || !calls_library(*probabilities, loss->applies)) return;
  const Location logits = probabilities->operands.front()->place();
  diagnostics
      .report(applied_twice, location, name, loss->applies, quoted(operands.front()->place(), "its argument"))
      .note(probabilities->place(), fmt::format("the {} is applied here", loss->applies))
      .fix(fmt::format("{}({}, ...)", name,
                       is_step(logits) ? "the values before it" : quoted(logits, "the values before it")));
}

void warn_about_axis(dlvm::Diagnostics& diagnostics, const Instance& callee, Location location) {
  const std::string& name = callee.function->syntax->name.text;
  const auto along = callee.axes.find("along");
  if (!callee.function->scope->library || (name != "softmax" && name != "log_softmax") ||
      along == callee.axes.end())
    return;
  const Shape& shape = callee.parameters.front().shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = along->second < 0 ? along->second + rank : along->second;
  if (axis < 0 || axis >= rank || !shape[static_cast<std::size_t>(axis)].is(1)) return;
  auto& report =
      diagnostics.report(softmax_of_one, location, name, axis, spelling(callee.parameters.front()));
  if (axis == rank - 1)
    report.fix(name == "softmax" ? "the probability that belongs to one logit is sigmoid(...)"
                                 : "the logarithm of the probability of one logit is -softplus(-...)");
  const auto meant =
      std::find_if(shape.rbegin(), shape.rend(), [](const Extent& extent) { return !extent.is(1); });
  if (meant == shape.rend()) return;
  if (axis == rank - 1 && !meant->constant()) return;  // the batch is not what is meant
  const std::int64_t other = rank - 1 - (meant - shape.rbegin());
  report.fix(fmt::format("along axis {0}, of extent {1}: {2}(..., along: {0})", other,
                         spelling(shape[static_cast<std::size_t>(other)]), name));
}

}  // namespace frontend::check
