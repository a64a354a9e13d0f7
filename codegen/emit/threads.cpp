// Loops over a device's threads, and what these do together: every thread runs the same code, a loop's
// variable follows from the thread's place.
#include "codegen/emit/emitter.h"
#include "dlvm/diagnostics/internal_error.h"

namespace codegen::emit {

using device::Operation;
using schedule::Loop;

namespace {

constexpr unsigned warp_threads = 32;

}  // namespace

/// Block loops are nested in one another alone, so that the grid's blocks are the points of all of them.
void Emitter::emit_block(const Loop& loop) {
  llvm::Value* place = b_.CreateZExt(device::call(b_, Operation::block, {}), b_.getInt64Ty());
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
  llvm::Value* thread = device::call(b_, Operation::thread, {});
  variables_[loop.id] = b_.CreateZExt(b_.CreateLShr(thread, 5), b_.getInt64Ty(), "", true);
  in_warp_ = true;
  emit_under(holds(loop.bounds), loop.body);
  in_warp_ = false;
}

/// The thread's number in the team around, as i64.
llvm::Value* Emitter::thread_of_team() {
  llvm::Value* thread = device::call(b_, Operation::thread, {});
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
    device::call(b_, Operation::warp_barrier, {});
  else
    device::call(b_, Operation::barrier, {b_.getInt32(0), b_.getInt32(block_threads_)});
}

/// The value of the lane whose number differs in the bits of `mask`.
Held Emitter::shuffled(const Held& held, unsigned mask) {
  llvm::Value* value = held.number.value;
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* integer = b_.getIntNTy(bits);
  if (type->isFloatingPointTy()) value = b_.CreateBitCast(value, integer);
  const auto exchange = [&](llvm::Value* word) -> llvm::Value* {
    return device::call(b_, Operation::shuffle_xor, {word, b_.getInt32(mask)});
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
  llvm::Value* lane = b_.CreateAnd(device::call(b_, Operation::thread, {}), warp_threads - 1);
  llvm::Value* place = b_.CreateZExt(lane, b_.getInt64Ty(), "", true);
  std::vector<std::vector<Held>> parts;
  for (std::int64_t first = 0; first < (in_memory ? size : 1); first += warp_threads) {
    parts.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      const schedule::Buffer& from = buffer(reduce.from[i].buffer);
      llvm::Value* at = index(offset({reduce.from[i].buffer, reduce.from[i].origin}, from.layout)).base;
      if (in_memory) at = b_.CreateAdd(at, b_.CreateAdd(place, i64(first)));
      parts.back().push_back(load_scalar(address(memory_.at(reduce.from[i].buffer), from.element, at),
                                         from.element, nullptr, {}));
    }
  }
  for (std::size_t half = parts.size() / 2; half >= 1; half /= 2)
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = combine(reduce.reduction, parts[i], parts[i + half], scalars_);
  std::vector<Held> state = parts[0];
  for (unsigned half = warp_threads / 2; half >= 1; half /= 2) {
    std::vector<Held> other, lower, upper;
    for (const Held& held : state) other.push_back(shuffled(held, half));
    llvm::Value* is_upper = b_.CreateICmpNE(b_.CreateAnd(lane, half), b_.getInt32(0));
    for (std::size_t i = 0; i < n; ++i) {
      const auto choose = [&](const Held& a, const Held& b) {
        return Held{scalars_.number(b_.CreateSelect(is_upper, a.number.value, b.number.value)), a.type};
      };
      lower.push_back(choose(other[i], state[i]));
      upper.push_back(choose(state[i], other[i]));
    }
    state = combine(reduce.reduction, lower, upper, scalars_);
  }
  for (std::size_t i = 0; i < n; ++i) store_where(reduce.to[i], state[i], nullptr);
}

}  // namespace codegen::emit
