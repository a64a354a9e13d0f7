#include "frontend/check/functions/expansion.h"

#include <fmt/format.h>

#include <limits>

#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/functions/statements.h"

namespace frontend::check {
namespace {

constexpr std::uint64_t uncountable = std::numeric_limits<std::uint64_t>::max();

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > uncountable - b ? uncountable : a + b; }

std::string counted_operations(std::uint64_t count) {
  return count == uncountable ? "more than 10^19" : std::to_string(count);
}

bool is_call(const Node& node) { return node.live && node.callee != nullptr; }

/// The call in the body that comes to most; null where there is none.
const Node* largest_call(const Body& body) {
  const Node* largest = nullptr;
  for (const auto& node : body.nodes)
    if (is_call(*node) && (largest == nullptr || node->callee->size > largest->callee->size))
      largest = node.get();
  return largest;
}

/// From the largest call down to what it calls, for a few levels.
void report(const Node& call, std::uint64_t total, dlvm::Diagnostics& diagnostics) {
  constexpr int max_notes = 4;
  auto& message =
      diagnostics.report(too_many_operations, call.location, counted_operations(total), expansion_limit);
  const Node* inside = &call;
  for (int i = 0; i < max_notes && inside != nullptr; ++i) {
    message.note(inside->location,
                 fmt::format("this call of '{}' comes to {} operations", inside->callee->function->name(),
                             counted_operations(inside->callee->size)));
    inside = largest_call(inside->callee->body);
  }
  message.fix(
      "compute only once what is used twice: name it in the module, h = f(x), or pass it to a function that "
      "uses its parameter twice");
}

}  // namespace

// A branch, a loop or a gradient takes as long to compile as that many operations.
constexpr std::uint64_t size_of_branch = 250;

std::uint64_t expanded_size(const Body& body) {
  std::uint64_t size = 0;
  for_each_statement(body.statements,
                     [&](const Statement& each) { size = sum(size, size_of_branch * each.branches.size()); });
  for (const auto& node : body.nodes) {
    if (node->live && (node->kind == Node::Kind::choice || node->kind == Node::Kind::gradient))
      size = sum(size, size_of_branch);
    if (node->live) size = sum(size, size_of_branch * node->cases.size());
    if (node->live && node->kind == Node::Kind::operation) size = sum(size, 1);
    if (is_call(*node)) size = sum(size, node->callee->size);
  }
  return size;
}

void check_expansion(const Program& program, dlvm::Diagnostics& diagnostics) {
  std::uint64_t total = 0;
  const Node* largest = nullptr;
  for (const Declaration& d : program.declarations) {
    for (const auto& node : d.body.nodes)
      if (is_call(*node)) total = sum(total, node->callee->size);
    const Node* call = largest_call(d.body);
    if (call != nullptr && (largest == nullptr || call->callee->size > largest->callee->size)) largest = call;
  }
  if (total > expansion_limit) report(*largest, total, diagnostics);
}

}  // namespace frontend::check
