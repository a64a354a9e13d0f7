// The abstract syntax of a TEL module: what was written, nothing inferred.
//
// Every node knows its place. A location spans the node within its first line; an operator or a name inside
// has a location of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/expression.h"
#include "frontend/ast/type.h"

namespace frontend::ast {

enum class Role { in, param, constant, hidden, layer, out, loss, metric, state };
std::string_view spelling(Role role);  ///< "in", "param", "const", …
std::optional<Role> role(std::string_view text);

/// `from "fc1.weight"^T`: how files of weights have a tensor.
struct NameInFiles {
  std::string text;  ///< what stands between the quotation marks
  Location location;
  bool transposed = false;  ///< they have it with the last two axes in the other order
};

/// `W2, W3: param[8x8] = random(0, 1)`, `h = relu(x)`, or `C[i, j] = A[i, j] * B[j]`.
struct Declaration {
  Location location;  ///< the location of the first name
  std::string doc;    ///< the `///` lines above, joined by '\n', without the slashes and one blank
  std::vector<Name> names;
  Role role = Role::hidden;
  Location role_location;     ///< invalid where the role is left out
  std::vector<Name> indices;  ///< `i, j` of `C[i, j] = …`, whose expression is that of each element
  Type type;
  std::optional<NameInFiles> in_files;
  ExpressionPointer scale;  ///< the factor of the integers that are stored; may be absent
  ExpressionPointer value;  ///< initializer or expression; may be absent
};

/// `dim d = 512` (a constant) or `dim N` (free). `dim d = 512, heads = 8` is two of them.
struct Dimension {
  std::string doc;
  Name name;
  std::optional<Extent> value;
};

struct Import {
  Name module;
};

struct Parameter {
  /// `along: axis = -1` and `keep: flag = false` are constants of each call.
  enum class Kind : std::uint8_t { value, axis, flag };
  Name name;
  Kind kind = Kind::value;
  Type type;                ///< the type of a value
  ExpressionPointer value;  ///< the default; may be absent

  bool is_value() const { return kind == Kind::value; }
};
/// Returns the word of the kind, "axis" or "flag"; empty for a value.
std::string_view spelling(Parameter::Kind kind);

struct Block;  // statement.h

/// `func gelu(x: [s...]) -> [s...] = …`, or with a block `{ … }` for a body.
struct Function {
  std::string doc;
  Name name;
  std::vector<Parameter> parameters;
  std::vector<Type> results;           ///< the types declared; none, or one for each result
  ExpressionPointer body;              ///< null where there is a block
  std::shared_ptr<const Block> block;  ///< also that of `= (a, b)`: one `return`
};

/// `custom gradient f(x, dy) { … }`: the derivative of the function `f`.
struct CustomGradient {
  std::string doc;
  Name of;
  std::vector<Name> parameters;        ///< for the arguments of the function, then for cotangents
  std::shared_ptr<const Block> block;  ///< also that of `= e`: one `return`
};

/// `struct Line { slope: []  offset: [3] }`, `enum Tree { leaf([3])  node(Tree, Tree) }`
struct TypeDeclaration {
  enum class Kind : std::uint8_t { structure, enumeration };
  /// A field with its one type, or a case with the types of its payload.
  struct Member {
    Name name;
    std::vector<Type> types;
  };
  Kind kind = Kind::structure;
  std::string doc;
  Name name;
  std::vector<Member> members;
};
/// Returns the word of the kind, "struct" or "enum".
std::string_view spelling(TypeDeclaration::Kind kind);

/// `784`, `n: 784` between the parentheses behind the name of a net.
struct NetArgument {
  std::optional<Name> name;
  Extent value;
};

/// `fc: Dense(784, 256)`, or `tower: [12] layers.Block(d, heads: 8)`.
struct NetInstance {
  Location location;  ///< the location of the first name
  std::string doc;
  std::vector<Name> names;
  std::optional<Extent> count;  ///< the extent of an array
  std::optional<Name> file;     ///< `layers` in `layers.Block`
  Name net;
  std::vector<NetArgument> arguments;
  Location use;  ///< the location of the net's name with its arguments
  /// What the names of its tensors in files begin with; absent: the name of the instance.
  std::optional<NameInFiles> in_files;
};

/// `net Dense(n, m) { … }`
struct Net {
  std::string doc;
  Name name;
  std::vector<Dimension> parameters;  ///< a value is the default
  std::vector<Declaration> declarations;
  std::vector<NetInstance> instances;
  std::vector<Function> functions;
};

/// `h[0-1] = init` in a recurrent block: the value of `h` before the first step.
struct InitialValue {
  std::vector<ExpressionPointer> steps;  ///< what stands in the brackets: `0-1`
  Declaration declaration;               ///< the name and the expression
};

/// `recurrent t in T backward over x = e { … }`
struct Recurrence {
  Location location;  ///< the location of the word `recurrent`
  std::string doc;
  Declaration counter;  ///< `t`, without an expression
  std::optional<Extent> length;
  bool backward = false;
  std::vector<Declaration> sequences;  ///< `x = e` behind `over`
  std::vector<Declaration> declarations;
  std::vector<InitialValue> initial_values;
  std::vector<Recurrence> recurrences;  ///< the blocks in this one
};

/// `gradient saliency of y wrt x keeping z`: a further entry point. The text of a name may have dots, `fc.W`.
/// `gradient f_dw of f from 0 wrt w keeping 0 seedable`: a function, the derivative of the function `f`. What
/// it keeps are the numbers of results.
struct Gradient {
  Location location;
  std::string doc;
  Name name;
  std::vector<Name> of;      ///< at least one
  std::optional<Name> from;  ///< the number of a result
  std::vector<Name> wrt;     ///< at least one
  std::vector<Name> keeping;
  bool seedable = false;
};

/// `optimize with adam(rate: 0.001) scaling 1024`: the entry point `step`. The first expression is meant to
/// be a call of a function, without those arguments that the compiler supplies.
struct Optimize {
  Location location;
  std::string doc;
  ExpressionPointer call;
  ExpressionPointer scaling;  ///< the factor of the loss that is differentiated; may be absent
};

struct Module {
  std::string doc;
  std::optional<Name> name;                 ///< the name in the `module` line
  std::optional<ElementType> element_type;  ///< the type in the `type` line
  Location element_type_location;
  std::vector<Import> imports;
  std::vector<Dimension> dimensions;
  std::vector<TypeDeclaration> types;
  std::vector<Declaration> declarations;
  std::vector<Declaration> next_values;  ///< `s' = …`: each has the name of its state and a value
  std::vector<Function> functions;
  std::vector<Net> nets;
  std::vector<NetInstance> instances;
  std::vector<Gradient> gradients;
  std::vector<Recurrence> recurrences;
  std::vector<Optimize> optimizers;  ///< at most one is right
  std::vector<CustomGradient> custom_gradients;
};

}  // namespace frontend::ast
