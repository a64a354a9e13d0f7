#include "codegen/target/cpu/core_ranges.h"

#include <llvm/IR/Intrinsics.h>

#include "codegen/schedule/ir/walk.h"

namespace codegen::target::cpu {

using schedule::Loop;

void CoreRanges::emit(emit::Emitter& e, const Loop& loop) {
  llvm::IRBuilder<>& b = e.builder();
  const auto least = [&](llvm::Value* x, llvm::Value* y) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
  };
  llvm::Value *begin = begin_, *end = end_;
  if (around_ != nullptr) {  // the part of the range that is in this iteration of the loop around
    llvm::Value* inside = e.extents().value(core_iterations(loop));
    llvm::Value* number = b.CreateExactUDiv(e.variable(around_->id), e.i64(around_->step));
    llvm::Value* before = b.CreateMul(number, inside);
    begin = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.CreateSub(begin, before), e.i64(0));
    end = least(b.CreateSub(end, before), inside);
  }
  llvm::Value *first = begin, *last = end;
  if (const Loop* inner = inner_core_loop(loop)) {
    llvm::Value* inside = e.extents().value(core_iterations(*inner));
    first = b.CreateUDiv(begin, inside);
    last = b.CreateUDiv(b.CreateAdd(end, b.CreateSub(inside, e.i64(1))), inside);
  }
  llvm::Value* from = b.CreateMul(first, e.i64(loop.step));
  llvm::Value* to = least(b.CreateMul(last, e.i64(loop.step)), e.extents().value(loop.extent));
  if (loop.range_end) {
    e.set_variable(loop.id, from);
    e.set_variable(*loop.range_end, to);
    return e.emit(loop.body);
  }
  const auto outer = std::tuple(begin_, end_, around_);
  std::tie(begin_, end_, around_) = std::tuple(begin, end, &loop);
  e.emit_iterations(loop, from, to);
  std::tie(begin_, end_, around_) = outer;
}

}  // namespace codegen::target::cpu
