#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel/ir/index.h"
#include "dlvm/ir/function.h"

/// Kernels say what is computed and know no target: a tree of stages under shared outer axes. They print,
/// parse, verify and run in an interpreter (text.h, verify.h, interpret.h). Equality is structural;
/// names and locations are annotations, which `without_annotations` takes away.
namespace codegen::kernel {

using dlvm::ElementType;
using dlvm::Shape;

/// Position of a buffer in its kernel.
using BufferId = std::uint32_t;

enum class AxisKind : std::uint8_t {
  parallel,  ///< points in any order
  reduced,  ///< points are combined by the stage's reduction, in order (schedules may split it, always alike)
  ordered,  ///< a scan: the state after each point is seen by the epilogue at that point
};

struct Axis {
  AxisId id = 0;
  std::string name;  ///< an annotation: `i`, `k`
  Extent extent;
  AxisKind kind = AxisKind::parallel;
  friend bool operator==(const Axis&, const Axis&) = default;
};

/// An element of a buffer: one index an axis of the buffer's shape.
struct Access {
  BufferId buffer = 0;
  std::vector<Index> indices;
  friend bool operator==(const Access&, const Access&) = default;
};

/// 0 <= index < end.
struct Bound {
  Index index;
  Extent end;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// One scalar of a stage, in SSA form.
struct Scalar {
  struct Literal {
    dlvm::Tensor value;  ///< of rank 0, of the scalar's type
    friend bool operator==(const Literal&, const Literal&) = default;
  };
  /// An index as a number of the scalar's type (iota, positions).
  struct Position {
    Index index;
    friend bool operator==(const Position&, const Position&) = default;
  };
  /// An element of a buffer. Where a bound does not hold, nothing is read and the value is `fill`.
  struct Load {
    Access access;
    std::vector<Bound> bounds;
    ScalarId fill = 0;  ///< meaningful where there are bounds
    friend bool operator==(const Load&, const Load&) = default;
  };
  /// An elementwise instruction of the table; `dataTypeCast` converts to the scalar's type.
  struct Operation {
    dlvm::Opcode opcode;
    std::vector<ScalarId> operands;
    friend bool operator==(const Operation&, const Operation&) = default;
  };
  /// In an epilogue: component `component` of the reduction's state.
  struct State {
    std::uint32_t component = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  /// The operand where first <= operand < end; otherwise the entry point fails with this site, its value and
  /// the position, and the scalar is `first`, so that no address outside is ever made.
  struct Check {
    ScalarId operand = 0;
    Extent first, end;
    std::uint32_t site = 0;       ///< position in Program::check_sites
    std::vector<Index> position;  ///< of the element in the index tensor, for the message
    friend bool operator==(const Check&, const Check&) = default;
  };
  /// Element `index` of `random`'s stream (dlvm-ir, `random`).
  struct Random {
    ScalarId low = 0, high = 0, key = 0, counter = 0;
    Index index;
    friend bool operator==(const Random&, const Random&) = default;
  };
  using Definition = std::variant<Literal, Position, Load, Operation, State, Check, Random>;

  ElementType type = ElementType::f32;
  Definition definition;
  friend bool operator==(const Scalar&, const Scalar&) = default;
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
  friend bool operator==(const Reduction&, const Reduction&) = default;
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
  friend bool operator==(const Store&, const Store&) = default;
};

/// A product summed over `k`: the body ends in the product of two expressions of which one does not depend on
/// the axes `m`, the other not on `n`. The operands are expressions, not tensors: a schedule evaluates them
/// into panels.
struct Contraction {
  std::vector<AxisId> batch, m, n, k;
  ScalarId left = 0, right = 0;  ///< scalars of the body: left over batch, m, k; right over batch, n, k
  friend bool operator==(const Contraction&, const Contraction&) = default;
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
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// Shared parallel axes, then children that run one after the other at each point of them. A child reads what
/// an earlier one stored, at the same point, in a local buffer or in an argument. Stages outside of any axes
/// (a root block without axes) run one after the other as a whole.
struct Block {
  std::vector<Axis> axes;
  std::vector<std::variant<Block, Stage>> children;
  friend bool operator==(const Block&, const Block&) = default;
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
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

struct Kernel {
  std::string name;
  std::vector<Buffer> buffers;  ///< arguments first, in the order in which a launch gives them
  Block root;
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// The same computation without names and locations, so that kernels that compute the same are
/// equal.
Kernel without_annotations(Kernel kernel);

}  // namespace codegen::kernel
