#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "codegen/emit/execution_model.h"
#include "codegen/kernel/ir/program.h"
#include "codegen/math/simd.h"
#include "codegen/schedule/ir/index.h"

/// Emits schedules as LLVM IR. The emitter takes a verified schedule, a builder inside a function, the memory
/// of the schedule's buffers, and the target's execution model; it gives the instructions of the statements.
/// The execution model emits the loops and statements whose form depends on the machine. Afterwards the
/// function computes what the schedule means, as schedule/interpret defines it.
namespace codegen::emit {

using dlvm::ElementType;
using dlvm::Extent;
using schedule::BufferId;
using schedule::Index;
using schedule::LoopId;
using schedule::Scalar;
using schedule::ValueId;

/// A value of a schedule: one scalar, or one scalar for each lane of the enclosing vector loop.
struct EmittedValue {
  math::SimdValue number;
  ElementType type = ElementType::f32;
  bool is_vector() const { return number.value->getType()->isVectorTy(); }
};

/// The purpose for which a line of memory is fetched.
enum class Fetch : std::uint8_t { to_read, to_write };

/// An index as i64. It is `base + stride * lane`, or `vector`, with one index for each lane. If `offsets` is
/// not empty, `vector` is base + offsets[lane]; otherwise base and stride mean nothing beside a vector.
struct EmittedIndex {
  llvm::Value* base = nullptr;
  Extent stride = 0;
  llvm::Value* vector = nullptr;
  std::vector<std::int64_t> offsets = {};
  bool is_uniform() const { return vector == nullptr && stride.is(0); }
};

/// Some lanes of a vector loop: those for which it is true, or all if it is empty.
using Lanes = std::vector<bool>;

/// The memory that holds a buffer.
struct Memory {
  llvm::Value* pointer = nullptr;
  bool each_lane = false;       ///< an element is a vector with one value for each lane
  bool always_there = false;    ///< every element may be accessed without a test of its bounds (registers)
  std::uint64_t alignment = 0;  ///< the alignment of the pointer in bytes; 0 means that of an element
};

/// Computes the values of extents. Each is computed once, in the function's entry block.
class Extents {
 public:
  /// `dimensions` points to the values of `names` in order, each an i64. `builder` inserts the computations
  /// and must keep its insertion point.
  Extents(llvm::IRBuilder<>& builder, llvm::Value* dimensions, const std::vector<std::string>& names)
      : b_(builder), dimensions_(dimensions), names_(names) {}
  /// Returns the value of `extent` as i64.
  llvm::Value* value(const Extent& extent);

 private:
  llvm::Value* compute(const Extent& extent);
  llvm::Value* atom(const Extent::Atom& atom);

  llvm::IRBuilder<>& b_;
  llvm::Value* dimensions_;
  const std::vector<std::string>& names_;
  std::map<Extent, llvm::Value*> known_;
};

/// Emits the statements of one variant, or of one grid on a device, at the builder's insertion point. Its
/// ExecutionModel emits what depends on the machine, by means of the public functions.
class Emitter {
 public:
  /// `sites` are the check sites of the program. `context` points to the record that `model.report()`
  /// describes.
  Emitter(llvm::IRBuilder<>& builder, const schedule::Schedule& schedule,
          std::span<const kernel::CheckSite> sites, math::Features features, Extents& extents,
          llvm::Value* context, ExecutionModel& model);

  /// Sets the memory of `buffer`. It must be called before a statement uses the buffer.
  void place(BufferId buffer, Memory memory) { memory_[buffer] = memory; }
  /// Emits the statements of `body` in order.
  void emit(const schedule::Body& body);

