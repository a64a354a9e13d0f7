#pragma once

#include <map>
#include <vector>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// The nest of loops that one stage becomes, as targets build it: they open loops from the outside in, bind
/// the stage's axes to the loops' variables, and say where states begin and results are known; the nest puts
/// every scalar where it may be computed first. Level 0 is outside of the nest's loops, level i + 1 the body
/// of loop i; what is computed at a level stands before the next loop, what depends on a reduction's result
/// after it.
class StageNest {
 protected:
  StageNest(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer)
      : lowering_(lowering), stage_(stage), renaming_(outer) {}

  // Loops.

  /// The axis becomes a serial loop, unless its extent is 1.
  void open_serial(const kernel::Axis& axis);
  void open_serial(kernel::AxisKind kind);
  /// A loop of the target's own; its variable is bound by the caller.
  Loop& open(std::string name, LoopKind kind, Extent extent, std::int64_t step);

  // What the stage computes, once all loops are open.

  /// Scalars, reduction, epilogue and stores.
  void fill();
  Body assemble();

  /// Where a scalar's value is: before the loops inside of its level, or after them.
  struct Placed {
    ValueId value = 0;
    std::size_t level = 0;
    bool after = false;
  };
  ValueId let(Scalar scalar, const Placed& place);
  const Placed& need(kernel::ScalarId id);

  // Reductions.

  /// A long sum of floats is a sum of sums of about 256 terms: the error grows with the larger of the two
  /// counts, not with their product (Higham, The Accuracy of Floating Point Summation, 1993).
  struct Run {
    std::size_t axis;  ///< of whose loop so many trips, with the loops inside, make a run
    std::int64_t trips;
  };
  /// The loops of one chain of terms, innermost first: positions of axes, and how much a trip takes of each.
  /// Nothing where no sum is long.
  std::optional<Run> choose_run(const std::vector<std::pair<std::size_t, std::int64_t>>& loops) const;

  /// A buffer of registers for component i of the state, with the identity in it when the state begins.
  BufferId allocate_state(std::size_t component, Shape shape) {
    return allocate_state(component, std::move(shape), state_level_);
  }
  /// The same, where the state begins at `level`.
  BufferId allocate_state(std::size_t component, Shape shape, std::size_t level);
  /// At the innermost level: state = combine(state, inputs), each component at `at` in its buffer.
  void combine(const std::vector<BufferId>& states, const std::vector<Index>& at);
  /// The same in `body`, with values that are known there in the place of the inputs.
  void combine(const std::vector<BufferId>& states, const std::vector<Index>& at,
               const std::vector<ValueId>& inputs, Body& body);
  /// Loads element `at` of each component.
  std::vector<ValueId> load(const std::vector<BufferId>& states, const std::vector<Index>& at, Body& body);
  /// The results are those of the states' buffers, known at `result_level_`.
  void take_results(const std::vector<BufferId>& states);
  Tile whole(BufferId id) const;

  Lowering& lowering_;
  const kernel::Stage& stage_;
  Renaming renaming_;
  std::vector<Loop> loops_;
  std::vector<Body> before_, after_;                ///< statements of each level
  std::size_t first_level_ = 0;                     ///< nothing is computed outside of it
  std::size_t state_level_ = 0, result_level_ = 0;  ///< set by the target while it opens loops
  std::int64_t partials_ = 1;                       ///< partial states that each result is made of
  Index partial_;                                   ///< the point's place among them

 private:
  kernel::ScalarId first_of_epilogue() const { return static_cast<kernel::ScalarId>(stage_.body.size()); }
  kernel::ScalarId scalar_count() const {
    return first_of_epilogue() + static_cast<kernel::ScalarId>(stage_.epilogue.size());
  }
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < first_of_epilogue() ? stage_.body[id] : stage_.epilogue[id - first_of_epilogue()];
  }
  std::size_t level_of(LoopId loop) const;
  void protect(Scalar& scalar, const Placed& place);
  void need_checks(kernel::ScalarId first, kernel::ScalarId end);
  void add_store(const kernel::Store& store);

  /// Computes the reduction in the open loops and gives its results (`take_results`).
  virtual void reduce() = 0;
  /// A store at the level of results, wrapped as the target needs it.
  virtual Statement finished(Store store) { return {std::move(store)}; }

  std::map<kernel::ScalarId, Placed> placed_;
  std::vector<Placed> results_;  ///< of the reduction
  bool at_end_ = false;
};

}  // namespace codegen::schedule
