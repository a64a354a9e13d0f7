#pragma once

#include <functional>
#include <map>
#include <vector>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// Builds the loop nest of one stage. A target opens loops from the outside in, binds the stage's axes to the
/// loops' variables in `renaming`, and sets the levels at which states begin and results are known. Then
/// `fill` puts every scalar at the first point where it can be computed, and `assemble` returns the nest.
/// Level 0 is outside of the nest's loops, and level i + 1 is the body of loop i. The statements of `before`
/// come before the next loop; those of `after`, which depend on a reduction's result, come after it.
class LoopNestBuilder {
 public:
  LoopNestBuilder(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer)
      : lowering(lowering), stage(stage), renaming(outer) {}

  // Loops.

  /// Opens a serial loop over the axis, or binds the axis to 0 if its extent is 1.
  void open_serial(const kernel::Axis& axis);
  /// Opens serial loops over all axes of that kind that are not bound yet.
  void open_serial(kernel::AxisKind kind);
  /// Opens a loop. The caller binds axes to its variable.
  Loop& open(std::string name, LoopKind kind, Extent extent, std::int64_t step);

  // These compute the stage, once all loops are open.

  /// Computes the reduction in the open loops and calls `take_results`.
  using BuildReduction = std::function<void()>;
  /// Returns a store at the level of results, wrapped as the target needs it.
  using WrapStore = std::function<Statement(Store)>;
  /// Adds the scalars of the body and the reduction.
  void fill_reduction(const BuildReduction& reduce);
  /// Adds the scalars, the reduction, the epilogue and the stores.
  void fill(
      const BuildReduction& reduce,
      const WrapStore& wrap = [](Store store) { return Statement{std::move(store)}; });
  /// Returns the nest; the builder is empty afterwards.
  Body assemble();

  /// The statement level at which a scalar's value is computed: before the loops inside its level, or after
  /// them.
  struct Placed {
    ValueId value = 0;
    std::size_t level = 0;
    bool after = false;
  };
  ValueId let(Scalar scalar, const Placed& place);
  /// Returns the level of the scalar's value, and computes it there with everything that it depends on.
  const Placed& need(kernel::ScalarId id);

  // Reductions.

  /// Blocked summation: a long sum of floats is computed as a sum of sums of `terms_of_block` terms, so that
  /// the error grows with the larger of the two counts, not with their product (Higham, The Accuracy of
  /// Floating Point Summation, 1993). A block is `trips` iterations of the loop over `axis`, with all loops
  /// inside.
  struct BlockedSum {
    std::size_t axis;
    std::int64_t trips;
  };
  /// Returns the blocking of the sum over these loops, or nothing if the sum is short. `chain` has the loops,
  /// innermost first: the positions of axes, and the number of elements in one iteration of each.
  std::optional<BlockedSum> choose_blocked_sum(
      const std::vector<std::pair<std::size_t, std::int64_t>>& chain) const;

  /// Allocates a buffer of registers for component i of the state and fills it with the identity where the
  /// state begins: at `level`, which is `state_level` by default.
  BufferId allocate_state(std::size_t component, Shape shape) {
    return allocate_state(component, std::move(shape), state_level);
  }
  BufferId allocate_state(std::size_t component, Shape shape, std::size_t level);
  /// Appends state = combine(state, inputs) at the innermost level, for each component at `at` in its buffer.
  void combine(const std::vector<BufferId>& states, const std::vector<Index>& at);
  /// Appends the same statement to `body`, with `inputs` instead of the stage's inputs.
  void combine(const std::vector<BufferId>& states, const std::vector<Index>& at,
               const std::vector<ValueId>& inputs, Body& body);
  /// Appends loads of element `at` of each component and returns their values.
  std::vector<ValueId> load(const std::vector<BufferId>& states, const std::vector<Index>& at, Body& body);
  /// Makes the elements of the states' buffers the reduction's results, known at `result_level`.
  void take_results(const std::vector<BufferId>& states);
  /// Returns the whole buffer as a tile.
  Tile whole(BufferId id) const;

  Lowering& lowering;
  const kernel::Stage& stage;
  Renaming renaming;
  std::vector<Loop> loops;
  std::vector<Body> before, after;                ///< statements of each level
  std::size_t first_level = 0;                    ///< nothing is computed outside of it
  std::size_t state_level = 0, result_level = 0;  ///< set by the target while it opens loops

 private:
  kernel::ScalarId first_of_epilogue() const { return static_cast<kernel::ScalarId>(stage.body.size()); }
  kernel::ScalarId scalar_count() const {
    return first_of_epilogue() + static_cast<kernel::ScalarId>(stage.epilogue.size());
  }
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < first_of_epilogue() ? stage.body[id] : stage.epilogue[id - first_of_epilogue()];
  }
  std::size_t level_of(LoopId loop) const;
  void protect(Scalar& scalar, const Placed& place);
  void need_checks(kernel::ScalarId first, kernel::ScalarId end);
  void add_store(const kernel::Store& store, const WrapStore& wrap);

  std::map<kernel::ScalarId, Placed> placed_;
  std::vector<Placed> results_;  ///< the reduction's results
  bool at_end_ = false;
};

}  // namespace codegen::schedule
