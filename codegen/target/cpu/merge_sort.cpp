// The sort of a row by merging runs of 1, 2, 4 … elements. Of each two neighbouring runs the left one is
// copied to the scratch row and merged from there with the right one, into the place of both: what is written
// never overtakes what is still to be read. An element of the right run goes first only where it must, so
// equal ones keep their order.
#include "codegen/emit/sort.h"
#include "codegen/target/cpu/core_model.h"

namespace codegen::target::cpu {

using emit::emit_range;
using emit::Emitter;
using emit::RowEmitter;

namespace {

/// Merges the runs [left, middle) and [middle, end).
void merge(Emitter& e, RowEmitter& row, llvm::Value* left, llvm::Value* middle, llvm::Value* end) {
  llvm::IRBuilder<>& b = e.builder();
  llvm::Value* length = b.CreateSub(middle, left);
  emit_range(e, e.i64(0), length, e.i64(1),
             [&](llvm::Value* i) { row.store_scratch(i, row.load(b.CreateAdd(left, i))); });
  llvm::BasicBlock *before = b.GetInsertBlock(), *head = e.block("merge"), *body = e.block("next"),
                   *done = e.block("merged");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2), *j = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(e.i64(0), before);
  j->addIncoming(middle, before);
  b.CreateCondBr(b.CreateICmpSLT(i, length), body, done);
  b.SetInsertPoint(body);
  llvm::Value* is_left_over = b.CreateICmpSLT(j, end);
  llvm::Value* last = b.CreateSub(end, e.i64(1));
  const RowEmitter::Element one = row.load_scratch(i),
                            other = row.load(b.CreateSelect(is_left_over, j, last));
  llvm::Value* takes_right = b.CreateAnd(is_left_over, row.is_before(other, one));
  // As many of the left run as i, and of the right run as j - middle, are in place.
  llvm::Value* place = b.CreateAdd(b.CreateSub(j, length), i);
  row.store(place, {b.CreateSelect(takes_right, other.key, one.key),
                    b.CreateSelect(takes_right, other.position, one.position)});
  llvm::Value* step = b.CreateZExt(takes_right, b.getInt64Ty());
  i->addIncoming(b.CreateAdd(i, b.CreateSub(e.i64(1), step)), body);
  j->addIncoming(b.CreateAdd(j, step), body);
  b.CreateBr(head);
  b.SetInsertPoint(done);
}

}  // namespace

void CoreModel::emit_sort(Emitter& e, const schedule::Sort& sort) {
  llvm::IRBuilder<>& b = e.builder();
  RowEmitter row(e, sort);
  emit_range(e, e.i64(0), row.count(), e.i64(1),
             [&](llvm::Value* k) { row.store_position(k, b.CreateTrunc(k, b.getInt32Ty())); });
  llvm::BasicBlock *before = b.GetInsertBlock(), *head = e.block("widths"), *body = e.block("width"),
                   *done = e.block("sorted");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* width = b.CreatePHI(b.getInt64Ty(), 2);
  width->addIncoming(e.i64(1), before);
  b.CreateCondBr(b.CreateICmpSLT(width, row.count()), body, done);
  b.SetInsertPoint(body);
  llvm::Value* both = b.CreateShl(width, 1);
  // The last run may lack a partner.
  emit_range(e, e.i64(0), b.CreateSub(row.count(), width), both, [&](llvm::Value* left) {
    llvm::Value* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateAdd(left, both), row.count());
    merge(e, row, left, b.CreateAdd(left, width), end);
  });
  width->addIncoming(both, b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(done);
}

}  // namespace codegen::target::cpu
