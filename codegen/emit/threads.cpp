// Loops over a device's threads, and what these do together: every thread runs the same code, a loop's
// variable follows from the thread's place.
#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {

using intrinsics::Operation;
using schedule::Loop;

namespace {

constexpr unsigned warp_threads = 32;

}  // namespace

/// Block loops are nested in one another alone, so that the grid's blocks are the points of all of them.
void Emitter::emit_block(const Loop& loop) {
  llvm::Value* place = b_.CreateZExt(intrinsics::call(b_, Operation::block, {}), b_.getInt64Ty());
  const Loop* inner = &loop;
  std::vector<const Loop*> all{inner};
  while (inner->body.size() == 1) {
    inner = std::get_if<Loop>(&inner->body[0].node);
    if (inner == nullptr || inner->kind != schedule::LoopKind::block) break;
    all.push_back(inner);
  }
  llvm::Value* condition = nullptr;
  for (std::size_t i = all.size(); i-- > 0;) {
    llvm::Value* extent = extents_.value(all[i]->extent);
    variables_[all[i]->id] = i == 0 ? place : b_.CreateURem(place, extent);
    if (i > 0) place = b_.CreateUDiv(place, extent);
  }
  for (const Loop* one : all) condition = both(condition, holds(one->bounds));
  emit_under(condition, all.back()->body);
}

void Emitter::emit_warp(const Loop& loop) {
  llvm::Value* thread = intrinsics::call(b_, Operation::thread, {});
  variables_[loop.id] = b_.CreateZExt(b_.CreateLShr(thread, 5), b_.getInt64Ty(), "", true);
  in_warp_ = true;
  emit_under(holds(loop.bounds), loop.body);
  in_warp_ = false;
}

/// The thread's number in the team around, as i64.
llvm::Value* Emitter::thread_of_team() {
  llvm::Value* thread = intrinsics::call(b_, Operation::thread, {});
  if (in_warp_) thread = b_.CreateAnd(thread, warp_threads - 1);
  return b_.CreateZExt(thread, b_.getInt64Ty(), "", true);
}

/// The innermost of nested thread loops has neighbouring threads.
void Emitter::emit_thread(const Loop& loop) {
  std::int64_t inside = 1;
  for (const Loop* inner = &loop; inner->body.size() == 1;) {
    inner = std::get_if<Loop>(&inner->body[0].node);
    if (inner == nullptr || inner->kind != schedule::LoopKind::thread) break;
    inside *= *inner->extent.constant();
  }
  llvm::Value* place = thread_of_team();
  const std::int64_t extent = *loop.extent.constant();
  if (inside > 1) place = b_.CreateUDiv(place, i64(inside));
  llvm::Value* condition = nullptr;
  if (thread_ != nullptr)
    place = b_.CreateURem(place, i64(extent));  // the outermost loop has the condition
  else if (extent * inside != static_cast<std::int64_t>(in_warp_ ? warp_threads : block_threads_))
    condition = b_.CreateICmpULT(place, i64(extent));
  variables_[loop.id] = place;
  const Loop* around = thread_;
  thread_ = &loop;
  emit_under(both(condition, holds(loop.bounds)), loop.body);
  thread_ = around;
}

void Emitter::emit(const schedule::Barrier&) {
  if (in_warp_)
    intrinsics::call(b_, Operation::warp_barrier, {});
  else
    intrinsics::call(b_, Operation::barrier, {b_.getInt32(0), b_.getInt32(block_threads_)});
}

/// One instruction: as many of its bytes as there are, zeros for the rest.
void Emitter::copy_in_thread(const schedule::Copy& copy) {
  const auto count = dlvm::unit_count(copy.to.sizes).constant().value_or(0);
  const auto bytes = static_cast<std::uint32_t>(count) * dlvm::info(buffer(copy.to.buffer).element).bytes;
  if (!copy.asynchronous) dlvm::internal_error("a copy of tiles that is not asynchronous");
  llvm::Value *to = start_of(copy.to), *from = start_of(copy.from), *there = b_.getInt32(bytes);
  if (llvm::Value* where = holds(copy.bounds)) {
    from = b_.CreateSelect(where, from, memory_.at(copy.from.buffer).pointer);
    there = b_.CreateSelect(where, there, b_.getInt32(0));
  }
  const Operation operation = bytes == 4   ? Operation::copy_async_4
                              : bytes == 8 ? Operation::copy_async_8
                                           : Operation::copy_async_16;
  intrinsics::call(b_, operation, {to, from, there});
}

