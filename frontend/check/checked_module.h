#pragma once

#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dlvm/ir/function.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/ast/ast.h"
#include "frontend/check/number.h"

/// A checked module: every name resolved, every value typed. What is here can be lowered without looking at
/// the syntax again; only `docs` and names come from it.
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

struct Type {
  Element element;
  Shape shape;

  bool is_scalar() const { return shape.empty(); }
  std::size_t rank() const { return shape.size(); }
  /// Returns the type in DLVM. The element type must be known.
  dlvm::Type dlvm() const { return dlvm::Type::tensor(element.type, shape); }
};

struct Declaration;
struct Instance;
struct Net;
struct NetType;

/// One value of a body.
struct Node {
  enum class Kind : std::uint8_t {
    constant,   ///< `values`: one, for every element, or all, row-major
    reference,  ///< the value of `declaration`
    parameter,  ///< the function's parameter number `index`; behind those come the tensors of its net
    variable,   ///< the value that the body's variable number `index` has then
    part,       ///< result number `index` of the call of a function with several
    choice,     ///< operand 1 if operand 0, a scalar, is true, else operand 2: see `sides`
    operation,  ///< the DLVM instruction `opcode`; an attribute that is an element type means the node's own
    call,       ///< a call of `callee`
    identity,   ///< the value with which `opcode` combines any x to x
    training,   ///< a bool that says whether the entry point trains
    key,        ///< the random key of an initializer, or of the value or function that draws, u64
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
  const Instance* callee = nullptr;
  /// Of a parameter or a variable its number; of a call of a function that draws its place among the body's
  /// draws.
  std::size_t index = 0;
  /// Of a choice, how many nodes directly before it compute operand 1, and then operand 2. These are
  /// computed only where their side is taken.
  std::array<std::size_t, 2> sides = {};
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
  Type type;                  ///< the type of all its values
  bool not_negative = false;  ///< a counter that counts up from 0 or more
  bool used = false;
  bool failed = false;  ///< the mistake in its value has been reported
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
  };
  struct Branch {
    Computation condition;  ///< without values: always
    std::vector<Statement> body;
  };
  Kind kind = Kind::result;
  Location location;
  std::vector<std::size_t> variables;
  Computation computation;
  std::int64_t step = 1;
  std::vector<Branch> branches;  ///< of a loop one, without a condition
};

/// An expression, checked: its values in an order in which each follows what it uses. Or the body of a
/// function: its statements, and the values of all of them.
struct Body {
  std::vector<std::unique_ptr<Node>> nodes;
  Node* result = nullptr;  ///< the value of an expression; null after an error
  std::vector<Variable> variables;
  std::vector<Statement> statements;
  std::vector<dlvm::Requirement> requirements;
};

struct Scope;

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

  ast::Role role() const { return syntax->role; }
  /// Returns whether the value is supplied from outside: an input, a parameter, a state, or a constant
  /// without an expression.
  bool is_given() const {
    return role() == ast::Role::in || role() == ast::Role::param || role() == ast::Role::state ||
           (role() == ast::Role::constant && !syntax->value);
  }
  /// Returns whether it is a constant with an expression.
  bool is_computed_constant() const { return role() == ast::Role::constant && syntax->value; }

  Type type;
  bool done = false;
  bool failed = false;  ///< its mistake has been reported, those that follow from it are not
  bool used = false;
  Body body;  ///< the body of a computed value; the initializer of a parameter or a state
  const Body& initializer() const { return pattern != nullptr ? pattern->body : body; }

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
  Instance* open = nullptr;  ///< the one for certain arguments whose check has begun last

  std::string name() const;  ///< `gelu`, `Dense.apply`
};

/// A tensor of a net: those of an instance are numbered in the order of declaration, with the tensors of an
/// inner net in its place, and those of an array element by element.
struct NetTensor {
  std::size_t number = 0;
  std::string name;  ///< `W`, `tower.0.W`
  Declaration* declaration = nullptr;
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
  bool draws = false;         ///< it draws random numbers where the entry point trains
  std::vector<Type> results;  ///< one or more; of a recursive function known before the body
  Body body;
  std::uint64_t size = 0;  ///< operations of the body with every call in it written out
};

