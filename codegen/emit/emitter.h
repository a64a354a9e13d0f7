#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <set>
#include <span>

#include "codegen/intrinsics/operations.h"
#include "codegen/kernel/ir/program.h"
#include "codegen/math/simd.h"
#include "codegen/schedule/ir/index.h"

/// From schedules to LLVM IR: what the targets share. A target gives the function, where its buffers lie, and
/// the loops that are its own.
namespace codegen::emit {

using dlvm::ElementType;
using dlvm::Extent;
using schedule::BufferId;
using schedule::Index;
using schedule::LoopId;
using schedule::Scalar;
using schedule::ValueId;

/// A value: one scalar, or one for each lane of the vector loop around.
struct EmittedValue {
  math::SimdValue number;
  ElementType type = ElementType::f32;
  bool is_vector() const { return number.value->getType()->isVectorTy(); }
};

/// An index as i64: base + stride * lane, or any vector of i64.
struct EmittedIndex {
  llvm::Value* base = nullptr;
  Extent stride = 0;
  llvm::Value* vector = nullptr;  ///< where set, base and stride say nothing
  bool is_uniform() const { return vector == nullptr && stride.is(0); }
};

/// Where a buffer lies.
struct Memory {
  llvm::Value* pointer = nullptr;
  bool each_lane = false;       ///< an element is a vector, one value a lane
  bool always_there = false;    ///< every element may be read and written at any time (registers)
  std::uint64_t alignment = 0;  ///< of the pointer, in bytes; 0: as an element's
};

/// Named dimensions and what is computed from them: in the function's entry block, once each.
class Extents {
 public:
  /// `dimensions` points to the values of `names`, i64 each, in order. `builder` stays at the place where
  /// extents are computed.
  Extents(llvm::IRBuilder<>& builder, llvm::Value* dimensions, const std::vector<std::string>& names)
      : b_(builder), dimensions_(dimensions), names_(names) {}
  llvm::Value* value(const Extent& extent);

 private:
  llvm::Value* compute(const Extent& extent);
  llvm::Value* atom(const Extent::Atom& atom);

  llvm::IRBuilder<>& b_;
  llvm::Value* dimensions_;
  const std::vector<std::string>& names_;
  std::map<Extent, llvm::Value*> known_;
};

/// Says who runs the code: one core, or each of a device's threads (intrinsics/operations.h).
enum class Machine : std::uint8_t { core, device };

/// Emits the statements of one variant at the builder's place; of a device, those of one grid.
class Emitter {
 public:
  /// `sites` are the program's; `context` is runtime/abi.h's tel_context, of a device its IndexRecord.
  Emitter(llvm::IRBuilder<>& builder, const schedule::Schedule& schedule,
          std::span<const kernel::CheckSite> sites, math::Features features, Extents& extents,
          llvm::Value* context, Machine machine = Machine::core);

  /// Where `buffer` lies, before it is used.
  void place(BufferId buffer, Memory memory) { memory_[buffer] = memory; }
  /// Of a device: how many threads a block has, before anything is emitted.
  void set_block_threads(unsigned threads) { block_threads_ = threads; }
  void emit(const schedule::Body& body);

 private:
  // loops.cpp
  void emit(const schedule::Loop& loop);
  void emit_serial(const schedule::Loop& loop);
  void emit_unrolled(const schedule::Loop& loop);
  void emit_vector(const schedule::Loop& loop);
  void emit_trips(const schedule::Loop& loop, llvm::Value* begin, llvm::Value* end);
  void emit_under(llvm::Value* condition, const schedule::Body& body);

  // threads.cpp
  void emit_block(const schedule::Loop& loop);
  void emit_warp(const schedule::Loop& loop);
  void emit_thread(const schedule::Loop& loop);
  llvm::Value* thread_of_team();
  void reduce_over_threads(const schedule::Reduce& reduce);
  void multiply_in_thread(const schedule::MultiplyAccumulate& multiply);
  std::vector<math::SimdValue> line(const schedule::Tile& tile, llvm::Value* k);
  void copy_in_thread(const schedule::Copy& copy);
  EmittedValue shuffled(const EmittedValue& held, unsigned mask);
  const schedule::Loop* tail_of(const schedule::Loop& loop) const;

  // tensor.cpp
  void multiply_on_tensor_cores(const schedule::MultiplyAccumulate& multiply);
  std::int64_t own_register(const schedule::Access& access) const;
  std::int64_t unrolled_part(const Index& index) const;

  void emit(const schedule::Origin& origin);