  llvm::IRBuilder<>& builder() { return b_; }
  Extents& extents() { return extents_; }
  const math::Features& features() const { return features_; }
  math::SimdBuilder& scalars() { return scalars_; }
  bool is_in_vector_loop() const { return lane_.has_value(); }
  /// Returns the builder of vectors with a lane for each iteration of the enclosing vector loop.
  math::SimdBuilder& vectors() { return *vectors_; }
  /// Returns the lanes that are iterations of the enclosing vector loop, or null if all are.
  llvm::Value* active_lanes() const { return active_; }
  const schedule::Buffer& buffer(BufferId id) const { return schedule_.buffers[id]; }
  const Memory& memory(BufferId id) const { return memory_.at(id); }
  llvm::Value* i64(std::int64_t value) { return b_.getInt64(static_cast<std::uint64_t>(value)); }
  /// Adds an empty basic block to the function.
  llvm::BasicBlock* block(const char* name);
  /// Sets the value that the variable of `loop` has from here on.
  void set_variable(LoopId loop, llvm::Value* value) { variables_[loop] = value; }
  llvm::Value* variable(LoopId loop) const { return variables_.at(loop); }
  /// Emits the iterations of the loop from `begin` to `end`, one after the other. Both are multiples of the
  /// loop's step, or the end is its extent.
  void emit_iterations(const schedule::Loop& loop, llvm::Value* begin, llvm::Value* end);

  /// Emits `body` under a branch on `condition`, or without a branch if `condition` is null.
  void emit_under(llvm::Value* condition, const schedule::Body& body);
  /// Returns the conjunction of two conditions, either of which may be null for true.
  llvm::Value* both(llvm::Value* a, llvm::Value* b);
  /// Returns whether all bounds hold, as i1 or as a vector with one i1 for each lane; null if there is
  /// nothing to test.
  llvm::Value* holds(const std::vector<schedule::Bound>& bounds);
  /// Returns the value of `index`.
  EmittedIndex index(const Index& index);
  /// Combines two states of a reduction, which have a value for each component.
  std::vector<EmittedValue> combine(const kernel::Reduction& reduction, std::span<const EmittedValue> left,
                                    std::span<const EmittedValue> right, math::SimdBuilder& lanes);

  /// Lets the processor fetch the line of memory at `place`, which will be read or written soon.
  void fetch(llvm::Value* place, Fetch what);
  /// Returns the address of an element that is fetched, and may be outside of memory.
  llvm::Value* place_to_fetch(const schedule::Access& access);

  /// Returns the address of the tile's first element.
  llvm::Value* start_of(const schedule::Tile& tile);
  /// Returns the address of the element at `offset`, counted in elements of `type`.
  llvm::Value* address(const Memory& memory, ElementType type, llvm::Value* offset);
  /// Returns the offset to which the layout's swizzle maps `offset`, or `offset` itself if the layout has
  /// none.
  llvm::Value* swizzled(llvm::Value* offset, const schedule::Layout& layout);
  /// Returns a power of two that divides the address of the element that the vector loop's first lane
  /// accesses.
  llvm::Align alignment(const schedule::Access& access) const;
  /// Returns a vector of the elements 0, 2, 4 … from `pointer` on, and zero in lanes where `mask`, if it is
  /// not null, does not hold.
  llvm::Value* load_every_second(llvm::Value* pointer, llvm::Type* element, llvm::Align align,
                                 llvm::Value* mask);
  /// Stores a vector to elements 0, 2, 4 … from `pointer` on where `mask`, if it is not null, holds. Elements
  /// between them are not touched.
  void store_every_second(llvm::Value* stored, llvm::Value* pointer, llvm::Align align, llvm::Value* mask);
  /// Returns the shuffle that puts the lanes of a vector to 0, 2, 4 … of one twice as long, and the first
  /// lane of another vector between them.
  std::vector<int> lanes_apart() const;
  /// Returns the element at `pointer` if `where` holds, else `fill`. If `where` is null, it loads
  /// unconditionally.
  EmittedValue load_scalar(llvm::Value* pointer, ElementType type, llvm::Value* where,
                           const EmittedValue& fill, llvm::Align align = llvm::Align(1));
  /// Stores `value` where `where` holds; null means everywhere.
  void store_where(const schedule::Access& access, EmittedValue value, llvm::Value* where);

