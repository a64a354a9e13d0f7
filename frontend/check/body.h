// Checked expressions and bodies of functions: every name resolved, every value typed.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dlvm/ir/function.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/ast/ast.h"
#include "frontend/check/types/number.h"

namespace frontend::check {

using dlvm::ElementType;
using dlvm::Extent;
using dlvm::Location;
using dlvm::Shape;

/// An element type, or (while a body is being checked) a variable for one that the context will give.
struct Element {
  ElementType type = ElementType::f32;
  std::int32_t variable = -1;

  Element() = default;
  Element(ElementType type) : type(type) {}  // NOLINT: an element type is known
  bool known() const { return variable < 0; }
};

struct Declaration;
struct DeclaredType;

/// The type of a tensor; or a struct or an enum, of which element type and shape say nothing.
struct Type {
  Element element = {};
  Shape shape = {};
  const DeclaredType* declared = nullptr;

  bool is_tensor() const { return declared == nullptr; }
  bool is_scalar() const { return is_tensor() && shape.empty(); }
  std::size_t rank() const { return shape.size(); }
  /// Returns the type of a tensor in DLVM. The element type must be known.
  dlvm::Type dlvm() const { return dlvm::Type::tensor(element.type, shape); }
};

struct Instance;

/// The derivative of a function by some of its parameters, for arguments of given types.
struct Derivative {
  const ast::Gradient* syntax = nullptr;
  std::int64_t from = 0;                   ///< the result that is differentiated
  std::vector<std::int64_t> wrt, keeping;  ///< numbers of parameters that are values, and of results
  std::vector<Type> results;               ///< the derivatives, then what is kept
};

/// The entry points in which random numbers are drawn.
enum class Draws : std::uint8_t { never, in_training, always };
/// Returns whether numbers are drawn in an entry point that trains, or does not.
constexpr bool happens(Draws draws, bool training) {
  return draws == Draws::always || (draws == Draws::in_training && training);
}

/// The case of an enum for which a match has a value.
struct MatchedCase {
  std::size_t position = 0;  ///< among the cases of the enum
  /// The variables that get the payload, nothing where it has no name.
  std::vector<std::optional<std::size_t>> payload;
};

/// The tables of an enum that holds itself, as callers give them.
struct TreeTables {
  struct Case {
    std::string name;
    Extent rows;  ///< how many rows its tables have
    /// The variable that is the row of the node at hand; nothing where the case has no tables.
    std::optional<std::size_t> row;
  };
  std::string name;  ///< the name of the value that they are of
  Extent count;      ///< how many nodes there are
  std::vector<Case> cases;
};

/// One value of a body.
struct Node {
  enum class Kind : std::uint8_t {
    constant,    ///< `values`: one, for every element, or all, row-major
    reference,   ///< the value of `declaration`
    parameter,   ///< the function's parameter number `index`; behind those come the tensors of its net
    variable,    ///< the value that the body's variable number `index` has then
    part,        ///< result number `index` of an operand that has several
    choice,      ///< operand 1 if operand 0, a scalar, is true, else operand 2: see `sides`
    match,       ///< of the operands from 1 on, the one for the case of operand 0, an enum: see `cases`
    operation,   ///< the DLVM instruction `opcode`; an attribute that is an element type means the node's own
    call,        ///< a call of `callee`
    made,        ///< a struct of the operands, or case number `index` of an enum with them as its payload
    field,       ///< field number `index` of operand 0, a struct
    tree,        ///< node number operand 0 of those that `tree` has: see `sides`
    child,       ///< node number operand 0, an element of `declaration`, which a node of the same tree holds
    identity,    ///< the value with which `opcode` combines any x to x
    gradient,    ///< the derivatives of operand 0, a scalar, by the others, each of which is a name
    derivative,  ///< a call of `derivative` of `callee`; of one that is seedable the last operand is the
                 ///< cotangent
    training,    ///< a bool that says whether the entry point trains
    key,         ///< the random key of an initializer, or of the value or function that draws, u64
    // In index notation, until tensors take their place (index_notation/):
    index,      ///< an index as a number
    element,    ///< an access of a tensor at indices
    reduction,  ///< a reduction over indices by `opcode`
  };
  Kind kind = Kind::operation;
  dlvm::Opcode opcode = dlvm::Opcode::literal;
  Type type;
  Location location;  ///< the location of the operator or call
  Location span;      ///< the location of the whole expression, if the node is one
  std::vector<Node*> operands;
  std::vector<dlvm::Attribute> attributes;
  std::vector<Number> values;
  const Declaration* declaration = nullptr;
  const Instance* callee = nullptr;  ///< of a call or a derivative
  std::shared_ptr<const Derivative> derivative;
  /// Of a parameter or a variable its number; of a call of a function that draws its place among the body's
  /// draws.
  std::size_t index = 0;
  Draws draws = Draws::never;  ///< of a key
  /// Of a choice or a match, how many nodes directly before it compute operand 1, then operand 2, and so on.
  /// These are computed only where their side is taken. Of other nodes it is empty.
  /// If the node is a tree, operand 1 holds the numbers of the cases of all its nodes, and each further
  /// operand is the node that the loop makes, in the case that the operand stands for.
  std::vector<std::size_t> sides;
  std::vector<MatchedCase> cases;  ///< of a match, those of the operands from 1 on
  std::shared_ptr<const TreeTables> tree;
  bool live = false;     ///< the result depends on it; set when the body is complete
  bool indexed = false;  ///< it depends on an index: it stands for one element
  bool lifted = false;   ///< it was made of values for one element

