// Expressions: a closed hierarchy. Switch over `kind`, then `to<Binary>(e)`.
//
// Depth. Left- and right-associative chains are one flat node (`Binary`, `Pipe`, `If` with its `else if`s),
// and the parser keeps every expression's height at `expression_height_limit` or below, extents likewise: a
// recursive walk needs at most that many frames.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/type.h"

namespace frontend::ast {

inline constexpr std::uint32_t expression_height_limit = 2500;

struct Expression {
  enum class Kind {
    number,
    boolean,
    name,
    member,
    unary,
    binary,
    conditional,
    match,
    call,
    pipe,
    index,
    as,
    concatenation,
    matrix,
    transpose,
    next,
    shape,
    reduction,
    tuple,
  };
  const Kind kind;
  Location location;
  std::uint32_t height = 1;  ///< 1 + the highest child's

  Expression(Kind kind, Location location) : kind(kind), location(location) {}
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  virtual ~Expression() = default;
};
using ExpressionPointer = std::unique_ptr<Expression>;

template <Expression::Kind the_kind>
struct ExpressionOf : Expression {
  static constexpr Kind own_kind = the_kind;
  explicit ExpressionOf(Location location) : Expression(the_kind, location) {}
};

/// The node as a `Node`; the caller has looked at `kind`.
template <typename Node>
const Node& to(const Expression& e) {
  return static_cast<const Node&>(e);
}
/// The node as a `Node`, or null if it is of another kind.
template <typename Node>
const Node* if_a(const Expression& e) {
  return e.kind == Node::own_kind ? &to<Node>(e) : nullptr;
}

/// `3`, `0.5`, `1e-4`: never signed (`-3` is a Unary around it).
struct Number : ExpressionOf<Expression::Kind::number> {
  using ExpressionOf::ExpressionOf;
  std::string text;  ///< exact, as written, but without underscores
};

struct Boolean : ExpressionOf<Expression::Kind::boolean> {
  using ExpressionOf::ExpressionOf;
  bool value = false;
};

struct NameReference : ExpressionOf<Expression::Kind::name> {
  using ExpressionOf::ExpressionOf;
  std::string text;
};

/// `layers.f`
struct Member : ExpressionOf<Expression::Kind::member> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer object;
  Name member;  ///< a name, or decimal digits (`tower.0`)
};

enum class UnaryOperator { negate, logical_not };
std::string_view spelling(UnaryOperator op);  ///< "-", "not"

/// A prefix operator. Of a sequence of equal operators at most two are kept (`---x` is `-x`, `----x` is
/// `--x`), which have the same value.
struct Unary : ExpressionOf<Expression::Kind::unary> {
  using ExpressionOf::ExpressionOf;
  UnaryOperator op = UnaryOperator::negate;
  Location op_location;
  ExpressionPointer operand;
};

enum class BinaryOperator {
  logical_or,
  logical_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  product,  ///< `•`, `@`, ` . `
  power,
};
std::string_view spelling(BinaryOperator op);  ///< "or", "==", "•", …

/// operands[0] operators[0] operands[1] operators[1] … of one level of binding: `+ -`, `* / %`, `•`, `and`,
/// `or` associate to the left, `^` to the right; a comparison has exactly one operator.
struct Binary : ExpressionOf<Expression::Kind::binary> {
  using ExpressionOf::ExpressionOf;
  struct Operator {
    BinaryOperator op;
    Location location;
  };
  std::vector<ExpressionPointer> operands;  ///< operators.size() + 1
  std::vector<Operator> operators;          ///< at least one
  bool right_associative() const { return operators.front().op == BinaryOperator::power; }
};

/// `if c0 then v0 else if c1 then v1 else otherwise`
struct If : ExpressionOf<Expression::Kind::conditional> {
  using ExpressionOf::ExpressionOf;
  struct Branch {
    Location location;  ///< the location of its `if`
    ExpressionPointer condition;
    ExpressionPointer value;
  };
  std::vector<Branch> branches;  ///< at least one
  ExpressionPointer otherwise;
};

