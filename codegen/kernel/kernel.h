#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dlvm/ir/function.h"

/// Kernels say what is computed and know no target: a tree of stages under shared outer axes. They print,
/// parse, verify and run in an interpreter (text.h, verify.h, interpret.h).
namespace codegen::kernel {

using dlvm::ElementType;
using dlvm::Extent;
using dlvm::Shape;

/// Positions in the kernel's vectors; ids of axes are unique in a kernel.
using AxisId = std::uint32_t;
using BufferId = std::uint32_t;
/// Position of a scalar in its stage: first those of `body`, then those of `epilogue`.
using ScalarId = std::uint32_t;

enum class AxisKind : std::uint8_t {
  parallel,  ///< points in any order
  reduced,  ///< points are combined by the stage's reduction, in order (schedules may split it, always alike)
  ordered,  ///< a scan: the state after each point is seen by the epilogue at that point
};

struct Axis {
  AxisId id = 0;
  std::string name;  ///< for people: `i`, `k`
  Extent extent;
  AxisKind kind = AxisKind::parallel;
};

/// A quasi-affine index: constant + Σ coefficient × atom, an atom being an axis, floor(index / extent),
/// index mod extent (with the divisor's sign), or an integer scalar of the stage (gather, scatter).
struct Index {
  struct Quotient;
  using Atom = std::variant<AxisId, std::shared_ptr<const Quotient>, struct Loaded>;
  struct Term;

  Extent constant;
  std::vector<Term> terms;
};
struct Loaded {
  ScalarId scalar = 0;
};
struct Index::Quotient {
  enum class Kind : std::uint8_t { floor, modulo };
  Kind kind = Kind::floor;
  Index index;
  Extent divisor;
};
struct Index::Term {
  Extent coefficient;
  Atom atom;
};

/// An element of a buffer: one index an axis of the buffer's shape.
struct Access {
  BufferId buffer = 0;
  std::vector<Index> indices;
};

/// 0 <= index < end.
struct Bound {
  Index index;
  Extent end;
};

/// One scalar of a stage, in SSA form.
struct Scalar {
  struct Literal {
    dlvm::Tensor value;  ///< of rank 0, of the scalar's type
  };
  /// An index as a number of the scalar's type (iota, positions).
  struct Position {
    Index index;
  };
  /// An element of a buffer. Where a bound does not hold, nothing is read and the value is `fill`.
  struct Load {
    Access access;
    std::vector<Bound> bounds;
    ScalarId fill = 0;  ///< meaningful where there are bounds
  };
  /// An elementwise instruction of the table; `dataTypeCast` converts to the scalar's type.
  struct Operation {
    dlvm::Opcode opcode;
    std::vector<ScalarId> operands;
  };
  /// In an epilogue: component `component` of the reduction's state.
  struct State {
    std::uint32_t component = 0;
  };
  /// The operand where first <= operand < end; otherwise the entry point fails with this site, its value and
  /// the position, and the scalar is `first`, so that no address outside is ever made.
  struct Check {
    ScalarId operand = 0;
    Extent first, end;
    std::uint32_t site = 0;       ///< position in Program::check_sites
    std::vector<Index> position;  ///< of the element in the index tensor, for the message
  };
  /// Element `index` of `random`'s stream (dlvm-ir, `random`).
  struct Random {
    ScalarId low = 0, high = 0, key = 0, counter = 0;
    Index index;
  };
  using Definition = std::variant<Literal, Position, Load, Operation, State, Check, Random>;

  ElementType type = ElementType::f32;
  Definition definition;
};

/// How a stage's reduced points become one value: a monoid whose state is one or more scalars. `combine`
/// holds scalars over 2n imaginary states: State{0 … n-1} is the left state, State{n … 2n-1} the right one; a
/// point contributes the state `inputs`. So sum, argmax (value, position), Welford's variance (count, mean,
/// m2) and online softmax (m, l, …) are one concept. An initial value other than the identity is combined in
/// the epilogue.
struct Reduction {
  std::vector<ElementType> types;      ///< of the state, as accumulated (f32 for 16-bit floats)
  std::vector<dlvm::Tensor> identity;  ///< scalars; combine(identity, x) = x
  std::vector<ScalarId> inputs;        ///< of the stage's body
  std::vector<Scalar> combine;
  std::vector<ScalarId> results;      ///< positions in `combine`
  std::optional<dlvm::Opcode> named;  ///< the instruction, where the monoid is just that one (add, max …)
  bool any_order = false;             ///< combine(a, b) = combine(b, a), so that points need no order
};
/// Whether the instruction's monoid is so.
inline bool combines_in_any_order(dlvm::Opcode opcode) {
  const auto& definition = dlvm::definition(opcode);
  return definition.is(dlvm::Trait::commutative) && definition.is(dlvm::Trait::associative);
}

/// Writes one element. Where `combine` is set (scatter), the element becomes combine(element, value), and the
/// stage's points run in order.
struct Store {
  Access access;
  std::vector<Bound> bounds;  ///< nothing is written where one does not hold
  ScalarId value = 0;
  std::optional<dlvm::Combinator> combine;
};

/// A product summed over `k`: the body ends in the product of two expressions of which one does not depend on
/// the axes `m`, the other not on `n`. The operands are expressions, not tensors: a schedule evaluates them
/// into panels.
struct Contraction {
  std::vector<AxisId> batch, m, n, k;
  ScalarId left = 0, right = 0;  ///< scalars of the body: left over batch, m, k; right over batch, n, k
};

/// For all points of the outer blocks' axes and of its own axes that are not reduced: the body at every
/// reduced point, the reduction, then the epilogue and the stores. Without a reduction there is no epilogue
/// and the stores take scalars of the body.
struct Stage {
  std::string name;
  std::vector<Axis> axes;
  std::vector<Scalar> body;
  std::optional<Reduction> reduction;
  std::vector<Scalar> epilogue;
  std::vector<Store> stores;
  std::optional<Contraction> contraction;
  std::vector<dlvm::Location> locations;
};

/// Shared parallel axes, then children that run one after the other at each point of them. A child reads what
/// an earlier one stored, at the same point, in a local buffer or in an argument. Stages outside of any axes
/// (a root block without axes) run one after the other as a whole.
struct Block {
  std::vector<Axis> axes;
  std::vector<std::variant<Block, Stage>> children;
};

struct Buffer {
  enum class Space : std::uint8_t {
    argument,  ///< memory of the program, handed to the kernel: read, or written
    local,     ///< of one point of the block at `depth` in the tree; undefined when the point begins
  };
  std::string name;
  ElementType element = ElementType::f32;
  Shape shape;
  Space space = Space::argument;
  bool written = false;     ///< an argument that the kernel stores to
  std::uint32_t depth = 0;  ///< of a local buffer: of the block around it; 0 is the root
};

struct Kernel {
  std::string name;
  std::vector<Buffer> buffers;  ///< arguments first, in the order in which a launch gives them
  Block root;
};

}  // namespace codegen::kernel
