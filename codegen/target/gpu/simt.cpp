#include "codegen/target/gpu/simt.h"

#include <bit>
#include <cstddef>

#include "codegen/intrinsics/operations.h"
#include "codegen/schedule/ir/walk.h"
#include "dlvm/support/internal_error.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {

using emit::Emitter;
using intrinsics::Operation;
using schedule::Loop;
using schedule::LoopKind;

namespace {

constexpr emit::ReportLayout report_layout{emit::word_of(offsetof(runtime::IndexRecord, site)),
                                           emit::word_of(offsetof(runtime::IndexRecord, value)),
                                           emit::word_of(offsetof(runtime::IndexRecord, position)),
                                           emit::word_of(offsetof(runtime::IndexRecord, lock))};

/// Emits nested block loops. Nothing else stands between them, so the grid's blocks are the points of all.
void emit_block(Emitter& e, const Loop& loop) {
  llvm::IRBuilder<>& b = e.builder();
  llvm::Value* place = b.CreateZExt(intrinsics::call(b, Operation::block, {}), b.getInt64Ty());
  const std::vector<const Loop*> all = schedule::perfect_nest(loop);
  llvm::Value* condition = nullptr;
  for (std::size_t i = all.size(); i-- > 0;) {
    llvm::Value* extent = e.extents().value(all[i]->extent);
    e.set_variable(all[i]->id, i == 0 ? place : b.CreateURem(place, extent));
    if (i > 0) place = b.CreateUDiv(place, extent);
  }
  for (const Loop* one : all) condition = e.both(condition, e.holds(one->bounds));
  e.emit_under(condition, all.back()->body);
}

}  // namespace

SimtModel::SimtModel(Threads threads) : ExecutionModel(report_layout), threads_(threads) {}

void SimtModel::emit_loop(Emitter& e, const Loop& loop) {
  if (loop.kind == LoopKind::block) return emit_block(e, loop);
  if (loop.kind == LoopKind::warp) return emit_warp(e, loop);
  if (loop.kind == LoopKind::thread) return emit_thread(e, loop);
  dlvm::internal_error("roles in a schedule for a target without them");
}

void SimtModel::emit_warp(Emitter& e, const Loop& loop) {
  llvm::IRBuilder<>& b = e.builder();
  llvm::Value* thread = intrinsics::call(b, Operation::thread, {});
  llvm::Value* warp = b.CreateLShr(thread, static_cast<std::uint64_t>(std::countr_zero(threads_.warp)));
  e.set_variable(loop.id, b.CreateZExt(warp, b.getInt64Ty(), "", true));
  in_warp_ = true;
  e.emit_under(e.holds(loop.bounds), loop.body);
  in_warp_ = false;
}

llvm::Value* SimtModel::thread_of_team(llvm::IRBuilder<>& b) const {
  llvm::Value* thread = intrinsics::call(b, Operation::thread, {});
  if (in_warp_) thread = b.CreateAnd(thread, threads_.warp - 1);
  return b.CreateZExt(thread, b.getInt64Ty(), "", true);
}

/// Of nested thread loops, neighbouring threads have neighbouring points of the innermost.
void SimtModel::emit_thread(Emitter& e, const Loop& loop) {
  llvm::IRBuilder<>& b = e.builder();
  const std::vector<const Loop*> all = schedule::perfect_nest(loop);
  std::int64_t inside = 1;
  for (std::size_t i = 1; i < all.size(); ++i) inside *= *all[i]->extent.constant();
  llvm::Value* place = thread_of_team(b);
  const std::int64_t extent = *loop.extent.constant();
  if (inside > 1) place = b.CreateUDiv(place, e.i64(inside));
  llvm::Value* condition = nullptr;
  if (thread_ != nullptr)
    place = b.CreateURem(place, e.i64(extent));  // the outermost loop has the condition
  else if (extent * inside != static_cast<std::int64_t>(in_warp_ ? threads_.warp : threads_.block))
    condition = b.CreateICmpULT(place, e.i64(extent));
  e.set_variable(loop.id, place);
  const Loop* around = thread_;
  thread_ = &loop;
  e.emit_under(e.both(condition, e.holds(loop.bounds)), loop.body);
  thread_ = around;
}

void SimtModel::emit_barrier(Emitter& e, const schedule::Barrier&) {
  llvm::IRBuilder<>& b = e.builder();
  if (in_warp_)
    intrinsics::call(b, Operation::warp_barrier, {});
  else
    intrinsics::call(b, Operation::barrier, {b.getInt32(threads_.barrier), b.getInt32(threads_.block)});
}

/// The copy is one instruction: it copies as many of its bytes as there are, and zeros the rest.
void SimtModel::emit_copy(Emitter& e, const schedule::Copy& copy) {
  llvm::IRBuilder<>& b = e.builder();
  const auto count = dlvm::unit_count(copy.to.sizes).constant().value_or(0);
  const auto bytes = static_cast<std::uint32_t>(count) * dlvm::info(e.buffer(copy.to.buffer).element).bytes;
  if (!copy.asynchronous) dlvm::internal_error("a copy of tiles that is not asynchronous");
  llvm::Value *to = e.start_of(copy.to), *from = e.start_of(copy.from), *there = b.getInt32(bytes);
  if (llvm::Value* where = e.holds(copy.bounds)) {
    from = b.CreateSelect(where, from, e.memory(copy.from.buffer).pointer);
    there = b.CreateSelect(where, there, b.getInt32(0));
  }
  const Operation operation = bytes == 4   ? Operation::copy_async_4
                              : bytes == 8 ? Operation::copy_async_8
                                           : Operation::copy_async_16;
  intrinsics::call(b, operation, {to, from, there});
}

void SimtModel::emit_commit(Emitter& e, const schedule::Commit&) {
  intrinsics::call(e.builder(), Operation::copy_commit, {});
}
void SimtModel::emit_wait(Emitter& e, const schedule::Wait& wait) {
  intrinsics::call(e.builder(), Operation::copy_wait, {e.builder().getInt32(wait.pending)});
}

}  // namespace codegen::target::gpu
