#pragma once

#include <optional>
#include <set>
#include <vector>

#include "codegen/kernel/build/graph.h"
#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// A node of fusion: a materialized value, or a result that has to be copied, with the facts that decide
/// about its kernel. Its axes are numbered within the node: first those of its shape (extents other than 1),
/// then the reduced ones.
struct Node {
  const dlvm::Value* value = nullptr;
  bool copy = false;  ///< writes `value`, which is in memory already, to a result

  struct Axis {
    std::size_t dimension = 0;  ///< the dimension of the value's shape
    Extent extent;
    /// The axis may be an outer axis: its points have no order and do not differ between parts.
    bool shared = true;
  };
  std::vector<Axis> axes;
  std::vector<Extent> reduced;

  /// The elements of a value in memory from which one element of the node is computed.
  struct Use {
    const dlvm::Value* value = nullptr;
    Indices indices;
  };
  std::vector<Use> uses;
  /// Values of nodes that run before this one, which overwrites what they read.
  std::vector<const dlvm::Value*> after;
  std::set<const dlvm::Value*> recomputed;  ///< values that it does not read though they are materialized
  std::size_t scalars = 0;                  ///< about how many scalars its stage has
  bool pointwise = false;                   ///< no reduction: may be computed where another stage is
  bool sibling = false;     ///< a reduction that a stage may compute beside others of the same points
  bool divided = false;     ///< several stages that store parts: nothing is computed at its points
  bool alone = false;       ///< a kernel of its own, but for what is computed in its epilogue
  bool unchained = false;   ///< no stage of a kernel that has contractions among others
  std::uint32_t phase = 0;  ///< when it is computed (phases.h): a kernel has nodes of one phase

  /// The axes of a contraction by the operands that have them. One that only one operand has is an axis of
  /// the rows or of the columns.
  struct Product {
    std::vector<std::size_t> batch, rows, columns;
    bool has_batch = false;  ///< also one of extent 1, which is no axis of the node
    Extent row_count = 1, column_count = 1, terms = 1;
  };
  std::optional<Product> product;  ///< of a contraction of two tensors
};

/// A node in a stage. Axis `i` of the node is axis `axes[i]` of the stage's first node.
struct Member {
  std::size_t node = 0;
  std::vector<std::size_t> axes;
};

/// The nodes that one stage computes.
struct FusedStage {
  std::vector<Member> members;  ///< the first one gives the axes and may reduce, and its siblings reduce, too
  std::size_t scalars = 0;
};

/// The stages of one kernel, in order. Outer axis `o` of the kernel is axis `outer[s][o]` of stage `s`, which
/// accumulates if that is a reduced one.
struct Group {
  std::vector<FusedStage> stages;
  std::vector<std::vector<std::size_t>> outer;
};

/// Which contractions may be stages of kernels over their rows (rules 3 and 4).
enum class ProductChains : std::uint8_t {
  none,
  online,  ///< those whose kernels need no whole row (online_reductions.h)
  all,
};

/// Groups nodes into kernels so that memory is traversed as few times as possible. It takes the nodes in an
/// order in which they can be computed and returns the kernels in order of execution:
///  1. A node that is computed element by element from a stage's results at the same point joins that stage
///     and becomes the epilogue of a reduction or contraction, or extends the body. Stages of kernels of one
///     stage that it reads at that point, too, become one, if one of two does not reduce.
///     A reduction that starts a kernel joins the stage of another one that reads an element of the same
///     value at each of the same points, where neither reads the other.
///  2. Otherwise, a node that reads values of another kernel only at its own outer axes (the same row) joins
///     that kernel as a further stage; kernels that such a node reads are merged. Values pass through local
///     buffers. The remaining outer axes are those that all stages share and of which none is the
///     contiguous dimension of an access that runs over inner axes.
///  3. Contractions, scatters and concatenations take no further stages: their loops need all their axes.
///     With `ProductChains`, contractions are stages like others, if two of them share their rows, their
///     right operands are no larger than a block of these rows, and what one reads of another nothing else
///     reads: it would be in memory all the same, and longer than necessary.
///  4. With `ProductChains::all`, a contraction of a batch that sums over the rows of such a kernel, which
///     computes one of its operands, accumulates, if the other operand is small for a block of rows
///     (chains.h): the sums are read and written once for each block, which costs less than keeping the
///     operand in memory. All that reads the operand must be stages of the kernel.
///  5. Kernels are numbered, and a kernel reads only those of lower numbers, so the order is never cyclic.
///  6. A kernel has nodes of one phase.
///  7. A node that is `unchained` is in no kernel with contractions among other stages.
/// `max_stages`, `max_scalars` and `max_uses` bound a kernel. The time is linear in the number of nodes, but
/// for rules 3 and 4: where what they allow turns out to be in vain, it is taken back, and kernels are looked
/// for again.
std::vector<Group> fuse(const std::vector<Node>& nodes, ProductChains which = ProductChains::none);

/// The largest extent of the columns or of k for which a contraction's right operand is about as large as
/// what a block of rows has along the other of the two.
inline constexpr std::int64_t max_chained_extent = 128;

/// The largest numbers of stages and of scalars of a kernel.
inline constexpr std::size_t max_stages = 48, max_scalars = 192;
/// The largest number of reductions of the same points that become one stage: a vector of sums of each, and
/// what they are computed from, have room in the registers of a processor.
inline constexpr std::size_t max_siblings = 4;
/// The largest number of values that a kernel reads and writes. A launch on a GPU carries 4 KiB of
/// parameters, of which each value takes four bytes.
inline constexpr std::size_t max_uses = 1000;

}  // namespace codegen::kernel
