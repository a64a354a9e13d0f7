// Checks one expression with all that is in it: from syntax to typed values, in the order of evaluation. The
// constructs of the language are in files of their own; each member says where.
//
// Errors. A value that could not be made is null, and whatever is computed from it is null without a further
// message. So every member takes operands that may be null.
//
// Waiting. A call or a name whose function or declaration has not been checked yet is noted by the Checker;
// the attempt goes on with null and is thrown away, messages included, and repeated later.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/program.h"

namespace frontend::check {

class Checker;
struct Builtin;
struct BuiltinCall;

/// The element type that a number without one, made here, probably wants.
using Hint = std::optional<ElementType>;
/// A shape as it is declared: nothing where `?` accepts any extent.
using ShapePattern = std::vector<std::optional<Extent>>;

/// Adds to a message the notes that say where the values it speaks of come from.
using Explanation = std::function<void(dlvm::Diagnostic&)>;

/// The operator or function that computes the instruction, as TEL writes it.
std::string_view name_of(dlvm::Opcode opcode);

/// An argument of a call: an expression, checked when its parameter turns out to be a value; or a value.
struct Argument {
  const ast::Name* name = nullptr;
  const ast::Expression* expression = nullptr;
  Node* value = nullptr;
  bool checked = false;
  Location location;
};

std::vector<Argument> arguments_of(const ast::Call& call);

class BodyChecker {
 public:
  /// In the function of `instance`, or (where it is null) in the module itself.
  BodyChecker(Checker& checker, Scope& scope, Instance* instance, dlvm::Diagnostics& diagnostics)
      : checker_(checker), scope_(&scope), instance_(instance), diagnostics_(diagnostics) {}

  Node* expression(const ast::Expression& e, Hint hint = {});

  /// The expression is the initial value of a tensor of this type: `random` and the like make tensors of it.
  void set_initializer(const Type& type) { initializer_ = type; }
  /// The expression may name constants alone.
  void set_constant() { constant_ = true; }
  /// The expression is that of this declaration, which it cannot name.
  void set_declaration(const Declaration& declaration) { declaration_ = &declaration; }
  /// Gives the variables that are left the type `fallback`, reports numbers that do not fit their types, and
  /// tensors that are too large; marks what the result depends on. False after an error.
  bool finish(Node* result, ElementType fallback);  // finish.cpp
  Body take() { return std::move(body_); }

  // ------------------------------------------------------------------------ for the constructs and builtins
  dlvm::Diagnostics& diagnostics() { return diagnostics_; }
  Checker& checker() { return checker_; }
  Scope& scope() { return *scope_; }
  const std::optional<Type>& initializer() const { return initializer_; }
  /// The declaration whose expression this is; null in a function.
  const Declaration* declaration() const { return declaration_; }
  /// Tells the draws of one initializer apart.
  std::int64_t next_counter() { return next_counter_++; }

  // values (body.cpp)
  Node* add(Node node);
  Node* constant(Number value, Element element, Location location);
  /// The instruction; its type follows from the instruction table. `element` where the result's element type
  /// is given rather than following.
  Node* operation(dlvm::Opcode opcode, std::vector<Node*> operands, std::vector<dlvm::Attribute> attributes,
                  Location location, std::optional<Element> element = {});
  /// A dimension or an extent as a number without a type of its own.
  Node* extent_value(const Extent& extent, Location location, std::optional<Element> element = {});
  Node* reshape(Node* x, Shape shape, Location location);
  Node* broadcast(Node* x, Shape shape, Location location);
  Node* convert(Node* x, ElementType to, Location location);

  // element types (elements.cpp)
  Element fresh_element();
  Element resolved(Element element) const;
  bool unify(Element a, Element b);
  void default_to(Node* x, ElementType type);
  /// The type with variables looked up.
  Type type_of(const Node* x) const { return {resolved(x->type.element), x->type.shape}; }
  /// Both of one type afterwards; else reports, with both types and where they come from.
  bool same_element(Node* a, Node* b, std::string_view what, Location location);
  /// Whether the instruction takes this element type; else reports. Variables are looked at in `finish`.
  bool accepted(dlvm::Opcode opcode, Node* x, std::string_view what, Location location);

  // extents (extents.cpp)
  std::optional<Extent> extent(const ast::Extent& e);
  std::optional<Extent> extent(const ast::Expression& e);
  std::optional<ShapePattern> pattern(const ast::Shape& shape);
  /// Without `?`.
  std::optional<Shape> shape(const ast::Shape& shape, std::string_view what);
  std::optional<Extent> named_extent(const std::string& name, Location location, bool may_be_new);
  bool knows_dimension(const std::string& name) const;
  /// Whether the extents are equal: what cannot be proved is required of the entry point's inputs, and `text`
  /// (with {left} and {right}) says what is wrong where it does not hold. False where they provably differ.
  /// Warns where one value of one free dimension alone makes them equal, with the notes of `explanation`;
  /// `likely` is then the fix.
  bool require_equal(const Extent& left, const Extent& right, std::string text, Location location,
                     const Explanation& explanation, const std::string& likely = {});
  bool require_at_most(const Extent& left, const Extent& right, std::string text, Location location);
  /// An integer known now: a number, perhaps signed, an extent that is constant, or an axis parameter.
  std::optional<std::int64_t> integer(const ast::Expression& e, std::string_view what);
  /// `true`, `false`, or a flag parameter of the function.
  std::optional<bool> flag(const ast::Expression& e);
  /// Counted from 0; reports what is outside.
  std::optional<std::int64_t> axis(std::int64_t written, std::size_t rank, Location location);