void Emitter::emit(const schedule::Commit&) { intrinsics::call(b_, Operation::copy_commit, {}); }
void Emitter::emit(const schedule::Wait& wait) {
  intrinsics::call(b_, Operation::copy_wait, {b_.getInt32(wait.pending)});
}

/// The value of the lane whose number differs in the bits of `mask`.
EmittedValue Emitter::shuffled(const EmittedValue& held, unsigned mask) {
  llvm::Value* value = held.number.value;
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* integer = b_.getIntNTy(bits);
  if (type->isFloatingPointTy()) value = b_.CreateBitCast(value, integer);
  const auto exchange = [&](llvm::Value* word) -> llvm::Value* {
    return intrinsics::call(b_, Operation::shuffle_xor, {word, b_.getInt32(mask)});
  };
  llvm::Value* other = nullptr;
  if (bits == 64) {
    llvm::Value* low = exchange(b_.CreateTrunc(value, b_.getInt32Ty()));
    llvm::Value* high = exchange(b_.CreateTrunc(b_.CreateLShr(value, 32), b_.getInt32Ty()));
    other = b_.CreateOr(b_.CreateZExt(low, integer), b_.CreateShl(b_.CreateZExt(high, integer), 32));
  } else {
    other = b_.CreateTrunc(exchange(b_.CreateZExt(value, b_.getInt32Ty())), integer);
  }
  if (type->isFloatingPointTy()) other = b_.CreateBitCast(other, type);
  return {scalars_.number(other), held.type};
}

/// Of a tile in memory, every warp reads all: a lane the elements lane, lane + 32 …, halves onto halves; then
/// lanes onto lanes. So every thread has the result.
void Emitter::reduce_over_threads(const schedule::Reduce& reduce) {
  const std::size_t n = reduce.from.size();
  const bool in_memory = buffer(reduce.from[0].buffer).space != schedule::Space::registers;
  const auto size = dlvm::unit_count(reduce.from[0].sizes).constant().value_or(0);
  if (in_memory && size % warp_threads != 0)
    dlvm::internal_error("a reduction over threads of less than a warp");
  llvm::Value* lane = b_.CreateAnd(intrinsics::call(b_, Operation::thread, {}), warp_threads - 1);
  llvm::Value* place = b_.CreateZExt(lane, b_.getInt64Ty(), "", true);
  std::vector<std::vector<EmittedValue>> parts;
  for (std::int64_t first = 0; first < (in_memory ? size : 1); first += warp_threads) {
    parts.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      const schedule::Buffer& from = buffer(reduce.from[i].buffer);
      llvm::Value* at = index(offset({reduce.from[i].buffer, reduce.from[i].origin}, from.layout)).base;
      if (in_memory) at = b_.CreateAdd(at, b_.CreateAdd(place, i64(first)));
      at = swizzled(at, from.layout);
      parts.back().push_back(load_scalar(address(memory_.at(reduce.from[i].buffer), from.element, at),
                                         from.element, nullptr, {}));
    }
  }
  for (std::size_t half = parts.size() / 2; half >= 1; half /= 2)
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = combine(reduce.reduction, parts[i], parts[i + half], scalars_);
  std::vector<EmittedValue> state = parts[0];
  for (unsigned half = warp_threads / 2; half >= 1; half /= 2) {
    std::vector<EmittedValue> other, lower, upper;
    for (const EmittedValue& held : state) other.push_back(shuffled(held, half));
    llvm::Value* is_upper = b_.CreateICmpNE(b_.CreateAnd(lane, half), b_.getInt32(0));
    for (std::size_t i = 0; i < n; ++i) {
      const auto choose = [&](const EmittedValue& a, const EmittedValue& b) {
        return EmittedValue{scalars_.number(b_.CreateSelect(is_upper, a.number.value, b.number.value)),
                            a.type};
      };
      lower.push_back(choose(other[i], state[i]));
      upper.push_back(choose(state[i], other[i]));
    }
    state = combine(reduce.reduction, lower, upper, scalars_);
  }
  for (std::size_t i = 0; i < n; ++i) store_where(reduce.to[i], state[i], nullptr);
}

