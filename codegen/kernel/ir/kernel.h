#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel/ir/index.h"
#include "dlvm/ir/function.h"
#include "dlvm/support/value_semantics.h"

/// The kernel IR. A kernel is a tree of stages under shared outer axes; it says what is computed and knows no
/// target. Kernels are built from DLVM functions (build/), print and parse (text/), are verified (verify/),
/// and run in an interpreter, which defines their meaning (interpret/). Equality is structural; names and
/// locations are annotations, which `without_annotations` removes.
namespace codegen::kernel {

using dlvm::ElementType;
using dlvm::Shape;

/// The position of a buffer in its kernel.
using BufferId = std::uint32_t;

/// The order of an axis's points and the way in which they are combined.
enum class AxisKind : std::uint8_t {
  parallel,  ///< points in any order
  reduced,  ///< points are combined by the stage's reduction, in order (schedules may split it, always alike)
  ordered,  ///< a scan: the state after each point is seen by the epilogue at that point
};

/// An iteration axis: its points are 0 … extent - 1.
struct Axis {
  AxisId id = 0;
  std::string name;  ///< an annotation: `i`, `k`
  Extent extent;
  AxisKind kind = AxisKind::parallel;
  friend bool operator==(const Axis&, const Axis&) = default;
};

/// An element of a buffer, with one index for each axis of the buffer's shape.
struct Access {
  BufferId buffer = 0;
  std::vector<Index> indices;
  friend bool operator==(const Access&, const Access&) = default;
};

/// The condition 0 <= index < end.
struct Bound {
  Index index;
  Extent end;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// One scalar of a stage, in SSA form.
struct Scalar {
  struct Literal {
    dlvm::Tensor value;  ///< a tensor of rank 0 and the scalar's type
    friend bool operator==(const Literal&, const Literal&) = default;
  };
  /// An index as a number of the scalar's type (iota, positions).
  struct Position {
    Index index;
    friend bool operator==(const Position&, const Position&) = default;
  };
  /// An element of a buffer. If a bound does not hold, nothing is read and the value is `fill`.
  struct Load {
    Access access;
    std::vector<Bound> bounds;
    ScalarId fill = 0;  ///< meaningful if there are bounds
    friend bool operator==(const Load&, const Load&) = default;
  };
  /// An elementwise instruction of the table; `dataTypeCast` converts to the scalar's type.
  struct Operation {
    dlvm::Opcode opcode;
    std::vector<ScalarId> operands;
    friend bool operator==(const Operation&, const Operation&) = default;
  };
  /// Component `component` of the reduction's state, in an epilogue.
  struct State {
    std::uint32_t component = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  /// The operand if first <= operand < end. Otherwise the entry point fails with this site, the operand's
  /// value and the position, and the scalar is `first`, so that no address outside is ever formed.
  struct Check {
    ScalarId operand = 0;
    Extent first, end;
    std::uint32_t site = 0;          ///< position in Program::check_sites
    std::vector<Index> position;     ///< the position of the element in the index tensor, for the message
    std::vector<Bound> bounds = {};  ///< outside of these nothing is checked, and the value is `first`
    friend bool operator==(const Check&, const Check&) = default;
  };
  /// Element `index` of `random`'s stream (dlvm-ir, `random`).
  struct Random {
    ScalarId low = 0, high = 0, key = 0, counter = 0;
    Index index;
    friend bool operator==(const Random&, const Random&) = default;
  };
  using Definition = std::variant<Literal, Position, Load, Operation, State, Check, Random>;

  DECLARE_VALUE_SEMANTICS(Scalar)
  Scalar(ElementType type, Definition definition);

  ElementType type = ElementType::f32;
  Definition definition;
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// The monoid that combines a stage's reduced points; its state is one or more scalars. `combine` holds
/// scalars over 2n imaginary states: State{0 … n-1} is the left state, State{n … 2n-1} the right one. A point
/// contributes the state `inputs`. Sum, argmax (value, position), Welford's variance (count, mean, m2) and
/// online softmax (m, l, …) are all of this form, and so are several monoids side by side, each with
/// components of its own. An initial value other than the identity is combined in the epilogue.
struct Reduction {
  DECLARE_VALUE_SEMANTICS(Reduction)

