#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/ast/ast.h"
#include "frontend/check/body.h"
#include "frontend/check/checked_nets.h"

/// A checked module: every name resolved, every value typed. What is here can be lowered without looking at
/// the syntax again; only `docs` and names come from it.
namespace frontend::check {

struct BodyContext;
struct NetInstance;
struct Recurrence;

/// One name of the module that has a value.
struct Declaration {
  std::string name;  ///< the name as in the source; in an imported file `file.name`
  Location location;
  const ast::Declaration* syntax = nullptr;
  Scope* scope = nullptr;
  std::size_t order = 0;         ///< the position in the source
  const NetType* net = nullptr;  ///< the net that declares it
  /// Where this is a tensor of an instance of a net: the declaration in the net, which has the type and the
  /// initializer of all of them.
  Declaration* pattern = nullptr;
  std::string path_in_files = {};         ///< what {path} stands for in the name of such a tensor in files
  const NetInstance* instance = nullptr;  ///< the instance that it is a tensor of

  /// Says what a declaration is of a recurrent block.
  enum class Part : std::uint8_t {
    none,      ///< not one of these: its own expression, or what the caller supplies, is its value
    counter,   ///< the position in time
    source,    ///< a computed sequence over which a block runs, `over x = e`
    element,   ///< the element of the sequence `of` in this step
    earlier,   ///< the value of `of` `lag` steps before
    initial,   ///< the value of `of` `lag` steps before the first one
    last,      ///< the value of `of` in the last step
    sequence,  ///< the values of `of` in all steps
    changed,   ///< the next value of a state of a net, which a call in the body of `of` gives
  };
  Part part = Part::none;
  Recurrence* recurrence = nullptr;  ///< the block in whose steps it has a value; null outside
  Declaration* of = nullptr;         ///< what it is a part of
  std::int64_t lag = 0;
  /// It belongs to a block and is neither taken nor returned by an entry point.
  bool inner = false;
  Recurrence* axes = nullptr;    ///< of an `in` of a block: its first axes are the steps of this one
  Declaration* whole = nullptr;  ///< of the last value of an `in` or an `out`: what the caller passes or gets

  /// The role as it is written; that of a value inside a block is hidden.
  ast::Role role() const { return inner ? ast::Role::hidden : syntax->role; }
  /// Returns whether the value is supplied from outside: an input, a parameter, a state, or a constant
  /// without an expression.
  bool is_given() const {
    return role() == ast::Role::in || role() == ast::Role::param || role() == ast::Role::state ||
           (role() == ast::Role::constant && !syntax->value);
  }
  /// Returns whether it is a state, of one tensor or a struct.
  bool is_state() const { return (tensors.empty() ? role() : syntax->role) == ast::Role::state; }
  /// Returns whether it is a constant with an expression.
  bool is_computed_constant() const { return role() == ast::Role::constant && syntax->value; }

  /// Of a param that is declared `auto`, the shape that follows from its uses (auto_shapes/).
  std::optional<Shape> found_shape;
  Location shape_use;  ///< the place from which that shape follows
  /// Returns whether the shape is still to be found.
  bool has_unknown_shape() const {
    return pattern == nullptr && syntax != nullptr && syntax->type.is_automatic() && !found_shape;
  }

  Type type;
  bool done = false;
  bool failed = false;  ///< its mistake has been reported, those that follow from it are not
  bool used = false;
  bool differentiated_by = false;  ///< a gradient inside an expression is taken by it
  Body body;  ///< the body of a computed value; the initializer of a parameter or a state
  const Body& initializer() const { return pattern != nullptr ? pattern->body : body; }

  /// Gives it its type and its body, where no expression of the source does.
  std::function<void(BodyContext&, Declaration&)> make = nullptr;

  /// Of one of several names, `p, q = f(x)`: the call that gives each of them one of its results.
  Declaration* results = nullptr;
  bool has_several = false;  ///< of such a call: it has several results

  /// Of a struct or an enum that callers give or get: the declarations of its tensors. Those alone are
  /// arguments and results.
  std::vector<Declaration*> tensors;
  const DeclaredType* type_of_tensors = nullptr;  ///< the struct or enum that they make
  Declaration* structure = nullptr;  ///< of such a tensor, `s.line.slope`: the declaration of `s`
  std::vector<std::size_t> fields;   ///< the positions of the fields that lead from there to the tensor