 private:
  // Defined in loops.cpp.
  /// Returns the memory of a buffer that the function has on its stack, except that of registers; else null.
  llvm::AllocaInst* on_stack(BufferId id) const;
  /// The first and the last of some statements that use a buffer.
  struct Lifetime {
    std::size_t first, last;
  };
  /// Returns the lifetimes of the buffers on the stack that the statements allocate. Nothing outside of the
  /// statements uses such a buffer, which is undefined at first and ends with them. Buffers whose lifetimes
  /// do not overlap share memory.
  std::map<BufferId, Lifetime> lifetimes_in(const schedule::Body& body) const;
  void emit(const schedule::Loop& loop);
  void emit_serial(const schedule::Loop& loop);
  void emit_unrolled(const schedule::Loop& loop);
  void emit_vector(const schedule::Loop& loop);
  /// Emits the body of a vector loop by `emit_lanes`, which takes the active lanes, once for vectors all of
  /// whose lanes hold the bounds, and once for the others.
  void emit_whole_or_masked(const std::vector<schedule::Bound>& bounds,
                            const std::function<void(llvm::Value*)>& emit_lanes);
  /// Returns whether those lanes of the enclosing vector loop are all within the bounds, as i1.
  llvm::Value* all_hold(const std::vector<schedule::Bound>& bounds, const Lanes& lanes = {});
  /// Emits the trips of the loop while its bounds and `whole` hold. Returns the variable of the first trip
  /// that is left.
  llvm::Value* emit_trips(const schedule::Loop& loop, llvm::Value* begin, llvm::Value* end,
                          const std::optional<schedule::Bound>& whole = std::nullopt);
  /// Returns a vector loop in the loop that needs its mask in the last trip alone; null if there is none.
  const schedule::Loop* tail_of(const schedule::Loop& loop) const;
  void emit(const schedule::Origin& origin);

  // Defined in values.cpp.
  void emit(const schedule::Let& let);
  EmittedValue value(const Scalar& scalar);
  EmittedValue literal(const dlvm::Tensor& value);
  EmittedValue operation(const Scalar::Operation& operation, ElementType type);
  EmittedValue call(const dlvm::Function& function, const EmittedValue& left, const EmittedValue& right);
  EmittedValue position(const Index& index, ElementType type);
  EmittedValue random(const Scalar::Random& random, ElementType type);

  // Defined in check.cpp.
  EmittedValue check(const Scalar::Check& check, ElementType type);
  void report(const Scalar::Check& check, llvm::Value* failed, llvm::Value* value);
  llvm::Function* report_function();

  // Defined in indices.cpp.
  EmittedIndex quotient(const Index::Quotient& quotient);
  /// Returns the remainder of the index's base by the divisor, if it is known when code is emitted.
  std::optional<std::int64_t> known_remainder(const Index& index, std::int64_t divisor) const;
  /// Returns what each lane adds to the index's base, if that is known when code is emitted.
  std::optional<std::vector<std::int64_t>> offsets_of(const EmittedIndex& index) const;
  /// Returns the least and the largest of these offsets of some lanes.
  std::optional<std::pair<std::int64_t, std::int64_t>> offset_range(const EmittedIndex& index,
                                                                    const Lanes& lanes) const;
  /// Returns base + offsets[lane], in the simplest form.
  EmittedIndex with_offsets(llvm::Value* base, std::vector<std::int64_t> offsets);
  llvm::Value* vector_of(const EmittedIndex& index);
  llvm::Value* scaled(llvm::Value* value, const Extent& by);

