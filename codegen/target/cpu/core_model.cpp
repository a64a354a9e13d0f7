#include "codegen/target/cpu/core_model.h"

#include <cstddef>

#include "codegen/math/operations.h"
#include "dlvm/support/internal_error.h"
#include "runtime/abi.h"

namespace codegen::target::cpu {

using dlvm::ElementType;
using dlvm::Extent;
using emit::EmittedIndex;
using emit::EmittedValue;
using emit::Emitter;

namespace {

constexpr emit::ReportLayout report_layout{emit::word_of(offsetof(tel_context, site)),
                                           emit::word_of(offsetof(tel_context, value)),
                                           emit::word_of(offsetof(tel_context, position)), std::nullopt};

[[noreturn]] void refuse() {
  dlvm::internal_error("a loop or a statement of threads in a schedule for one core");
}

}  // namespace

CoreModel::CoreModel(EmitCoreLoop emit_core_loop)
    : ExecutionModel(report_layout), emit_core_loop_(std::move(emit_core_loop)) {}

void CoreModel::emit_loop(Emitter& e, const schedule::Loop& loop) {
  if (loop.kind != schedule::LoopKind::core) refuse();
  emit_core_loop_(e, loop);
}
void CoreModel::emit_barrier(Emitter&, const schedule::Barrier&) { refuse(); }
void CoreModel::emit_commit(Emitter&, const schedule::Commit&) { refuse(); }
void CoreModel::emit_wait(Emitter&, const schedule::Wait&) { refuse(); }

/// Transposes a square, of which each row of `from` and each column of `to` is a vector: the step for each
/// bit of a position exchanges the halves of blocks that differ in that bit of the row and of the column.
void CoreModel::emit_copy(Emitter& e, const schedule::Copy& copy) {
  llvm::IRBuilder<>& b = e.builder();
  const ElementType type = e.buffer(copy.to.buffer).element;
  const std::int64_t size = *copy.to.sizes[0].constant();
  llvm::Type* element = math::memory_type(b.getContext(), type);
  const llvm::Align align(dlvm::info(type).bytes);
  const auto place = [&](llvm::Value* start, const Extent& step, std::int64_t i) {
    return b.CreateInBoundsGEP(element, start, b.CreateMul(e.i64(i), e.extents().value(step)));
  };
  std::vector<llvm::Value*> lines;
  llvm::Value *from = e.start_of(copy.from), *to = e.start_of(copy.to);
  auto* vector = llvm::FixedVectorType::get(element, static_cast<unsigned>(size));
  for (std::int64_t i = 0; i < size; ++i)
    lines.push_back(b.CreateAlignedLoad(vector, place(from, copy.from.strides[0], i), align));
  for (std::int64_t bit = 1; bit < size; bit *= 2) {
    std::vector<int> low, high;
    for (std::int64_t lane = 0; lane < size; ++lane) {
      low.push_back(static_cast<int>((lane & bit) == 0 ? lane : size + lane - bit));
      high.push_back(static_cast<int>((lane & bit) == 0 ? lane + bit : size + lane));
    }
    for (std::int64_t i = 0; i < size; ++i) {
      if ((i & bit) != 0) continue;
      llvm::Value *&first = lines[static_cast<std::size_t>(i)],
                  *&second = lines[static_cast<std::size_t>(i + bit)];
      llvm::Value* both = b.CreateShuffleVector(first, second, low);
      second = b.CreateShuffleVector(first, second, high);
      first = both;
    }
  }
  for (std::int64_t i = 0; i < size; ++i)
    b.CreateAlignedStore(lines[static_cast<std::size_t>(i)], place(to, copy.to.strides[1], i), align);
}

void CoreModel::emit_reduce(Emitter& e, const schedule::Reduce& reduce) {
  llvm::IRBuilder<>& b = e.builder();
  const auto size = dlvm::unit_count(reduce.from.front().sizes).constant();
  if (!size || e.is_in_vector_loop())
    dlvm::internal_error("a reduction of lanes that is not of constant size");
  auto count = static_cast<unsigned>(*size);
  std::vector<llvm::Value*> all;
  for (const auto& from : reduce.from) {
    const ElementType type = e.buffer(from.buffer).element;
    math::SimdBuilder lanes(b, count, e.features());
    llvm::Type* vector = lanes.type(math::memory_type(b.getContext(), type));
    const EmittedIndex at = e.index(offset({from.buffer, from.origin}, e.buffer(from.buffer).layout));
    llvm::Value* loaded = b.CreateAlignedLoad(vector, e.address(e.memory(from.buffer), type, at.base),
                                              llvm::Align(dlvm::info(type).bytes));
    all.push_back(math::from_memory(lanes, loaded, type).value);
  }
  for (unsigned half = count / 2; half >= 1; half /= 2) {
    math::SimdBuilder lanes(b, half, e.features());
    std::vector<EmittedValue> left, right;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto part = [&](unsigned first) -> EmittedValue {
        if (half == 1)
          return {lanes.number(b.CreateExtractElement(all[i], first)), reduce.reduction.types[i]};
        std::vector<int> mask;
        for (unsigned lane = 0; lane < half; ++lane) mask.push_back(static_cast<int>(first + lane));
        return {lanes.number(b.CreateShuffleVector(all[i], mask)), reduce.reduction.types[i]};
      };
      left.push_back(part(0));
      right.push_back(part(half));
    }
    const auto results = e.combine(reduce.reduction, left, right, lanes);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = results[i].number.value;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    e.store_where(reduce.to[i], {e.scalars().number(all[i]), reduce.reduction.types[i]}, nullptr);
}

}  // namespace codegen::target::cpu
