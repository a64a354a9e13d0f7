// The next values of the states of nets: `s' = …` in a function of the net, and calls of such a function.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "frontend/check/body_context.h"
#include "frontend/check/declarations/nets.h"

namespace frontend::check {

/// As long as it lives, no state may change in what is checked. `why` completes a sentence: "in a loop".
class NoChange {
 public:
  NoChange(BodyContext& context, std::string_view why)
      : context_(context), before_(std::exchange(context.no_change, why)) {}
  ~NoChange() { context_.no_change = before_; }
  NoChange(const NoChange&) = delete;
  NoChange& operator=(const NoChange&) = delete;

 private:
  BodyContext& context_;
  std::string_view before_;
};

/// Checks the statement `state' = value` of a function. Returns the value, or null after an error.
Node* check_state_change(BodyContext& context, const ast::Name& state, const ast::Expression& value);

/// Notes the next values that a call of a function of the net gives. Returns the results of the call, or null
/// after an error.
Node* take_changes(BodyContext& context, Node* call, const NetPlace& net);

/// Returns the next value of a state of the net whose function is checked. Returns nothing where the
/// expression names no such state, and null where the state has been given none, which is reported.
std::optional<Node*> own_next_value(BodyContext& context, const ast::Next& e);

/// Gives each `return` of a function's body the next values of states behind its results.
void return_changes(Body& body);

/// Gives a value the type of the state whose next value it is. Returns null after an error.
Node* conform_to_state(BodyContext& context, Node* value, const Declaration& state, std::string_view name);

}  // namespace frontend::check