  // broadcasting (broadcast.cpp)
  /// Makes the operands' shapes ones that the IR broadcasts; else reports.
  bool align(Node*& a, Node*& b, std::string_view what, Location location,
             std::string_view a_role = "the left side", std::string_view b_role = "the right side");
  /// Notes on a message: what type the value has and where it comes from.
  void explain(dlvm::Diagnostic& diagnostic, const Node* x, std::string_view role);
  /// `x` with the shape declared; reports where it has another.
  Node* conform(Node* x, const ShapePattern& shape, Location declared, std::string_view what);

  // operators (operators.cpp, product.cpp)
  Node* binary(ast::BinaryOperator op, Node* a, Node* b, Location location);
  Node* elementwise(dlvm::Opcode opcode, Node* a, Node* b, std::string_view what, Location location);
  Node* unary(dlvm::Opcode opcode, Node* x, std::string_view what, Location location);
  Node* product(Node* a, Node* b, Location location);
  Node* swap_last_axes(Node* x, Location location);
  Node* select(Node* condition, Node* where_true, Node* where_false, Location location);  // conditional.cpp

  // pieces (concatenate.cpp, index.cpp)
  Node* concatenation(std::vector<Node*> parts, std::int64_t axis, Location location);
  /// A checked index tensor, counted from 0.
  Node* checked_index(Node* index, const Extent& extent, bool negative, Location location);

  // calls (call.cpp, function_call.cpp, builtin_call.cpp)
  Node* call(const ast::Expression& callee, std::vector<Argument> arguments, Location location, Hint hint);
  Node* call(const std::vector<Function*>& candidates, std::string_view name,
             std::vector<Argument>& arguments, Location location, Hint hint);
  Node* call(const Builtin& builtin, std::vector<Argument>& arguments, Location location, Hint hint);
  /// The value of an argument; checked once.
  Node* value(Argument& argument, Hint hint = {});

 private:
  friend class FunctionMatch;

  // body.cpp
  Node* dispatch(const ast::Expression& e, Hint hint);
  Node* number(const ast::Number& e);
  Node* boolean(const ast::Boolean& e);
  Node* unary(const ast::Unary& e, Hint hint);
  Node* binary(const ast::Binary& e, Hint hint);
  Node* pipe(const ast::Pipe& e, Hint hint);
  Node* call(const ast::Call& e, Hint hint);
  // names.cpp
  Node* name(const ast::NameReference& e);
  Node* member(const ast::Member& e);
  Node* reference(Declaration& declaration, Location location);
  void unknown_name(const std::string& name, Location location);
  bool is_callable(const std::string& name);
  /// Whether a value, a dimension or a parameter has this name.
  bool knows(const std::string& name) const;
  void attribute(const ast::Member& e);
  std::string without_member(const ast::Member& callee, std::span<const Argument> arguments);  // call.cpp
  void report_member(const ast::Member& callee, std::span<const Argument> arguments);          // call.cpp
  // one file each
  Node* conditional(const ast::If& e, Hint hint);
  Node* index(const ast::Index& e, Hint hint);
  Node* as(const ast::As& e, Hint hint);
  Node* concatenation(const ast::Concatenation& e, Hint hint);
  Node* matrix(const ast::Matrix& e, Hint hint);
  Node* transpose(const ast::Transpose& e, Hint hint);

  void check_division(const Node& x);                                                      // finish.cpp
  void warn_about_numbers_as_axes();                                                       // finish.cpp
  void explain_number(dlvm::Diagnostic& report, const Node& number, const Number& value);  // finish.cpp
  std::optional<Node*> folded(ast::BinaryOperator op, Node* a, Node* b, Location location);
  std::optional<Node*> folded_power(Node* base, Node* exponent, Location location);
  /// A number without a type, made of the two; reports where it is too long.
  Node* exact(const std::optional<Number>& result, Node* a, Node* b, ast::BinaryOperator op,
              Location location);
  /// Whether the numbers may be computed with; reports where the module's numbers have taken too many steps.
  bool may_compute(std::size_t length, Location location);
  Node* power(Node* base, Node* exponent, Location location);

  struct Cell {
    std::int32_t parent = -1;
    std::optional<ElementType> type;
  };
  std::int32_t root(std::int32_t variable) const;

  Checker& checker_;
  Scope* scope_;
  Instance* instance_;
  dlvm::Diagnostics& diagnostics_;
  std::optional<Type> initializer_;
  const Declaration* declaration_ = nullptr;
  bool constant_ = false;
  std::int64_t next_counter_ = 0;
  std::vector<Cell> cells_;
  std::set<std::string> fixed_;  ///< free dimensions that a warning says to have one value
  Body body_;
};

}  // namespace frontend::check