  // values.cpp
  void emit(const schedule::Let& let);
  EmittedValue value(const Scalar& scalar);
  EmittedValue literal(const dlvm::Tensor& value);
  EmittedValue operation(const Scalar::Operation& operation, ElementType type);
  EmittedValue call(const dlvm::Function& function, const EmittedValue& left, const EmittedValue& right);
  EmittedValue position(const Index& index, ElementType type);
  EmittedValue check(const Scalar::Check& check, ElementType type);
  EmittedValue random(const Scalar::Random& random, ElementType type);
  void report(const Scalar::Check& check, llvm::Value* failed, llvm::Value* value);
  llvm::Function* report_function();
  void write_report(llvm::Function& function);
  /// The scalars of a reduction's `combine` on two states, one number a component each.
  std::vector<EmittedValue> combine(const kernel::Reduction& reduction, std::span<const EmittedValue> left,
                                    std::span<const EmittedValue> right, math::SimdBuilder& lanes);

  // indices.cpp
  EmittedIndex index(const Index& index);
  EmittedIndex quotient(const Index::Quotient& quotient);
  llvm::Value* vector_of(const EmittedIndex& index);
  llvm::Value* scaled(llvm::Value* value, const Extent& by);
  /// Where all bounds hold: i1, or a vector of it; null where there is nothing to test.
  llvm::Value* holds(const std::vector<schedule::Bound>& bounds);

  // memory.cpp
  EmittedValue load(const Scalar::Load& load, ElementType type);
  EmittedValue load_where(const schedule::Access& access, ElementType type, llvm::Value* where,
                          const EmittedValue& fill);
  EmittedValue load_scalar(llvm::Value* pointer, ElementType type, llvm::Value* where,
                           const EmittedValue& fill, llvm::Align align = llvm::Align(1));
  void emit(const schedule::Store& store);
  void store_where(const schedule::Access& access, EmittedValue value, llvm::Value* where);
  void store_combined(const schedule::Store& store, llvm::Value* where);
  void emit(const schedule::Allocate& allocate);
  llvm::Value* start_of(const schedule::Tile& tile);
  /// The element's offset in the buffer's memory, swizzled; of a distributed tile, its register.
  EmittedIndex place_of(const schedule::Access& access);
  llvm::Value* swizzled(llvm::Value* offset, const schedule::Layout& layout);
  llvm::Value* address(const Memory& memory, ElementType type, llvm::Value* offset);
  llvm::Value* not_empty(const schedule::Access& access);
  llvm::Align alignment(const schedule::Access& access) const;

  // tiles.cpp
  void emit(const schedule::Fill& fill);
  void emit(const schedule::Copy& copy);
  void emit(const schedule::Commit& commit);
  void emit(const schedule::Wait& wait);
  void emit(const schedule::Barrier& barrier);
  void emit(const schedule::MultiplyAccumulate& multiply);
  struct Product;
  void multiply_rows(const Product& product, llvm::Value* first, unsigned rows, bool masked);
  void emit(const schedule::Reduce& reduce);
  void emit(const schedule::Convert& convert);

  math::SimdBuilder& lanes() { return width_ == 1 ? scalars_ : *vectors_; }
  math::SimdBuilder& lanes_of(const EmittedValue& held) { return held.is_vector() ? *vectors_ : scalars_; }
  EmittedValue widened(const EmittedValue& held);  ///< in every lane
  llvm::Value* both(llvm::Value* a, llvm::Value* b);
  llvm::Value* i64(std::int64_t value) { return b_.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::BasicBlock* block(const char* name);
  const schedule::Buffer& buffer(BufferId id) const { return schedule_.buffers[id]; }

  llvm::IRBuilder<>& b_;
  const schedule::Schedule& schedule_;
  std::span<const kernel::CheckSite> sites_;
  math::Features features_;
  Extents& extents_;
  llvm::Value* context_;
  Machine machine_;
  unsigned block_threads_ = 0;
  bool in_warp_ = false;                    ///< the team around is a warp, not the block
  const schedule::Loop* thread_ = nullptr;  ///< the outermost thread loop around
  math::SimdBuilder scalars_;
  std::optional<math::SimdBuilder> vectors_;
  unsigned width_ = 1;
  std::optional<LoopId> lane_;     ///< the vector loop
  llvm::Value* active_ = nullptr;  ///< its lanes that are trips; null: all
  std::map<LoopId, llvm::Value*> variables_;
  std::map<LoopId, std::int64_t> steps_;  ///< of serial loops: what divides their variables
  std::map<ValueId, EmittedValue> values_;
  std::map<BufferId, Memory> memory_;
  std::set<const schedule::Loop*> whole_;  ///< vector loops whose bounds are known to hold
};

}  // namespace codegen::emit