  std::vector<ElementType> types;      ///< the state's element types, as accumulated (f32 for 16-bit floats)
  std::vector<dlvm::Tensor> identity;  ///< scalars; combine(identity, x) = x
  std::vector<ScalarId> inputs;        ///< scalars of the stage's body
  std::vector<Scalar> combine;
  std::vector<ScalarId> results;  ///< positions in `combine`
  /// The instruction of each component (add, max …), where each is combined by just that one; else empty.
  std::vector<dlvm::Opcode> named;
  bool any_order = false;  ///< combine(a, b) = combine(b, a), so that points need no order
  friend bool operator==(const Reduction&, const Reduction&) = default;
};
/// Returns the monoid whose state has the components of all `parts` one after the other.
Reduction side_by_side(const std::vector<Reduction>& parts);
/// Returns whether the instruction's monoid is commutative, so that its points need no order.
inline bool combines_in_any_order(dlvm::Opcode opcode) {
  const auto& definition = dlvm::definition(opcode);
  return definition.is(dlvm::Trait::commutative) && definition.is(dlvm::Trait::associative);
}

/// Writes one element. If `combine` is set (scatter), the element becomes combine(element, value), and the
/// stage's points run in order.
struct Store {
  Access access;
  std::vector<Bound> bounds;  ///< nothing is written where one does not hold
  ScalarId value = 0;
  std::optional<dlvm::Combinator> combine;
  bool distinct = false;  ///< the stage's points store different elements, though the indices do not show it
  friend bool operator==(const Store&, const Store&) = default;
};

/// A product summed over `k`. The body ends in the product of two expressions, of which the right one does
/// not depend on the axes `m` and the left one not on `n`. The operands are expressions rather than tensors;
/// a schedule evaluates them into panels.
///
/// The reduction's input is the product of the two, or differs from it where `right` is 0 because its bounds
/// do not hold: there the input is 0, whatever `left` is. So the sum of the products is that of the inputs,
/// unless it is NaN. Of a reduction with several components, the product is the input of the last one.
struct Contraction {
  std::vector<AxisId> batch, m, n, k;
  ScalarId left = 0, right = 0;  ///< scalars of the body: left over batch, m, k; right over batch, n, k
  friend bool operator==(const Contraction&, const Contraction&) = default;
};

/// A sort of rows. At each point of the stage, the elements of `keys` along `axis` are put into order, and
/// those of `positions` (i32) become the places at which they stood: equal elements keep their order, and NaN
/// is above all numbers. Both accesses name the first element of the row. The contents of `keys` are sorted,
/// too.
struct Sorting {
  Access keys, positions;
  std::uint32_t axis = 0;  ///< of both buffers, which have the same shape
  Extent extent;           ///< the extent of that axis
  bool descending = false;
  friend bool operator==(const Sorting&, const Sorting&) = default;
};

/// A loop nest without an order of its own: for every point of the outer blocks' axes and of its own axes
/// that are not reduced, it evaluates the body at every reduced point, then the reduction, then the epilogue
/// and the stores. Without a reduction there is no epilogue and the stores take scalars of the body. A stage
/// that sorts has parallel axes and no scalars.
///
/// A stage that accumulates also combines the points of the last axes of the block around it: it evaluates
/// its body at each of them, in order, and its epilogue and stores once, after the last.
struct Stage {
  DECLARE_VALUE_SEMANTICS(Stage)

  std::string name;
  std::vector<Axis> axes;
  std::vector<AxisId> accumulated;  ///< axes of the block around, its last ones, that the reduction combines
  std::vector<Scalar> body;
  std::optional<Reduction> reduction;
  std::vector<Scalar> epilogue;
  std::vector<Store> stores;
  std::optional<Contraction> contraction;
  std::optional<Sorting> sorting;
  std::vector<dlvm::Location> locations;
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// Shared parallel axes around children that run one after the other at each point. A child reads the values
/// that an earlier child stored, at the same point, in a local buffer or in an argument. Stages outside of
/// any axes (in a root block without axes) run one after the other as a whole. What a stage accumulates is
/// stored in arguments, or in local buffers of the blocks around this one, that no other child accesses.
struct Block {
  DECLARE_VALUE_SEMANTICS(Block)

  std::vector<Axis> axes;
  std::vector<std::variant<Block, Stage>> children;
  friend bool operator==(const Block&, const Block&) = default;
};

/// Memory that a kernel accesses, as a tensor.
struct Buffer {
  enum class Space : std::uint8_t {
    argument,  ///< memory of the program that the launch passes; read, or written
    local,     ///< memory of one point of the block at `depth` in the tree; undefined when the point begins
  };
  std::string name;
  ElementType element = ElementType::f32;
  Shape shape;
  Space space = Space::argument;
  bool written = false;     ///< an argument that the kernel stores to: all elements, unless `updated`
  std::uint32_t depth = 0;  ///< the depth of the block that a local buffer belongs to; 0 is the root
  bool updated = false;     ///< an argument that is written in place: other elements keep their values
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// The condition first <= value < end, on extents of named dimensions.
struct Guard {
  dlvm::Extent value;
  std::int64_t first = 0;
  std::optional<std::int64_t> end;
  friend bool operator==(const Guard&, const Guard&) = default;
};

/// A unit of execution: one launch runs it on the values of its arguments.
struct Kernel {
  DECLARE_VALUE_SEMANTICS(Kernel)

  std::string name;
  std::vector<Buffer> buffers;     ///< arguments first, in the order in which a launch gives them
  std::vector<Guard> guards = {};  ///< where one does not hold, a launch does nothing
  Block root;
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// Returns the same computation without names and locations, so that kernels that compute the same are equal.
Kernel without_annotations(Kernel kernel);

}  // namespace codegen::kernel
