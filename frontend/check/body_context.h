#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

/// The check of one expression with all that is in it: from syntax to typed values, in the order of
/// evaluation. It is a function for each kind of syntax (expression.h) over a context, `BodyContext`, which
/// has what is known so far; the functions that make values and compare types and extents are in headers of
/// their own.
///
/// Errors. A value that could not be made is null, and whatever is computed from it is null without a further
/// message. So every function takes operands that may be null.
///
/// Waiting. A call or a name whose function or declaration has not been checked yet is noted by the Checker;
/// the attempt goes on with null and is thrown away, messages included, and repeated later.
namespace frontend::check {

class Checker;
struct Equation;
class Locals;

/// The element type that a number without one, made here, probably wants.
using Hint = std::optional<ElementType>;

/// A variable for an element type. Those that must be equal are a tree, whose root knows the type, or
/// nothing.
struct ElementVariable {
  std::int32_t parent = -1;
  std::optional<ElementType> type;
};

/// The state while one expression is checked.
struct BodyContext {
  Checker& checker;
  Scope* scope;        ///< the scope in which names are looked up
  Instance* instance;  ///< the function; null in the module itself
  dlvm::Diagnostics& diagnostics;
  /// The expression is the initial value of a tensor of this type: `random` and the like make tensors of it.
  std::optional<Type> initializer = std::nullopt;
  /// The declaration whose expression this is, which it cannot name; null in a function.
  const Declaration* declaration = nullptr;
  Recurrence* recurrence = nullptr;  ///< the block in which it is written
  Locals* locals = nullptr;          ///< the names of the function's body; null in the module itself
  bool several_allowed = false;      ///< the next expression may be a call with several results
  bool declared_allowed = false;     ///< the value of the next expression may be a struct or an enum
  bool constant = false;             ///< the expression may name constants alone
  std::string_view no_change = {};   ///< why no state may change in the next expressions; empty where it may
  std::vector<std::size_t> refused_changes = {};  ///< states of the net whose change has been reported
  bool before_first_step = false;  ///< it is the initial value of a recurrent block: fields are stretched
  std::int64_t next_counter = 0;   ///< tells the draws of one initializer apart
  std::vector<ElementVariable> element_variables = {};
  const NetType* net = nullptr;      ///< the net in which it is written
  std::set<std::string> fixed = {};  ///< free dimensions that a warning says to have one value
  Declaration* step = nullptr;       ///< what the name `step` means, in the arguments of an optimizer
  const ast::Expression* subscript = nullptr;  ///< the subscript that is checked, or has been checked last
  Equation* equation = nullptr;                ///< in index notation, the equation that is checked
  Body body = {};                              ///< the values made so far
};

/// The type that a floating-point number, or a tensor that is declared without one, has here.
ElementType own_element(const BodyContext& context);

/// Ends a body, whose value is `result`: gives the element variables that are left the type `fallback`,
/// reports numbers that do not fit their types, and tensors that are too large, and marks what the result
/// depends on. Returns false after an error.
bool finish_body(BodyContext& context, Node* result, ElementType fallback);
/// The same for the body of a function, which needs these values.
bool finish_body(BodyContext& context, const std::vector<Node*>& needed, ElementType fallback);

}  // namespace frontend::check
