// The sort of a row by the threads of a team: a bitonic network (Batcher, Sorting Networks and Their
// Applications, 1968) in the form in which the smaller of two elements always comes to the lower place. So a
// row of any length is sorted as if elements above all others followed it up to a power of two, and the
// exchanges with those are left out. Equal keys are ordered by where the elements stood, which makes the
// order total: the result does not depend on the network.
#include "codegen/emit/sort.h"
#include "codegen/target/gpu/simt.h"

namespace codegen::target::gpu {

using emit::emit_range;
using emit::Emitter;
using emit::RowEmitter;

namespace {

/// Puts the elements at the places `low` and `high` into order; nothing where `high` is behind the row.
void exchange(Emitter& e, RowEmitter& row, llvm::Value* low, llvm::Value* high) {
  llvm::IRBuilder<>& b = e.builder();
  llvm::BasicBlock *inside = e.block("pair"), *swap = e.block("swap"), *done = e.block("ordered");
  b.CreateCondBr(b.CreateICmpSLT(high, row.count()), inside, done);
  b.SetInsertPoint(inside);
  const RowEmitter::Element lower = row.load(low), upper = row.load(high);
  llvm::Value* ties = b.CreateNot(b.CreateOr(row.is_before(lower, upper), row.is_before(upper, lower)));
  llvm::Value* earlier = b.CreateICmpSLT(upper.position, lower.position);
  llvm::Value* wrong = b.CreateOr(row.is_before(upper, lower), b.CreateAnd(ties, earlier));
  b.CreateCondBr(wrong, swap, done);
  b.SetInsertPoint(swap);
  row.store(low, upper);
  row.store(high, lower);
  b.CreateBr(done);
  b.SetInsertPoint(done);
}

}  // namespace

void SimtModel::emit_sort(Emitter& e, const schedule::Sort& sort) {
  llvm::IRBuilder<>& b = e.builder();
  RowEmitter row(e, sort);
  llvm::Value *thread = thread_of_team(b), *threads = e.i64(in_warp_ ? threads_.warp : threads_.block);
  emit_range(e, thread, row.count(), threads,
             [&](llvm::Value* k) { row.store_position(k, b.CreateTrunc(k, b.getInt32Ty())); });
  emit_barrier(e, {});
  // After pass s, runs of 2^s elements are in order; there are 2^(passes - 1) pairs, some behind the row.
  llvm::Value* last =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.CreateSub(row.count(), e.i64(1)), e.i64(0));
  llvm::Value* passes =
      b.CreateSub(e.i64(64), b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, last, b.getFalse()));
  llvm::Value* pairs = b.CreateLShr(b.CreateShl(e.i64(1), passes), 1);
  emit_range(e, e.i64(0), passes, e.i64(1), [&](llvm::Value* pass) {
    llvm::Value* half = b.CreateShl(e.i64(1), pass);
    // The first element of a run of 2 half elements is compared with the last, and so on.
    emit_range(e, thread, pairs, threads, [&](llvm::Value* pair) {
      llvm::Value* inner = b.CreateAnd(pair, b.CreateSub(half, e.i64(1)));
      llvm::Value* run = b.CreateShl(b.CreateSub(pair, inner), 1);
      llvm::Value* end = b.CreateAdd(run, b.CreateShl(half, 1));
      exchange(e, row, b.CreateAdd(run, inner), b.CreateSub(b.CreateSub(end, e.i64(1)), inner));
    });
    emit_barrier(e, {});
    emit_range(e, e.i64(0), pass, e.i64(1), [&](llvm::Value* step) {
      llvm::Value* distance = b.CreateLShr(b.CreateLShr(half, 1), step);
      emit_range(e, thread, pairs, threads, [&](llvm::Value* pair) {
        llvm::Value* inner = b.CreateAnd(pair, b.CreateSub(distance, e.i64(1)));
        llvm::Value* low = b.CreateAdd(b.CreateShl(b.CreateSub(pair, inner), 1), inner);
        exchange(e, row, low, b.CreateAdd(low, distance));
      });
      emit_barrier(e, {});
    });
  });
}

}  // namespace codegen::target::gpu