/// Row k of a tile in shared memory, in as wide accesses as its alignment and layout allow.
std::vector<math::SimdValue> Emitter::line(const schedule::Tile& tile, llvm::Value* k) {
  const schedule::Buffer& from = buffer(tile.buffer);
  const auto& strides = tile.strides.empty() ? from.layout.strides : tile.strides;
  const Extent &pitch = strides[strides.size() - 2], &step = strides.back();
  const auto count = static_cast<unsigned>(tile.sizes.back().constant().value_or(0));
  const std::uint64_t bytes = dlvm::info(from.element).bytes;
  std::uint64_t align = std::min<std::uint64_t>(alignment({tile.buffer, tile.origin}).value(), 16);
  while (align > bytes &&
         (!step.is(1) || static_cast<std::uint64_t>(pitch.constant().value_or(1)) * bytes % align != 0))
    align /= 2;
  const auto width = static_cast<unsigned>(std::min<std::uint64_t>(align / bytes, count));
  llvm::Type* element = math::memory_type(b_.getContext(), from.element);
  llvm::Value* row = index(offset({tile.buffer, tile.origin}, from.layout)).base;
  row = b_.CreateAdd(row, b_.CreateMul(k, extents_.value(pitch)));
  std::vector<math::SimdValue> elements;
  for (unsigned i = 0; i < count; i += width) {
    const unsigned here = std::min(width, count - i);
    llvm::Type* type = here == 1 ? element : llvm::FixedVectorType::get(element, here);
    llvm::Value* offset = b_.CreateAdd(row, b_.CreateMul(i64(i), extents_.value(step)));
    llvm::Value* place = address(memory_.at(tile.buffer), from.element, swizzled(offset, from.layout));
    llvm::Value* loaded = b_.CreateAlignedLoad(type, place, llvm::Align(here == width ? align : bytes));
    for (unsigned lane = 0; lane < here; ++lane)
      elements.push_back(scalars_.number(here == 1 ? loaded : b_.CreateExtractElement(loaded, lane)));
  }
  return elements;
}

/// to[i, j] += left[k, i] * right[k, j] over the panels' whole depth; `to` in the thread's registers.
void Emitter::multiply_in_thread(const schedule::MultiplyAccumulate& multiply) {
  const ElementType type = buffer(multiply.to.buffer).element;
  const auto depth = multiply.left.sizes[multiply.left.sizes.size() - 2].constant().value_or(0);
  const auto rows = multiply.to.sizes[0].constant().value_or(0),
             columns = multiply.to.sizes[1].constant().value_or(0);
  llvm::Type* element = math::memory_type(b_.getContext(), type);
  const auto place = [&](std::int64_t i, std::int64_t j) {
    return b_.CreateConstInBoundsGEP1_64(element, start_of(multiply.to),
                                         static_cast<std::uint64_t>(i * columns + j));
  };
  const llvm::Align align(dlvm::info(type).bytes);
  std::vector<llvm::Value*> sums;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      sums.push_back(b_.CreateAlignedLoad(element, place(i, j), align));
  for (std::int64_t k = 0; k < depth; ++k) {
    const auto left = line(multiply.left, i64(k)), right = line(multiply.right, i64(k));
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = 0; j < right.size(); ++j) {
        llvm::Value*& sum = sums[i * right.size() + j];
        sum = math::fma(left[i], right[j], scalars_.number(sum)).value;
      }
  }
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      b_.CreateAlignedStore(sums[static_cast<std::size_t>(i * columns + j)], place(i, j), align);
}

}  // namespace codegen::emit
