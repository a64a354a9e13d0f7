#include "frontend/check/declarations/unchanged_states.h"

#include <algorithm>
#include <optional>

#include "frontend/check/functions/statements.h"

namespace frontend::check {
namespace {

/// A call whose function is looked into, in the function of another call or, without one, in the module.
struct Frame {
  const Node* call;
  const Body* body;  ///< of the callee
  const Frame* outer;
};

/// Follows values to the state that they are.
class Search {
 public:
  explicit Search(bool training) : training_(training) {}

  /// Returns the state that a declaration of the module is, or null.
  const Declaration* state_of(const Declaration& d) {
    if (d.state == nullptr && d.is_given()) return d.is_state() ? &d : nullptr;
    if (d.part != Declaration::Part::changed)
      return d.recurrence == nullptr && d.of == nullptr ? state_of(d.body.result, {nullptr, &d.body, nullptr})
                                                        : nullptr;
    const Body& body = d.of->body;
    const auto change = std::ranges::find(body.changes, d.state, &StateChange::state);
    return change == body.changes.end() ? nullptr : state_of(change->value, {nullptr, &body, nullptr});
  }

 private:
  const Declaration* state_of(const Node* node, const Frame& frame) {
    if (node == nullptr || ++steps_ > max_steps) return nullptr;
    switch (node->kind) {
      case Node::Kind::reference:
        return state_of(*node->declaration);
      case Node::Kind::parameter:
        if (frame.call == nullptr || node->index >= frame.call->operands.size()) return nullptr;
        return state_of(frame.call->operands[node->index], *frame.outer);
      case Node::Kind::variable:
        return state_of(frame.body->variables[node->index].value, frame);
      case Node::Kind::choice:
        return chosen(*node->operands[0], node->operands[1], node->operands[2], frame);
      case Node::Kind::operation:
        if (node->opcode == dlvm::Opcode::detach) return state_of(node->operands[0], frame);
        if (node->opcode != dlvm::Opcode::select) return nullptr;
        return chosen(*node->operands[2], node->operands[0], node->operands[1], frame);
      case Node::Kind::call:
        return state_of_result(*node, 0, frame);
      case Node::Kind::part:
        return node->operands[0]->kind == Node::Kind::call
                   ? state_of_result(*node->operands[0], node->index, frame)
                   : nullptr;
      default:
        return nullptr;
    }
  }

  const Declaration* chosen(const Node& written, const Node* where_true, const Node* where_false,
                            const Frame& frame) {
    const std::optional<bool> condition = decided(written);
    if (condition) return state_of(*condition ? where_true : where_false, frame);
    const Declaration* first = state_of(where_true, frame);
    return first != nullptr && first == state_of(where_false, frame) ? first : nullptr;
  }

  /// Returns the condition if `training` decides it.
  std::optional<bool> decided(const Node& condition) const {
    if (condition.kind == Node::Kind::training) return training_;
    if (condition.kind != Node::Kind::operation) return std::nullopt;
    if (condition.opcode == dlvm::Opcode::not_) {
      const auto operand = decided(*condition.operands[0]);
      return operand ? std::optional(!*operand) : std::nullopt;
    }
    if (condition.opcode != dlvm::Opcode::and_ && condition.opcode != dlvm::Opcode::or_) return std::nullopt;
    const bool decisive = condition.opcode == dlvm::Opcode::or_;
    const auto a = decided(*condition.operands[0]), b = decided(*condition.operands[1]);
    if (a == decisive || b == decisive) return decisive;
    return a && b ? std::optional(!decisive) : std::nullopt;
  }

  const Declaration* state_of_result(const Node& call, std::size_t index, const Frame& frame) {
    const Instance& callee = *call.callee;
    return state_of(result_of(callee, index), {&call, &callee.body, &frame});
  }

  /// Returns a result of a function, or a next value that it gives behind its results; null where it has
  /// several ways to return.
  static const Node* result_of(const Instance& callee, std::size_t index) {
    const Body& body = callee.body;
    if (index >= callee.results.size()) return body.changes[index - callee.results.size()].value;
    if (body.result != nullptr) return index == 0 ? body.result : nullptr;
    const Statement* only = nullptr;
    std::size_t count = 0;
    for_each_statement(body.statements, [&](const Statement& each) {
      if (each.kind != Statement::Kind::result) return;
      only = &each;
      ++count;
    });
    return count == 1 && index < only->computation.values.size() ? only->computation.values[index] : nullptr;
  }

  static constexpr int max_steps = 10'000;
  const bool training_;
  int steps_ = 0;
};

}  // namespace

bool keeps_state(const Declaration& next, bool training) {
  return Search(training).state_of(next) == next.state;
}

}  // namespace frontend::check