/// `node(l, r)` of a `match`, before a block or a value; without parentheses it has no names.
struct Case {
  Name name;
  std::vector<Name> payload;
};

/// `match t { leaf(v) => sum(v)  node(l, r) => 0 }`
struct Match : ExpressionOf<Expression::Kind::match> {
  using ExpressionOf::ExpressionOf;
  Location word;  ///< the location of the `match`
  ExpressionPointer value;
  std::vector<Case> cases;
  std::vector<ExpressionPointer> results;  ///< one for each case
};

struct Argument {
  std::optional<Name> name;  ///< `along` in `f(x, along: 0)`
  ExpressionPointer value;   ///< may be a ShapeLiteral
};

struct Call : ExpressionOf<Expression::Kind::call> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer callee;  ///< any postfix expression; functions are called by a NameReference or a Member
  std::vector<Argument> arguments;
};

/// `x |> f |> g(along: 0)`: `stages` are what follows each `|>`.
struct Pipe : ExpressionOf<Expression::Kind::pipe> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer input;
  std::vector<ExpressionPointer> stages;
};

/// One axis of `x[…]`: an index (a number or an integer tensor) or a slice with optional parts.
struct Subscript {
  Location location;
  bool slice = false;
  ExpressionPointer index;              ///< set if it is no slice
  ExpressionPointer start, stop, step;  ///< the parts of a slice; each may be absent
};

struct Index : ExpressionOf<Expression::Kind::index> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer object;
  std::vector<Subscript> subscripts;  ///< at least one
};

/// `e as float16[2x2]`; of element type and shape at least one is there.
struct As : ExpressionOf<Expression::Kind::as> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer operand;
  Type type;
};

/// `[a, b] along 1`
struct Concatenation : ExpressionOf<Expression::Kind::concatenation> {
  using ExpressionOf::ExpressionOf;
  struct Axis {
    std::int64_t value;
    Location location;
  };
  std::vector<ExpressionPointer> elements;  ///< at least one
  std::optional<Axis> along;
};

/// `[1, 2; 3, 4]`: at least two rows, each with at least one element; they may differ in length.
struct Matrix : ExpressionOf<Expression::Kind::matrix> {
  using ExpressionOf::ExpressionOf;
  std::vector<std::vector<ExpressionPointer>> rows;
};

/// `x^T`
struct Transpose : ExpressionOf<Expression::Kind::transpose> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer operand;
};

/// `s'`
struct Next : ExpressionOf<Expression::Kind::next> {
  using ExpressionOf::ExpressionOf;
  ExpressionPointer operand;
};

/// A shape where an expression stands, as in `broadcast(x, to: [4 x 3])`: `[]`, or brackets with an `x`, a
/// `?`.
/// `[4]` and `[N]` are a Concatenation of one element: see `as_shape`. A value nowhere.
struct ShapeLiteral : ExpressionOf<Expression::Kind::shape> {
  using ExpressionOf::ExpressionOf;
  Shape shape;
};

/// An index that a reduction binds: `k`, or `u in 0..3`, where the 3 is left out.
struct Binder {
  Name name;
  ExpressionPointer first, stop;  ///< both or neither
};

/// `sum(A[i, k] * B[k, j] for k)`
struct Reduction : ExpressionOf<Expression::Kind::reduction> {
  using ExpressionOf::ExpressionOf;
  Name function;
  ExpressionPointer element;
  std::vector<Binder> binders;  ///< at least one
};

/// `(x, t)` in `gradient(e, wrt: (x, t))`; a value nowhere.
struct Tuple : ExpressionOf<Expression::Kind::tuple> {
  using ExpressionOf::ExpressionOf;
  std::vector<ExpressionPointer> elements;  ///< at least two
};

/// Returns the shape that an argument means: that of a ShapeLiteral, or that of a bracket literal with one
/// element which is an extent expression (numbers, names, + - * /). Returns nothing if the argument is
/// neither.
std::optional<Shape> as_shape(const Expression& e);

}  // namespace frontend::ast
