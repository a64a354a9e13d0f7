#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/support/value_semantics.h"

/// Schedules say how a kernel is computed: an explicit loop nest over the kernel's scalars, with buffers
/// whose memory space and layout are chosen. Every target reads these types; the verifier rejects what a
/// target cannot run. Equality is structural; names, stages, plans and locations are annotations, which
/// `without_annotations` takes away.
namespace codegen::schedule {

using dlvm::ElementType;
using dlvm::Extent;
using dlvm::Shape;
/// Indices, accesses, bounds and scalars are the kernel's, with loops in the place of axes and values in the
/// place of a stage's scalars.
using kernel::Access;
using kernel::Bound;
using kernel::BufferId;
using kernel::Index;
using kernel::Scalar;

using LoopId = kernel::AxisId;     ///< unique in a variant
using ValueId = kernel::ScalarId;  ///< unique in a variant

enum class LoopKind : std::uint8_t {
  serial,
  unrolled,  ///< constant extent; one copy of the body a trip
  vector,    ///< constant extent: its trips are the lanes of a vector; not nested in one another
  thread,    ///< of a block of threads
  block,     ///< of a grid
  warp,      ///< of a block of threads, `warp_threads` each (threads.h)
  role,      ///< constant extent: each trip is run by other warps at the same time, one child each
  pipeline,  ///< serial; its panels become multistage buffers of `depth` stages, filled ahead (pipeline.h)
};

struct Statement;
using Body = std::vector<Statement>;

/// The variable takes 0, step, 2 * step … below the extent; trips for which a bound does not hold are left
/// out (a bound grows with the variable, so that these are the last).
struct Loop {
  LoopId id = 0;
  std::string name;
  LoopKind kind = LoopKind::serial;
  Extent extent;
  std::int64_t step = 1;
  std::uint32_t depth = 0;  ///< of a pipeline
  std::vector<Bound> bounds;
  Body body;
  friend bool operator==(const Loop&, const Loop&) = default;
};

enum class Space : std::uint8_t {
  argument,   ///< memory of the program, as the kernel's buffer of the same position
  arena,      ///< workspace of this kernel, of any size
  panel,      ///< workspace that stays in the nearest cache: packed operands, rows between stages
  shared,     ///< of a block of threads
  registers,  ///< constant shape; indices are constant once unrolled, but for the lane
};

/// Element offset o is moved to o ^ (((o >> (base + shift)) & (2^bits - 1)) << base), so that columns of a
/// tile are in different banks.
struct Swizzle {
  std::uint8_t bits = 0, base = 0, shift = 0;
  friend bool operator==(const Swizzle&, const Swizzle&) = default;
};

/// Maps element (i, j, …) to memory: Σ index × stride elements from the start, then swizzled.
struct Layout {
  std::vector<Extent> strides;
  std::optional<Swizzle> swizzle;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Says which register of which thread holds which element of a tile: a linear layout over the field of two
/// elements, as Triton's LinearLayout. Its input is a hardware index, its output the element's coordinates.
/// The index has one bit a basis vector: bits of the register's number, of the lane's in its warp, of the
/// warp's in its block. The coordinates are the exclusive or of the basis vectors whose bits are set. So the
/// whole map is known from its values at powers of two, and a conversion between two tiles is one map after
/// the inverse of the other. With registers {[0, 1], [8, 0]} and lanes {[0, 2], …}, register 3 of lane 1
/// holds [0, 1] ^ [8, 0] ^ [0, 2] = [8, 3].
struct LinearLayout {
  using Bases = std::vector<std::vector<std::int64_t>>;  ///< one vector of coordinates a bit
  Bases registers, lanes, warps;
  friend bool operator==(const LinearLayout&, const LinearLayout&) = default;
};

struct Buffer {
  std::string name;
  ElementType element = ElementType::f32;
  Shape shape;
  Space space = Space::argument;
  Layout layout;
  bool written = false;                       ///< of an argument
  std::optional<LinearLayout> linear_layout;  ///< of a tile that the threads of a block hold together
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// Marks that what follows, up to the next mark, computes this stage of the kernel: for messages, debuggers
/// and reports. The text form has the name and the plan.
struct Origin {
  std::string stage;
  std::string plan;  ///< what the target chose for the stage, and why; empty in schedules written by hand
  dlvm::Location location;
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// Gives a scalar a name. A use sees the values of its own body before it and of the bodies around.
struct Let {
  ValueId id = 0;
  Scalar scalar;
  friend bool operator==(const Let&, const Let&) = default;
};

/// Writes one element; see kernel::Store.
struct Store {
  Access access;
  std::vector<Bound> bounds;
  ValueId value = 0;
  std::optional<dlvm::Combinator> combine;
  friend bool operator==(const Store&, const Store&) = default;
};

/// The buffer lives from here to the end of this body, one a trip of the loops around (so one a lane in a
/// vector loop, one a thread in a thread loop; a shared one is one a block). It holds nothing at first.
struct Allocate {
  BufferId buffer = 0;
  friend bool operator==(const Allocate&, const Allocate&) = default;
};

/// A box of a buffer: the elements origin … origin + sizes; where `strides` is not empty, a tile of as many
/// axes that begins at the origin and steps through memory by these, in elements.
struct Tile {
  BufferId buffer = 0;
  std::vector<Index> origin;
  Shape sizes;
  std::vector<Extent> strides;
  friend bool operator==(const Tile&, const Tile&) = default;
};

struct Fill {
  Tile to;
  dlvm::Tensor value;  ///< a scalar
  friend bool operator==(const Fill&, const Fill&) = default;
};

/// Elements are converted where the types differ. Where a bound does not hold nothing is read, and zeros are
/// written. An asynchronous copy, of 4, 8 or 16 bytes next to each other, has happened after a `Wait` for its
/// group; other threads see it after a barrier that follows.
struct Copy {
  Tile from, to;
  bool asynchronous = false;
  std::vector<Bound> bounds;
  friend bool operator==(const Copy&, const Copy&) = default;
};

/// Makes a group of the asynchronous copies of this thread since the last `Commit`.
struct Commit {
  friend bool operator==(const Commit&, const Commit&) = default;
};

/// Waits until at most `pending` groups of asynchronous copies of this thread are under way.
struct Wait {
  std::uint32_t pending = 0;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Synchronizes the threads of a block (in a warp loop, of the warp): what they wrote to memory before, all
/// of them see afterwards. `insert_barriers` puts it where threads access what others wrote.
struct Barrier {
  friend bool operator==(const Barrier&, const Barrier&) = default;
};

/// How products are computed and added.
enum class Arithmetic : std::uint8_t {
  fused,   ///< one multiply-add after the other in the order of k, fused where the target fuses
  tensor,  ///< on tensor cores: of f16, bf16, and f32 rounded to tf32; exact products, f32 sums
  /// on tensor cores, of f32 as the sum of two tf32 each, of which all products but the smallest count; as
  /// accurate as f32. The sums of one tile are added to `to` once.
  tensor_split,
};

/// Computes to[i, j] += Σ left[k, i] * right[k, j], whatever the sizes. Nothing is read for i >= `rows`, j >=
/// `columns` and k >= `count`; such elements of `to` become undefined. The sizes but for k are constant; axes
/// other than the last two have extent 1 in the tile.
struct MultiplyAccumulate {
  Tile to, left, right;
  Index rows, columns, count;
  Arithmetic arithmetic = Arithmetic::fused;
  friend bool operator==(const MultiplyAccumulate&, const MultiplyAccumulate&) = default;
};

/// Combines the elements of each `from` into one: halves onto halves, the upper into the lower, until one is
/// left (the sizes are constant powers of two), which is stored to `to`. One buffer a state component.
/// Outside of thread loops, a tile in registers is of the threads of a warp, an element a lane, and so is
/// each result.
struct Reduce {
  std::vector<Tile> from;
  std::vector<Access> to;
  kernel::Reduction
      reduction;  ///< only `types`, `identity`, `combine`, `results`, `named`, `any_order` are used
  friend bool operator==(const Reduce&, const Reduce&) = default;
};

/// Changes element type or linear layout of a register tile.
struct Convert {
  Tile from, to;
  friend bool operator==(const Convert&, const Convert&) = default;
};

struct Statement {
  using Node = std::variant<Origin, Let, Store, Allocate, Loop, Fill, Copy, Commit, Wait, Barrier,
                            MultiplyAccumulate, Reduce, Convert>;
  DECLARE_VALUE_SEMANTICS(Statement)
  Statement(Node node);  // NOLINT: a node is a statement