/// A net as it is written.
struct Net {
  /// A param, a const, or an instance of another net.
  struct Member {
    std::string name;
    Location location;
    const ast::Declaration* declaration = nullptr;
    const ast::NetInstance* instance = nullptr;
    Net* net = nullptr;  ///< what it is an instance of; null after an error
    bool used = false;
  };
  const ast::Net* syntax = nullptr;
  Scope* scope = nullptr;
  std::vector<Member> members;  ///< in the order of the source
  std::map<std::string, std::vector<Function*>, std::less<>> functions;
  const NetType* sample = nullptr;  ///< with dimensions that stand for themselves, for the check of functions
  bool failed = false;
  bool used = false;

  const std::string& name() const { return syntax->name.text; }
  bool has_dimension(std::string_view dimension) const;
};

/// A net for given extents. Its instances share what is here: types, initializers and functions.
struct NetType {
  struct Member {
    Net::Member* written = nullptr;
    Declaration* declaration = nullptr;  ///< of a param or a const
    const NetType* type = nullptr;       ///< of an inner net; null after an error
    std::int64_t count = 0;              ///< the extent of an array of nets; 0 where it is none
    std::size_t first = 0;               ///< the number of its first tensor
  };
  Net* net = nullptr;
  std::string text;   ///< `Dense(784, 256)`
  Location location;  ///< the location of the first instance
  std::map<std::string, Extent, std::less<>> dimensions;
  ElementType element = ElementType::f32;  ///< the type of tensors that are declared without one
  bool sample = false;
  std::vector<Member> members;
  std::size_t tensors = 0;  ///< the number of tensors that are stored for an instance

  const Member* member(std::string_view name) const;
  NetTensor tensor(std::size_t number) const;
};

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

/// A file and the names in it.
struct Scope {
  std::string name;
  const dlvm::Source* source = nullptr;
  std::unique_ptr<ast::Module> syntax;
  bool main = false;
  bool library = false;  ///< declared in the standard library
  std::map<std::string, Declaration*, std::less<>> values;
  std::map<std::string, Dimension, std::less<>> dimensions;
  std::map<std::string, std::vector<Function*>, std::less<>> functions;
  std::map<std::string, Net*, std::less<>> nets;
  std::map<std::string, NetInstance*, std::less<>> instances;
  std::vector<Scope*> imports;

  ElementType element() const;
};

/// An entry point. Its function is made when it is lowered.
struct Entry {
  dlvm::EntryKind kind = dlvm::EntryKind::forward;
  std::string name, doc;
  Location location;
  std::vector<const Declaration*>
      results;  ///< losses, outs, metrics, next values of states; of a named gradient what is kept
  std::vector<const Declaration*> losses;  ///< to differentiate: their sum; of a named gradient `of`
  std::vector<const Declaration*>
      seeded;  ///< to differentiate with a cotangent each, where `losses` is empty
  std::vector<const Declaration*> wrt;
  bool training = false;
};

struct Program {
  std::deque<Scope> scopes;  ///< the first is the module's own
  std::list<Declaration> declarations;
  std::deque<Function> functions;
  std::deque<Net> nets;
  std::deque<NetType> net_types;
  std::deque<NetInstance> net_instances;
  std::deque<Declaration> net_declarations;                      ///< what the net types declare
  std::map<std::string, Declaration*, std::less<>> net_tensors;  ///< those of instances: `fc.W`
  std::vector<std::unique_ptr<Instance>> instances;
  std::vector<Declaration*> order;  ///< each after what its expression names
  std::vector<Entry> entries;

  Scope& main() { return scopes.front(); }
  const Scope& main() const { return scopes.front(); }
};

}  // namespace frontend::check
