#include "frontend/check/functions/custom_recursion.h"

#include <fmt/format.h>

#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "frontend/check/diagnostics/custom_gradient_diagnostics.h"

namespace frontend::check {
namespace {

/// Returns whether a derivative of `called` uses the function `wanted`.
bool reaches(const Instance& called, const Function& wanted) {
  std::unordered_set<const Instance*> seen;
  std::vector<const Instance*> open{&called};
  while (!open.empty()) {
    const Instance* next = open.back();
    open.pop_back();
    if (next == nullptr || !seen.insert(next).second) continue;
    if (next->function == &wanted) return true;
    open.push_back(next->custom_gradient);
    for (const auto& node : next->body.nodes)
      if (node->live) open.push_back(node->callee);
  }
  return false;
}

/// Returns the first call that was found within what `gradient` differentiates whose derivative uses
/// `wanted`; null where there is none. What computes the values by which it differentiates is not part of
/// that.
const Node* call_within(const Node& gradient, const Function& wanted) {
  std::unordered_set<const Node*> seen(gradient.operands.begin() + 1, gradient.operands.end());
  std::vector<const Node*> open{gradient.operands[0]};
  while (!open.empty()) {
    const Node* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    if (next->callee != nullptr && reaches(*next->callee, wanted)) return next;
    open.insert(open.end(), next->operands.begin(), next->operands.end());
  }
  return nullptr;
}

}  // namespace

void check_custom_recursion(const Program& program, dlvm::Diagnostics& diagnostics) {
  std::set<std::tuple<const dlvm::Source*, std::uint32_t, std::uint32_t>> reported;
  for (const auto& instance : program.instances) {
    const Function* of = instance->function->custom_gradient_of;
    if (of == nullptr) continue;
    for (const auto& node : instance->body.nodes) {
      if (!node->live || node->kind != Node::Kind::gradient) continue;
      const Node* call = call_within(*node, *instance->function);
      if (call == nullptr) continue;
      const Location at = node->place();
      if (!reported.emplace(at.source, at.line, at.column).second) continue;
      diagnostics.report(custom_of_itself, at, of->name())
          .note(call->location, fmt::format("'{}' is called here", call->callee->function->name()))
          .fix(fmt::format("call a function that has no custom gradient, from '{}' and from here",
                           of->name()));
    }
  }
}

}  // namespace frontend::check