  Node node;
  friend bool operator==(const Statement&, const Statement&) = default;
};

/// The condition first <= value < end, on extents of named dimensions.
struct Guard {
  Extent value;
  std::int64_t first = 0;
  std::optional<std::int64_t> end;
  friend bool operator==(const Guard&, const Guard&) = default;
};

struct Variant {
  std::vector<Guard> guards;
  Body body;
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// The first variant whose guards hold is run; the last one has none. All reduce in the same order.
struct Schedule {
  DECLARE_VALUE_SEMANTICS(Schedule)

  std::string name;             ///< of the kernel
  std::vector<Buffer> buffers;  ///< the kernel's arguments first, in their order
  std::uint32_t arguments = 0;  ///< how many these are
  std::vector<Variant> variants;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Returns the row-major layout without padding.
Layout dense_layout(const Shape& shape);

/// Returns how many elements of memory the buffer takes: up to the last one that its layout gives a place,
/// for a swizzled buffer whole multiples of 2^(base + bits), inside of which elements move; for a distributed
/// tile, each thread's registers.
Extent element_count(const Buffer& buffer);

/// Returns the schedule without names, stages, plans and locations, so that schedules that compute the same
/// in the same way are equal.
Schedule without_annotations(Schedule schedule);

}  // namespace codegen::schedule
