#pragma once

#include <map>
#include <optional>
#include <vector>

#include "codegen/schedule/interpret/machine.h"

namespace codegen::schedule::machine {

/// Walks through the statements of a schedule and stops where it waits for other threads.
class Thread final : public kernel::Evaluation {
 public:
  /// The one thread that runs what stands outside of grids.
  explicit Thread(Machine& machine) : Evaluation(machine.run), machine_(machine) { memory_.resize(size()); }
  /// Thread `number` of a block. It begins with what the thread around it knows, but for its registers.
  Thread(const Thread& around, Team& team, std::uint32_t number);

  void place(BufferId buffer, std::shared_ptr<Memory> memory) { memory_[buffer] = std::move(memory); }
  void set(LoopId loop, std::int64_t value);
  bool holds(const std::vector<Bound>& bounds) { return inside(bounds); }

  enum class Stop : std::uint8_t { end, block_barrier, warp_barrier, warp_reduction };
  void start(const Body& body);
  /// Up to the next place where it waits for others, or the end, also of an error.
  Stop run();
  /// The statement that it waits at.
  const Statement* waits_at() const { return waits_at_; }

  /// Of a reduction by the threads of a warp: the tiles' elements, behind what is there; this thread's, of
  /// which there is one; what all get.
  void add_parts(const Reduce& reduce, Components& parts);
  void add_part(const Reduce& reduce, Components& parts);
  void take(const Reduce& reduce, const std::vector<dlvm::Tensor>& result);

 private:
  /// A body under way; of a loop, one of its trips.
  struct Frame {
    const Body* body = nullptr;
    const Loop* loop = nullptr;  ///< null: the outermost
    std::size_t next = 0;        ///< statement
    std::int64_t trip = -1, trips = 0;
    std::int64_t rank = 0;  ///< among the threads that share this body
    bool in_warp = false, in_threads = false;
  };
  /// An element on its way; both ends stay while it is. Without memory that it comes from, `value` lands.
  struct Flight {
    Element from, to;
    std::shared_ptr<Memory> from_memory, to_memory;
    dlvm::Tensor value;
  };
  /// Where a tile begins, and its steps through memory where it has its own.
  struct Corner {
    const Tile* tile;
    std::vector<std::int64_t> origin, strides;
  };

  std::size_t size() const { return machine_.schedule.buffers.size(); }
  const Buffer& buffer(BufferId id) const { return machine_.schedule.buffers[id]; }
  const Placement& placement(BufferId id) const { return machine_.placements[id]; }

  // What scalars are made of.
  std::int64_t position(LoopId loop) override;
  dlvm::Tensor scalar(ValueId id) override;
  dlvm::Tensor load(const Access& access, ElementType type) override;
  dlvm::Tensor state(std::uint32_t component) override;

  // Each kind of statement. One that waits for other threads sets `stop_`.
  void execute(const Origin&) {}
  void execute(const Let& let);
  void execute(const Store& store);
  void execute(const Allocate& allocate);
  void execute(const Loop& loop);
  void execute(const Fill& fill);
  void execute(const Copy& copy);
  void execute(const Commit&) { groups_.emplace_back(); }
  void execute(const Wait& wait);
  void execute(const Barrier& barrier);
  void execute(const MultiplyAccumulate& multiply);
  void execute(const Reduce& reduce);
  void execute(const Convert& convert) { execute(Copy{convert.from, convert.to, false, {}}); }

  // thread.cpp: loops, and what statements do in them.
  std::optional<Stop> execute(const Statement& statement);
  void enter_trips(const Loop& loop, Frame frame);
  void enter_place(const Loop& loop, std::int64_t place, Frame frame);
  bool next_trip(Frame& frame);

  // elements.cpp: memory and single elements.
  /// In memory that the next call takes again.
  const std::vector<std::int64_t>& values(const std::vector<Index>& indices);
  std::optional<Element> element(BufferId buffer, std::span<const std::int64_t> indices);
  std::optional<Element> element_at(BufferId buffer, std::int64_t offset);
  Memory* touched(const Element& element, bool writes);
  dlvm::Tensor read(const Element& element);
  void write(const Element& element, const dlvm::Tensor& value);

  // tiles.cpp
  Corner corner(const Tile& tile);
  std::optional<Element> element(const Corner& corner, std::span<const std::int64_t> inside);
  const std::vector<Element>& elements(const Tile& tile);
  void launch(const Element& from, const Element& to);
  void launch(const dlvm::Tensor& value, const Element& to);
  void land(const Flight& flight);
  dlvm::Tensor converted(const dlvm::Tensor& value, ElementType type);
  template <typename Number, typename Get, typename Step>
  void multiply(const MultiplyAccumulate& multiply, Get get, Step step);

  // products.cpp: distributed tiles.
  void multiply_distributed(const MultiplyAccumulate& multiply);
  void fill_distributed(const Fill& fill);
  Element own_element(BufferId buffer, std::span<const std::int64_t> indices);

  Machine& machine_;
  Team* team_ = nullptr;
  std::uint32_t number_ = 0;
  std::vector<Frame> frames_;
  const Statement* waits_at_ = nullptr;
  std::optional<Stop> stop_;  ///< of the statement that is executed
  std::vector<std::int64_t> indices_;
  std::vector<std::int64_t> positions_;  ///< of loops
  std::vector<std::optional<dlvm::Tensor>> values_;
  std::vector<std::shared_ptr<Memory>> memory_;  ///< of buffers
  std::map<BufferId, std::size_t> allocations_;  ///< so far, of what a team shares
  /// Copies under way by groups, the one that is not committed last.
  std::vector<std::vector<Flight>> groups_ = std::vector<std::vector<Flight>>(1);
};

}  // namespace codegen::schedule::machine