  bool is_constant() const { return kind == Kind::constant; }
  Location place() const { return span.valid() ? span : location; }
};

/// A name in the body of a function.
struct Variable {
  enum class Kind : std::uint8_t { let, var, counter };
  Kind kind = Kind::let;
  std::string name;
  Location location;
  Type type;                    ///< the type of all its values
  const Node* value = nullptr;  ///< what a `let` names; null for others
  bool not_negative = false;    ///< a counter that counts up from 0 or more
  bool used = false;
  bool is_payload = false;         ///< a name behind a case of a `match`
  bool differentiated_by = false;  ///< a gradient is taken by one of its values
  bool failed = false;             ///< the mistake in its value has been reported
};

/// The nodes [first, last) of a body, which compute `values`.
struct Computation {
  std::size_t first = 0, last = 0;
  std::vector<Node*> values;
};

/// A statement of a function's body.
struct Statement {
  enum class Kind : std::uint8_t {
    assignment,   ///< gives `variables` the values
    conditional,  ///< the first branch whose condition is true; the last one may have no condition
    counted,      ///< variable 0 goes from value 0 by `step` as long as it is before value 1
    loop,         ///< as long as the value is true
    result,       ///< returns the values
    match,        ///< the branch of the case of the value, an enum: there is one for each case, in its order
  };
  struct Branch {
    Computation condition;  ///< without values: always
    /// Of a match, the variables that get the payload, nothing where it has no name.
    std::vector<std::optional<std::size_t>> payload;
    std::vector<Statement> body;
  };
  Kind kind = Kind::result;
  Location location;
  std::vector<std::size_t> variables;
  Computation computation;
  std::int64_t step = 1;
  std::vector<Branch> branches;  ///< of a loop one, without a condition
};

/// The next value of a state of a net, given by a statement of its function or by a call of a function.
struct StateChange {
  std::size_t tensor = 0;        ///< in the function of a net, the number of the state among its tensors
  Declaration* state = nullptr;  ///< in the module, the state
  Node* value = nullptr;
  Location location;
};

/// An expression, checked: its values in an order in which each follows what it uses. Or the body of a
/// function: its statements, and the values of all of them.
struct Body {
  std::vector<std::unique_ptr<Node>> nodes;
  Node* result = nullptr;  ///< the value of an expression; null after an error
  std::vector<Variable> variables;
  std::set<std::size_t> parts_differentiated_by;  ///< parameters, structs, by which a gradient is taken
  std::vector<Statement> statements;
  std::vector<dlvm::Requirement> requirements;  ///< none twice
  /// None of one state twice. The function of a net returns these values behind its results.
  std::vector<StateChange> changes;
};

}  // namespace frontend::check
