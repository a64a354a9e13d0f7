#pragma once

#include <map>
#include <memory>
#include <vector>

#include "codegen/schedule/interpret/memory.h"

/// The state that the threads of the interpreter share.
namespace codegen::schedule::machine {

/// The order of what may run in any order: 0 forwards, 1 backwards, all others shuffled.
struct Order {
  std::uint32_t seed = 0;
  /// The i-th of n; `round` tells several orders apart.
  std::int64_t at(std::int64_t i, std::int64_t n, std::uint32_t round) const;
};

/// An element in memory.
struct Element {
  BufferId buffer = 0;
  std::size_t place = 0;  ///< first byte
};

/// States of a reduction: for each component the elements' bytes, one element after the other.
using Components = std::vector<std::vector<std::byte>>;

/// One run of a schedule.
class Machine {
 public:
  Machine(kernel::Run& run, const Schedule& schedule, Order order);

  kernel::Run& run;
  const Schedule& schedule;
  Order order;
  std::vector<Placement> placements;  ///< of the schedule's buffers
  std::uint32_t grids = 0;            ///< begun
  /// The elements of each tile where it was last.
  struct Elements {
    std::vector<std::int64_t> origin;
    std::vector<Element> all;
  };
  std::map<const Tile*, Elements> tiles;

  /// How many threads a loop's body needs.
  std::int64_t threads_inside(const Loop& loop);
  /// One state of many: halves onto halves.
  const std::vector<dlvm::Tensor>& reduced(const Reduce& reduce, const Components& parts);

 private:
  std::map<const Loop*, std::int64_t> threads_;
  /// The last reduction: all threads of a team compute the same.
  const Reduce* reduce_ = nullptr;
  Components parts_;
  std::vector<dlvm::Tensor> result_;
};

/// The buffers that the threads of a team share: the n-th allocation of one by each thread is the same
/// memory, whose content is its own, but whose place is that of the others.
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
  std::uint32_t barriers = 0;                ///< that the block has passed
  std::vector<std::uint32_t> warp_barriers;  ///< that each warp has
  TeamMemory memory;
  std::vector<TeamMemory> warp_memory;
};

}  // namespace codegen::schedule::machine
