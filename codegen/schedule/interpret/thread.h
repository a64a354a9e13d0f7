#pragma once

#include <map>
#include <optional>
#include <vector>

#include "codegen/schedule/interpret/interpreter_run.h"

namespace codegen::schedule::machine {

/// Runs the statements of a schedule for one thread and stops where it waits for other threads.
class Thread final : public kernel::Evaluation {
 public:
  /// Makes the one thread that runs the statements outside of grids.
  explicit Thread(InterpreterRun& interpreter) : Evaluation(interpreter.run), interpreter_(interpreter) {
    memory_.resize(size());
  }
  /// Makes thread `number` of a block. It begins with the values that the thread around it knows, except its
  /// registers.
  Thread(const Thread& around, Team& team, std::uint32_t number);
  /// Makes a core that runs ranges of the core loops in the thread `around`, and is known by `core`.
  Thread(const Thread& around, const Touch& core);

  /// Sets the memory of a buffer and the value of a loop's variable.
  void place(BufferId buffer, std::shared_ptr<Memory> memory) { memory_[buffer] = std::move(memory); }
  void set(LoopId loop, std::int64_t value);
  bool holds(const std::vector<Bound>& bounds) { return inside(bounds); }

  enum class Stop : std::uint8_t { end, block_barrier, warp_barrier, warp_reduction, block_sort, warp_sort };
  /// Makes the first statement of the body the next one to run.
  void start(const Body& body);
  /// Makes this range of the core loop's iterations the next ones to run.
  void start(const Loop& loop, std::int64_t begin, std::int64_t end);
  /// Runs up to the next point where the thread waits for others, or to the end, which an error is too.
  Stop run();
  /// Returns the statement at which the thread waits.
  const Statement* waits_at() const { return waits_at_; }

  /// The two sides of a reduction by the threads of a warp: one appends this thread's elements of the tiles
  /// to `parts`, the other sets the result in all threads.
  void add_parts(const Reduce& reduce, Components& parts);
  void add_part(const Reduce& reduce, Components& parts);
  void take(const Reduce& reduce, const std::vector<dlvm::Tensor>& result);
  /// Sorts for all threads of a team.
  void sort(const Sort& sort);

 private:
  /// A body that is being executed; for a loop, one iteration of it.
  struct Frame {
    const Body* body = nullptr;
    const Loop* loop = nullptr;  ///< null for the outermost body
    std::size_t next = 0;        ///< the next statement
    std::int64_t trip = -1, trips = 0;
    std::int64_t rank = 0;  ///< the rank among the threads that share this body
    bool in_warp = false, in_threads = false;
    std::int64_t begin = 0, end = 0;  ///< of a core loop: the range of the iterations of it and those in it
  };
  /// An asynchronous copy of an element. Both memories live until it is complete. If `from_memory` is null,
  /// `value` is stored.
  struct Flight {
    Element from, to;
    std::shared_ptr<Memory> from_memory, to_memory;
    dlvm::Tensor value;
  };
  /// The first element of a tile, and the tile's strides if it has its own.
  struct Corner {
    const Tile* tile;
    std::vector<std::int64_t> origin, strides;
  };

  std::size_t size() const { return interpreter_.schedule.buffers.size(); }
  const Buffer& buffer(BufferId id) const { return interpreter_.schedule.buffers[id]; }
  const Placement& placement(BufferId id) const { return interpreter_.placements[id]; }

  // Evaluates the operands of scalars.
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
  void execute(const Sort& sort);
  void execute(const Prefetch&) {}
  void execute(const Convert& convert) { execute(Copy{convert.from, convert.to, false, {}}); }

  // Defined in thread.cpp: loops and the statements in them.
  std::optional<Stop> execute(const Statement& statement);
  void enter_trips(const Loop& loop, Frame frame);
  void enter_place(const Loop& loop, std::int64_t place, Frame frame);
  void enter_cores(const Loop& loop, Frame frame);
  void enter_range(const Loop& loop, std::int64_t begin, std::int64_t end, Frame frame);
  bool next_trip(Frame& frame);

  // Defined in elements.cpp: memory and single elements.
  /// Evaluates indices into memory that the next call reuses.
  const std::vector<std::int64_t>& values(const std::vector<Index>& indices);
  std::optional<Element> element(BufferId buffer, std::span<const std::int64_t> indices);
  std::optional<Element> element_at(BufferId buffer, std::int64_t offset);
  Memory* touched(const Element& element, bool writes);
  dlvm::Tensor read(const Element& element);
  void write(const Element& element, const dlvm::Tensor& value);

  // Defined in tiles.cpp.
  Corner corner(const Tile& tile);
  std::optional<Element> element(const Corner& corner, std::span<const std::int64_t> inside);
  const std::vector<Element>& elements(const Tile& tile);
  void launch(const Element& from, const Element& to);
  void launch(const dlvm::Tensor& value, const Element& to);
  void land(const Flight& flight);
  dlvm::Tensor converted(const dlvm::Tensor& value, ElementType type);
  template <typename Number, typename Get, typename Step>
  void multiply(const MultiplyAccumulate& multiply, Get get, Step step);

  // Defined in products.cpp: products of distributed tiles.
  void multiply_distributed(const MultiplyAccumulate& multiply);
  void fill_distributed(const Fill& fill);
  Element own_element(BufferId buffer, std::span<const std::int64_t> indices);

  InterpreterRun& interpreter_;
  Team* team_ = nullptr;
  std::optional<Touch> core_;  ///< set if this is a core that runs a range of a core loop
  std::uint32_t number_ = 0;
  std::vector<Frame> frames_;
  const Statement* waits_at_ = nullptr;
  std::optional<Stop> stop_;  ///< of the statement that is executed
  std::vector<std::int64_t> indices_;
  std::vector<std::int64_t> positions_;  ///< the current value of each loop's variable
  std::vector<std::optional<dlvm::Tensor>> values_;
  std::vector<std::shared_ptr<Memory>> memory_;  ///< the memory of each buffer
  std::map<BufferId, std::size_t> allocations_;  ///< how often each buffer that a team shares was allocated
  /// The pending copies by groups; the last group is not committed yet.
  std::vector<std::vector<Flight>> groups_ = std::vector<std::vector<Flight>>(1);
};

}  // namespace codegen::schedule::machine
