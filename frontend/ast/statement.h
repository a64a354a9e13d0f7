// Statements of a function's body.
#pragma once

#include "frontend/ast/ast.h"

namespace frontend::ast {

struct Statement;

/// `{ … }`
struct Block {
  Location location;  ///< the location of the `{`
  Location end;       ///< the location of the `}`
  std::vector<Statement> statements;
};

/// `a: [n]` in `let a: [n] = …`; the type may be nothing at all.
struct Target {
  Name name;
  Type type;
};

struct Statement {
  enum class Kind : std::uint8_t {
    let,          ///< `let a = x`, `let (a, b) = f(x)`
    var,          ///< `var a = x`
    assignment,   ///< `a = x`
    next,         ///< `s' = x`
    conditional,  ///< `if a { … } else if b { … } else { … }`
    counted,      ///< `for i in a..b by c { … }`
    loop,         ///< `while c { … }`
    result,       ///< `return x`, `return (x, y)`
    match,        ///< `match t { leaf(v) { … } node(l, r) { … } }`
  };
  Kind kind = Kind::result;
  Location location;            ///< the location of the word or name with which it starts
  std::vector<Target> targets;  ///< what is declared or assigned; of `for` the counter
  /// The value; the values returned; the conditions, one for each block that has one; the bounds and the
  /// step.
  std::vector<ExpressionPointer> expressions;
  std::vector<Case> cases;    ///< of a match
  std::vector<Block> blocks;  ///< of a match one for each case; of a conditional without `else` as many as
                              ///< conditions, else one more
};

}  // namespace frontend::ast