  Declaration* next = nullptr;   ///< of a state: its next value, if it has one
  Declaration* state = nullptr;  ///< of a next value: its state
};

/// A function as it is written.
struct Function {
  const ast::Function* syntax = nullptr;
  Scope* scope = nullptr;
  Net* net = nullptr;  ///< the net whose function it is; null outside of nets
  std::vector<std::string>
      generic;           ///< dimensions of the signature that neither a `dim` nor the net declares
  std::string rest;      ///< the name before `...`, if there is one
  bool begun = false;    ///< the check of the definition has begun
  bool defined = false;  ///< the definition has been checked
  bool failed = false;   ///< it has a mistake, reported there
  bool used = false;
  /// For each net whose function it is, or null: the one for certain arguments whose check has begun last.
  std::map<const NetType*, Instance*> open;
  /// The function that is its derivative, if that is declared by `custom gradient`. It takes what the
  /// function takes, and the cotangents of floating-point results.
  Function* custom_gradient = nullptr;
  const Function* custom_gradient_of = nullptr;
  mutable std::set<std::string, std::less<>> used_parameters;

  std::string name() const;  ///< `gelu`, `Dense.apply`
};

/// A function for arguments of given types.
struct Instance {
  const Function* function = nullptr;
  const NetType* net = nullptr;    ///< the net whose function it is, for its extents
  std::vector<Type> parameters;    ///< the types of the arguments that are values
  std::vector<NetTensor> tensors;  ///< what the body uses of the net: further arguments, behind `parameters`
  std::map<std::string, Extent, std::less<>> dimensions;
  std::map<std::string, Shape, std::less<>> rests;
  std::map<std::string, std::int64_t, std::less<>> axes;
  std::map<std::string, bool, std::less<>> flags;
  std::optional<ElementType> generic;  ///< the type for which a type without an element type stands
  bool begun = false;
  bool done = false;
  bool complete = false;       ///< it has been checked without an error
  bool recursive = false;      ///< a call of it is checked before its own body is
  bool branches = false;       ///< it is better not called where its result is not used
  dlvm::Diagnostics messages;  ///< has errors if it is not complete
  bool depends_on_training = false;
  Draws draws = Draws::never;
  std::vector<Type> results;  ///< one or more; of a recursive function known before the body
  Body body;
  std::uint64_t size = 0;                     ///< operations of the body with every call in it written out
  const Instance* custom_gradient = nullptr;  ///< the derivative for these arguments, if that is declared
};

/// A struct or an enum.
struct DeclaredType {
  /// A field with its one type, or a case with the types of its payload.
  struct Member {
    std::string name;
    Location location;
    std::vector<Type> types;
  };
  std::string name;  ///< the name as in the source; in an imported file `file.name`
  const ast::TypeDeclaration* syntax = nullptr;
  Scope* scope = nullptr;
  std::vector<Member> members;
  bool failed = false;  ///< it has a mistake, reported there
  bool used = false;

  /// Lists the dimensions in the fields of a struct that no `dim` gives a value. Each value of the struct has
  /// extents for them; types with other extents are other types.
  std::vector<std::string> dimensions;
  std::vector<Extent> extents;                ///< of this type, those that it has for the dimensions
  const DeclaredType* declaration = nullptr;  ///< of a type with other extents: the type as it is declared

  /// Returns the type as it is declared, in which each dimension stands for itself.
  const DeclaredType& declared() const { return declaration != nullptr ? *declaration : *this; }
  bool is_structure() const { return syntax->kind == ast::TypeDeclaration::Kind::structure; }
  /// Returns the position of the field or the case; nothing if there is none of that name.
  std::optional<std::size_t> find(std::string_view member) const;
};

/// Returns whether the types are one struct or enum as it is declared, with any extents, or both tensors.
inline bool is_same_declared(const Type& a, const Type& b) {
  if (a.is_tensor() || b.is_tensor()) return a.is_tensor() && b.is_tensor();
  return &a.declared->declared() == &b.declared->declared();
}

/// An instance of a net in the module, or an array of instances. Its tensors are among the declarations.
struct NetInstance {
  std::string name;
  Location location;
  const ast::NetInstance* syntax = nullptr;
  Scope* scope = nullptr;
  std::list<Declaration>::iterator next;  ///< the declaration before which its tensors are declared
  Net* net = nullptr;
  const NetType* type = nullptr;  ///< null after an error
  std::int64_t count = 0;         ///< the extent of an array; 0 where it is none
  std::vector<Declaration*> tensors;
  bool used = false;
};

/// A dimension of a file: its extent (a constant, or the dimension itself), where it is declared.
struct Dimension {
  Extent extent;
  Location location;
  bool declared = false;                             ///< declared by `dim`
  std::optional<std::int64_t> given = std::nullopt;  ///< the value that -D gives
  bool used = false;
  bool failed = false;
};

/// A recurrent block: values for each step of a sequence.
struct Recurrence {
  const ast::Recurrence* syntax = nullptr;
  Scope* scope = nullptr;
  Recurrence* outer = nullptr;
  std::map<std::string, Declaration*, std::less<>> values;  ///< what the names mean in a step
  Declaration* counter = nullptr;
  std::vector<Declaration*> sources;
  std::vector<Declaration*> members;  ///< everything that its declarations declare, in this or another block
  using Lagged = std::pair<const Declaration*, std::int64_t>;
  std::map<Lagged, Declaration*> initial_values, earlier;
  std::map<const Declaration*, Declaration*> sequences;
  std::string dimension;  ///< the name of its length where it is neither written nor that of a sequence
  Extent length;          ///< known when the counter has been checked
  bool done = false;      ///< all members have been checked
  bool failed = false;
};

/// A file and the names in it.
struct Scope {
  std::string name;
  const dlvm::Source* source = nullptr;
  std::unique_ptr<ast::Module> syntax;
  bool main = false;
  bool library = false;  ///< declared in the standard library
  std::map<std::string, Declaration*, std::less<>> values;
  std::map<std::string, Dimension, std::less<>> dimensions;
  FunctionNames functions;
  std::map<std::string, const ast::Gradient*, std::less<>> derivatives;  ///< of functions
  std::map<std::string, DeclaredType*, std::less<>> types;
  std::map<std::string, Net*, std::less<>> nets;
  std::map<std::string, NetInstance*, std::less<>> instances;
  std::vector<Scope*> imports;

