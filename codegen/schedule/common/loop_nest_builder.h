#pragma once

#include <functional>
#include <map>
#include <vector>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// Builds the nest of loops that one stage becomes. A target opens loops from the outside in, binds the
/// stage's axes to the loops' variables in `renaming`, and sets the levels at which states begin and results
/// are known; then `fill` puts every scalar where it may be computed first, and `assemble` returns the nest.
/// Level 0 is outside of the nest's loops, level i + 1 is the body of loop i. A statement of `before` stands
/// before the next loop, one of `after`, which depends on a reduction's result, behind it.
class LoopNestBuilder {
 public:
  LoopNestBuilder(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer)
      : lowering(lowering), stage(stage), renaming(outer) {}

  // Loops.

  /// Opens a serial loop over the axis, or binds the axis to 0 where its extent is 1.
  void open_serial(const kernel::Axis& axis);
  /// Does so for all axes of that kind that are not bound yet.
  void open_serial(kernel::AxisKind kind);
  /// Opens a loop, to whose variable the caller binds axes.
  Loop& open(std::string name, LoopKind kind, Extent extent, std::int64_t step);

  // These compute the stage, once all loops are open.

  /// Computes the reduction in the open loops and calls `take_results`.
  using BuildReduction = std::function<void()>;
  /// Returns a store at the level of results, wrapped as the target needs it.
  using WrapStore = std::function<Statement(Store)>;
  /// Adds the scalars, the reduction, the epilogue and the stores.
  void fill(
      const BuildReduction& reduce,
      const WrapStore& wrap = [](Store store) { return Statement{std::move(store)}; });
  /// Returns the nest; the builder is empty afterwards.
  Body assemble();

  /// Where a scalar's value is: before the loops inside of its level, or after them.
  struct Placed {
    ValueId value = 0;
    std::size_t level = 0;
    bool after = false;
  };
  ValueId let(Scalar scalar, const Placed& place);
  /// Returns the place of the scalar's value, which is computed there with all that it needs.
  const Placed& need(kernel::ScalarId id);

  // Reductions.

  /// Blocked summation: a long sum of floats is a sum of sums of about 256 terms, so that the error grows
  /// with the larger of the two counts, not with their product (Higham, The Accuracy of Floating Point
  /// Summation, 1993). A block is `trips` trips of the loop over `axis`, with all the loops inside.
  struct BlockedSum {
    std::size_t axis;
    std::int64_t trips;
  };
  /// Returns how the sum over these loops is blocked, or nothing where it is not long. `chain` has the
  /// loops, innermost first: positions of axes, and how many elements a trip takes of each.
  std::optional<BlockedSum> choose_blocked_sum(
      const std::vector<std::pair<std::size_t, std::int64_t>>& chain) const;

  /// Allocates a buffer of registers for component i of the state, with the identity in it when the state
  /// begins: at `level`, by default `state_level`.
  BufferId allocate_state(std::size_t component, Shape shape) {
    return allocate_state(component, std::move(shape), state_level);
  }
  BufferId allocate_state(std::size_t component, Shape shape, std::size_t level);
  /// At the innermost level: state = combine(state, inputs), each component at `at` in its buffer.
  void combine(const std::vector<BufferId>& states, const std::vector<Index>& at);
  /// Does so in `body`, with values that are known there in the place of the inputs.
  void combine(const std::vector<BufferId>& states, const std::vector<Index>& at,
               const std::vector<ValueId>& inputs, Body& body);
  /// Loads element `at` of each component.
  std::vector<ValueId> load(const std::vector<BufferId>& states, const std::vector<Index>& at, Body& body);
  /// Says that the results are those of the states' buffers, known at `result_level`.
  void take_results(const std::vector<BufferId>& states);
  /// Returns all of the buffer.
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
  std::vector<Placed> results_;  ///< of the reduction
  bool at_end_ = false;
};

}  // namespace codegen::schedule