  // Defined in loads.cpp.
  /// A load whose lanes read the elements of a contiguous vector that is shorter, or in another order.
  struct ShuffledLoad {
    EmittedIndex place;                    ///< with offsets
    Lanes lanes;                           ///< those that can be within the bounds; the others get the fill
    std::vector<schedule::Bound> uniform;  ///< bounds that are left to test, the same in all lanes
    std::vector<schedule::Bound> varied;   ///< bounds that are left to test in each lane
  };
  EmittedValue zero_of(ElementType type);
  EmittedValue load(const Scalar::Load& load, ElementType type);
  /// Returns how the lanes' elements are loaded as one short vector, or nothing if they are not. No element
  /// may lie between those that the lanes read, because other threads may write it.
  std::optional<ShuffledLoad> as_shuffled(const Scalar::Load& load);
  EmittedValue load_shuffled(const ShuffledLoad& load, const schedule::Access& access, ElementType type,
                             const EmittedValue& fill);
  llvm::Value* load_masked(llvm::Type* element, llvm::Value* pointer, llvm::Align align, llvm::Value* mask);
  EmittedValue select(llvm::Value* where, const EmittedValue& one, const EmittedValue& other);
  EmittedValue load_where(const schedule::Access& access, ElementType type, llvm::Value* where,
                          const EmittedValue& fill);

  // Defined in memory.cpp.
  /// Returns whether the access is of a vector in memory that can be wholly inside of the bounds, because
  /// both go along with the lane, and a mask would take longer than a branch.
  bool may_be_whole(const schedule::Access& access, const std::vector<schedule::Bound>& bounds);
  void emit(const schedule::Store& store);
  void store_combined(const schedule::Store& store, llvm::Value* where);
  void emit(const schedule::Allocate& allocate);
  /// Returns the element's offset in the buffer's memory, swizzled; for a distributed tile, its register.
  EmittedIndex place_of(const schedule::Access& access);
  std::int64_t own_register(const schedule::Access& access) const;
  std::int64_t unrolled_part(const Index& index) const;
  llvm::Value* not_empty(const schedule::Access& access);

  void emit(const schedule::Fill& fill);
  void emit(const schedule::Prefetch& prefetch);
  void emit(const schedule::Convert& convert);

  // The execution model emits these statements.
  void emit(const schedule::Barrier& barrier) { model_.emit_barrier(*this, barrier); }
  void emit(const schedule::Copy& copy) { model_.emit_copy(*this, copy); }
  void emit(const schedule::Commit& commit) { model_.emit_commit(*this, commit); }
  void emit(const schedule::Wait& wait) { model_.emit_wait(*this, wait); }
  void emit(const schedule::Reduce& reduce) { model_.emit_reduce(*this, reduce); }
  void emit(const schedule::Sort& sort) { model_.emit_sort(*this, sort); }
  void emit(const schedule::MultiplyAccumulate& multiply) { model_.emit_multiply(*this, multiply); }

  math::SimdBuilder& lanes() { return width_ == 1 ? scalars_ : *vectors_; }
  math::SimdBuilder& lanes_of(const EmittedValue& held) { return held.is_vector() ? *vectors_ : scalars_; }
  /// Returns the value in every lane.
  EmittedValue widened(const EmittedValue& held);

  llvm::IRBuilder<>& b_;
  const schedule::Schedule& schedule_;
  std::span<const kernel::CheckSite> sites_;
  math::Features features_;
  Extents& extents_;
  llvm::Value* context_;
  ExecutionModel& model_;
  math::SimdBuilder scalars_;
  std::optional<math::SimdBuilder> vectors_;
  unsigned width_ = 1;
  std::optional<LoopId> lane_;     ///< the enclosing vector loop
  llvm::Value* active_ = nullptr;  ///< the lanes that are iterations of it; null if all are
  std::map<LoopId, llvm::Value*> variables_;
  std::map<LoopId, std::int64_t> steps_;  ///< the steps of serial loops, which divide their variables
  std::map<ValueId, EmittedValue> values_;
  std::map<BufferId, Memory> memory_;
  std::set<const schedule::Loop*> whole_;  ///< vector loops whose bounds are known to hold
};

}  // namespace codegen::emit
