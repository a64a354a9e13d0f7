#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/support/value_semantics.h"

/// The schedule IR. A schedule is an explicit loop nest over the scalars of a kernel, with buffers whose
/// memory space and layout are chosen. Every target reads these types, and the verifier rejects schedules
/// that a target cannot run. Equality is structural; names, stages, plans and locations are annotations,
/// which `without_annotations` removes.
namespace codegen::schedule {

using dlvm::ElementType;
using dlvm::Extent;
using dlvm::Shape;
/// Indices, accesses, bounds and scalars are those of kernels, with loops instead of axes and values instead
/// of a stage's scalars.
using kernel::Access;
using kernel::Bound;
using kernel::BufferId;
using kernel::Guard;
using kernel::Index;
using kernel::Scalar;

using LoopId = kernel::AxisId;     ///< unique in a variant
using ValueId = kernel::ScalarId;  ///< unique in a variant

/// The execution of a loop's iterations.
enum class LoopKind : std::uint8_t {
  serial,
  unrolled,  ///< constant extent; one copy of the body for each iteration
  vector,    ///< constant extent; the iterations are the lanes of a vector; vector loops are not nested
  thread,    ///< the threads of a block
  block,     ///< the blocks of a grid
  warp,      ///< the warps of a block, with `warp_threads` threads each (threads.h)
  role,      ///< constant extent; different warps run the iterations at the same time, one child each
  pipeline,  ///< serial; its panels become multistage buffers that are filled ahead (expand_pipelines.h)
  core,      ///< the cores of a processor, each of which runs ranges of the iterations, in order
};

struct Statement;
/// Statements in the order of execution.
using Body = std::vector<Statement>;

/// A loop. The variable takes the values 0, step, 2 * step … below the extent. Iterations for which a bound
/// does not hold are skipped; a bound grows with the variable, so these are the last ones.
///
/// Core loops stand outside of all other loops. The last statement of a core loop's body may be a core loop:
/// then each core runs a range of the iterations of both, in the order of one core, and what stands before
/// the inner loop runs once for each core that takes a part of that loop.
struct Loop {
  LoopId id = 0;
  std::string name;
  LoopKind kind = LoopKind::serial;
  Extent extent;
  std::int64_t step = 1;
  std::uint32_t depth = 0;  ///< the stages of a pipeline
  /// If set, the body of a core loop runs once for a whole range of iterations: the loop's variable is the
  /// first one, and this variable is the end of the last one, at most the extent.
  std::optional<LoopId> range_end;
  Extent work = 0;  ///< of an innermost core loop: an estimate of the instructions of an iteration
  std::vector<Bound> bounds;
  Body body;
  friend bool operator==(const Loop&, const Loop&) = default;
};

/// The memory of a buffer.
enum class Space : std::uint8_t {
  argument,   ///< memory of the program: the kernel's argument at the same position
  arena,      ///< workspace of this kernel, of any size
  panel,      ///< small workspace for the L1 cache: packed operands, rows between stages
  shared,     ///< shared by the threads of a block
  registers,  ///< constant shape; indices are constant after unrolling, except for the lane
};

/// Permutes a buffer's elements so that the columns of a tile are in different banks: offset o becomes o ^
/// (((o >> (base + shift)) & (2^bits - 1)) << base).
struct Swizzle {
  std::uint8_t bits = 0, base = 0, shift = 0;
  friend bool operator==(const Swizzle&, const Swizzle&) = default;
};

/// The place of element (i, j, …) in memory: Σ index × stride elements from the start, then swizzled.
struct Layout {
  std::vector<Extent> strides;
  std::optional<Swizzle> swizzle;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// The assignment of a tile's elements to the registers of threads: a linear layout over the field of two
/// elements, as Triton's LinearLayout. Its input is a hardware index, and its output is the element's
/// coordinates. The hardware index has one bit for each basis vector: bits of the register's number, of the
/// lane in its warp, and of the warp in its block. The coordinates are the exclusive or of the basis vectors
/// whose bits are set. So the values at powers of two define the whole map, and a conversion between two
/// tiles is one map composed with the inverse of the other. With registers {[0, 1], [8, 0]} and lanes {[0,
/// 2], …}, register 3 of lane 1 holds [0, 1] ^ [8, 0] ^ [0, 2] = [8, 3].
struct LinearLayout {
  using Bases = std::vector<std::vector<std::int64_t>>;  ///< one vector of coordinates for each bit
  Bases registers, lanes, warps;
  friend bool operator==(const LinearLayout&, const LinearLayout&) = default;
};

/// Memory that a schedule accesses, as a tensor.
struct Buffer {
  std::string name;
  ElementType element = ElementType::f32;
  Shape shape;
  Space space = Space::argument;
  Layout layout;
  bool written = false;  ///< for an argument: the kernel writes it
  /// The layout of a tile that the threads of a block hold together.
  std::optional<LinearLayout> linear_layout;
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// Marks that the statements up to the next mark compute this stage of the kernel, for messages, debuggers
/// and reports. The text form has the name and the plan.
struct Origin {
  std::string stage;
  std::string plan;  ///< the target's decision for the stage, and why; empty in schedules written by hand
  dlvm::Location location;
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// Computes a scalar and gives it a name. A use sees the values that come before it in its own body and in
/// the bodies around it.
struct Let {
  ValueId id = 0;
  Scalar scalar;
  friend bool operator==(const Let&, const Let&) = default;
};

/// Writes one element, as kernel::Store describes.
struct Store {
  Access access;
  std::vector<Bound> bounds;
  ValueId value = 0;
  std::optional<dlvm::Combinator> combine;
  friend bool operator==(const Store&, const Store&) = default;
};

/// Says that the element will be read or written soon, so that the processor fetches its line of memory
/// meanwhile. Nothing is accessed, and the element may be outside of memory.
struct Prefetch {
  Access access;
  bool is_written = false;
  friend bool operator==(const Prefetch&, const Prefetch&) = default;
};

/// Allocates the buffer, whose contents are undefined at first. It lives from here to the end of this body
/// and exists once for each iteration of the surrounding loops: once for each lane in a vector loop and for
/// each thread in a thread loop. A shared buffer exists once for each block.
struct Allocate {
  BufferId buffer = 0;
  friend bool operator==(const Allocate&, const Allocate&) = default;
};

/// A box of a buffer, the elements origin … origin + sizes. If `strides` is not empty, it is a tile of that
/// many axes that begins at the origin and has its own strides in memory, in elements.
struct Tile {
  BufferId buffer = 0;
  std::vector<Index> origin;
  Shape sizes;
  std::vector<Extent> strides;
  friend bool operator==(const Tile&, const Tile&) = default;
};

/// Sets every element of a tile to a value.
struct Fill {
  Tile to;
  dlvm::Tensor value;  ///< of rank 0
  friend bool operator==(const Fill&, const Fill&) = default;
};

/// Copies a tile and converts its elements if the types differ. Where a bound does not hold, nothing is read
/// and zeros are written. An asynchronous copy moves 4, 8 or 16 adjacent bytes; it is complete after a `Wait`
/// for its group, and other threads see it after a barrier that follows.
struct Copy {
  Tile from, to;
  bool asynchronous = false;
  std::vector<Bound> bounds;
  friend bool operator==(const Copy&, const Copy&) = default;
};

/// Makes one group of the thread's asynchronous copies since its last `Commit`.
struct Commit {
  friend bool operator==(const Commit&, const Commit&) = default;
};

/// Waits until at most `pending` of the thread's groups of asynchronous copies are incomplete.
struct Wait {
  std::uint32_t pending = 0;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Synchronizes the threads of a block, or in a warp loop those of the warp: afterwards all of them see what
/// they wrote to memory before. `insert_barriers` puts barriers where threads access memory that other
/// threads wrote.
struct Barrier {
  friend bool operator==(const Barrier&, const Barrier&) = default;
};

/// The arithmetic in which products are computed and added.
enum class Arithmetic : std::uint8_t {
  fused,   ///< one multiply-add after the other in the order of k, fused if the target fuses
  apart,   ///< as `fused`, but from zero on; the sums are added to `to` once
  tensor,  ///< tensor cores: f16, bf16, and f32 rounded to tf32; exact products and f32 sums
  /// tensor cores: f32 as the sum of two tf32 terms, of whose products all but the smallest count; as
  /// accurate as f32. The sums of one tile are added to `to` once.
  tensor_split,
};

/// Returns whether the products are computed by the threads of a warp together.
constexpr bool is_on_tensor_cores(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::tensor || arithmetic == Arithmetic::tensor_split;
}

/// Computes to[i, j] += Σ left[k, i] * right[k, j] for tiles of any size. The axes of `left` and `right`
/// before the last make k, row-major. Nothing is read for i >= `rows`, j >= `columns`, and where the last
/// axis of k is >= `count`; such elements of `to` become undefined. All sizes except that of the last axis of
/// k are constant, and axes of `to` other than the last two have extent 1. Where the bound `anew` holds, the
/// sums replace what is in `to` instead of being added to it; if there is such a bound, rows of `to` at or
/// above `rows` stay as they are. Only cores have such bounds. `ahead` is memory that is read soon,
/// contiguous along its last axis: while a core computes the terms, it fetches the lines of `ahead` one after
/// the other. Nothing of it is accessed, and it may be outside of memory.
struct MultiplyAccumulate {
  Tile to, left, right;
  Index rows, columns, count;
  Arithmetic arithmetic = Arithmetic::fused;
  std::optional<Bound> anew;
  std::optional<Tile> ahead;
  friend bool operator==(const MultiplyAccumulate&, const MultiplyAccumulate&) = default;
};

/// Combines the elements of each tile in `from` into one, which is stored to `to`; there is one tile for each
/// component of the state. The upper half is combined into the lower half until one element is left, so the
/// sizes are constant powers of two. Outside of thread loops, a tile in registers belongs to the threads of a
/// warp, one element for each lane, and each thread gets the result.
struct Reduce {
  std::vector<Tile> from;
  std::vector<Access> to;
  kernel::Reduction
      reduction;  ///< only `types`, `identity`, `combine`, `results`, `named`, `any_order` are used
  friend bool operator==(const Reduce&, const Reduce&) = default;
};

/// Sorts a row, as kernel::Sorting describes. `keys` and `positions` have at most one axis of an extent other
/// than 1, along which the row runs. The threads of the team around the statement sort together. One core
/// merges, for which it has `scratch`: a tile like each of the two, whose contents become undefined.
struct Sort {
  Tile keys, positions;
  bool descending = false;
  std::vector<Tile> scratch;
  friend bool operator==(const Sort&, const Sort&) = default;
};

/// Changes the element type or the linear layout of a register tile.
struct Convert {
  Tile from, to;
  friend bool operator==(const Convert&, const Convert&) = default;
};

/// One statement of a body.
struct Statement {
  using Node = std::variant<Origin, Let, Store, Prefetch, Allocate, Loop, Fill, Copy, Commit, Wait, Barrier,
                            MultiplyAccumulate, Reduce, Sort, Convert>;
  DECLARE_VALUE_SEMANTICS(Statement)
  Statement(Node node);  // NOLINT: a node is a statement

  Node node;
  friend bool operator==(const Statement&, const Statement&) = default;
};

/// A body that may run only if all guards hold.
struct Variant {
  std::vector<Guard> guards;
  Body body;
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// A schedule runs the first variant whose guards hold; the last one has no guards. All variants reduce in
/// the same order.
struct Schedule {
  DECLARE_VALUE_SEMANTICS(Schedule)

  std::string name;             ///< the name of the kernel
  std::vector<Buffer> buffers;  ///< the kernel's arguments first, in their order
  std::uint32_t arguments = 0;  ///< the number of arguments
  std::vector<Variant> variants;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Returns the row-major layout without padding.
Layout dense_layout(const Shape& shape);

/// Returns the number of elements that the buffer occupies in memory: up to the last one to which its layout
/// gives a place, for a swizzled buffer in whole multiples of 2^(base + bits), within which elements move;
/// for a distributed tile, those of each thread's registers.
Extent element_count(const Buffer& buffer);

/// Returns the schedule without names, stages, plans and locations, so that schedules that compute the same
/// in the same way are equal.
Schedule without_annotations(Schedule schedule);

}  // namespace codegen::schedule