  ElementType element() const;
  /// Returns this file and those that it imports.
  std::vector<Scope*> visible();
};

/// Holds how the factor of the loss follows the derivatives.
struct DynamicScaling {
  Number initial = 65536, growth = 2, interval = 2000;
  Number backoff = *Number::parse("0.5");
  Declaration* factor = nullptr;  ///< the state that is the factor
  Declaration* steps = nullptr;   ///< the state that counts the steps since the factor has changed
};

/// Holds what `optimize with` makes of the module. Its declarations are in no scope, and only those that are
/// stored are among the program's.
struct Optimizer {
  /// Holds what one parameter and its memory become in a step.
  struct Update {
    Declaration* parameter = nullptr;
    Declaration* derivative = nullptr;  ///< stands for the derivative of the loss
    std::vector<Declaration*> memory;   ///< states
    Declaration* value = nullptr;       ///< its body calls the optimizer's function
    std::vector<Node*> results;         ///< of that body: for the parameter, then for its memory
  };
  const ast::Optimize* syntax = nullptr;
  Function* function = nullptr;
  std::list<ast::Declaration> syntaxes;  ///< of the declarations that nobody has written
  std::list<Declaration> declarations;
  Declaration* count = nullptr;  ///< the state that counts steps, where something depends on it
  Declaration* norm = nullptr;   ///< stands for the norm of all derivatives, where the function takes it
  std::vector<Declaration*> arguments;  ///< hyper-parameters, and what else is computed before the updates
  Declaration* factor = nullptr;  ///< of the loss that is differentiated, one of the arguments; null for 1
  std::optional<DynamicScaling> dynamic;  ///< where the factor follows the derivatives
  std::deque<Update> updates;
};

/// An entry point. Its function is made when it is lowered.
struct Entry {
  dlvm::EntryKind kind = dlvm::EntryKind::forward;
  std::string name, doc;
  Location location;
  std::vector<const Declaration*>
      results;  ///< losses, outs, metrics, next values of states; of a named gradient what is kept
  /// To differentiate: the sum of the losses and of the products of those that are seeded with a cotangent
  /// each.
  std::vector<const Declaration*> losses, seeded;
  std::vector<const Declaration*> wrt;
  bool training = false;
  const Optimizer* optimizer = nullptr;  ///< what it does with the derivatives; null: they are results
};

struct Program {
  std::deque<Scope> scopes;  ///< the first is the module's own
  std::list<Declaration> declarations;
  std::deque<Function> functions;
  std::deque<DeclaredType> types;
  std::deque<DeclaredType> types_with_extents;    ///< structs with extents for the dimensions of their fields
  std::deque<ast::TypeDeclaration> result_types;  ///< the syntax of types that nobody has written
  std::deque<Net> nets;
  std::deque<NetType> net_types;
  std::deque<NetInstance> net_instances;
  std::deque<Recurrence> recurrences;
  std::deque<Declaration> net_declarations;  ///< what the net types declare
  /// Those of instances of nets, `fc.W`, and of structs that callers give or get, `line.slope`.
  std::map<std::string, Declaration*, std::less<>> dotted_tensors;
  /// The dimensions of tables of nodes, by the name of the value that they are of, a dot, and the case; of
  /// the table of all nodes there is none behind the dot.
  std::map<std::string, std::string, std::less<>> dimensions_of_tables;
  std::vector<std::unique_ptr<Instance>> instances;
  std::vector<Declaration*> order;  ///< each after what its expression names
  std::vector<Entry> entries;
  std::optional<Optimizer> optimizer;
  /// Custom gradients, with the types that follow from what they are the derivatives of.
  std::deque<ast::Function> custom_gradients;

  Scope& main() { return scopes.front(); }
  const Scope& main() const { return scopes.front(); }
};

}  // namespace frontend::check
