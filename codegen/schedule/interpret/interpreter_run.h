#pragma once

#include <map>
#include <memory>
#include <vector>

#include "codegen/schedule/interpret/memory.h"

/// The state that the threads of the interpreter share.
namespace codegen::schedule::machine {

/// The order of everything that may run in any order: 0 is forwards, 1 backwards, and other seeds shuffle.
struct Order {
  std::uint32_t seed = 0;
  /// Returns the i-th of n positions in an order; `round` selects among several orders.
  std::int64_t at(std::int64_t i, std::int64_t n, std::uint32_t round) const;
};

/// An element in memory.
struct Element {
  BufferId buffer = 0;
  std::size_t place = 0;  ///< the first byte
};

/// States of a reduction: for each component the bytes of its elements, one element after the other.
using Components = std::vector<std::vector<std::byte>>;

/// The state of one run of a schedule by the interpreter.
class InterpreterRun {
 public:
  InterpreterRun(kernel::Run& run, const Schedule& schedule, Order order);

  kernel::Run& run;
  const Schedule& schedule;
  Order order;
  std::vector<Placement> placements;  ///< one for each of the schedule's buffers
  std::uint32_t grids = 0;            ///< the number of grids that have begun
  /// The elements of each tile at its last position.
  struct Elements {
    std::vector<std::int64_t> origin;
    std::vector<Element> all;
  };
  std::map<const Tile*, Elements> tiles;

  /// Returns the number of threads that the loop's body needs.
  std::int64_t threads_inside(const Loop& loop);
  /// Combines many states into one, the second half onto the first until one is left.
  const std::vector<dlvm::Tensor>& reduced(const Reduce& reduce, const Components& parts);

 private:
  std::map<const Loop*, std::int64_t> threads_;
  /// The last reduction, which all threads of a team compute alike.
  const Reduce* reduce_ = nullptr;
  Components parts_;
  std::vector<dlvm::Tensor> result_;
};

/// The buffers that the threads of a team share: the n-th allocation of a buffer by each thread is the same
/// memory. Its content is new, and its addresses are those of the other allocations.
class TeamMemory {
 public:
  std::shared_ptr<Memory> allocate(BufferId buffer, std::size_t n, const Placement& placement);

 private:
  struct Allocations {
    std::vector<std::weak_ptr<Memory>> all;
    std::shared_ptr<Touches> touches;
  };
  std::map<BufferId, Allocations> buffers_;
};

/// The state that the threads of a block share.
struct Team {
  std::uint32_t grid = 0, block = 0;
  std::uint32_t barriers = 0;                ///< the number of barriers that the block has passed
  std::vector<std::uint32_t> warp_barriers;  ///< the number that each warp has passed
  TeamMemory memory;
  std::vector<TeamMemory> warp_memory;
};

}  // namespace codegen::schedule::machine
