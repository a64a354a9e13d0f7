#include "codegen/emit/emitter.h"

namespace codegen::emit {
namespace {

/// The largest end of a bound whose lanes are compared in 32 bits.
constexpr std::int64_t max_narrow = std::int64_t{1} << 30;

/// Returns whether no term can make the index negative.
bool is_natural(const Index& index) {
  const auto natural = [](const Extent& e) { return e.lower_bound().value_or(-1) >= 0; };
  if (!natural(index.constant)) return false;
  for (const auto& term : index.terms) {
    if (!natural(term.coefficient) || std::holds_alternative<kernel::Loaded>(term.atom)) return false;
    const auto* quotient = std::get_if<std::shared_ptr<const Index::Quotient>>(&term.atom);
    if (quotient && !(is_natural((*quotient)->index) && natural((*quotient)->divisor))) return false;
  }
  return true;
}

}  // namespace

llvm::Value* Emitter::scaled(llvm::Value* value, const Extent& by) {
  if (by.is(1)) return value;
  llvm::Value* factor = extents_.value(by);
  if (value->getType()->isVectorTy()) factor = vectors_->splat(factor);
  return b_.CreateMul(value, factor, "", false, true);
}

EmittedIndex Emitter::index(const Index& index) {
  EmittedIndex sum{extents_.value(index.constant), 0, nullptr};
  const auto add = [&](llvm::Value* term) {
    if (term->getType()->isVectorTy()) {
      sum.vector = sum.vector ? b_.CreateAdd(sum.vector, term, "", false, true) : term;
      return;
    }
    const auto* zero = llvm::dyn_cast<llvm::ConstantInt>(sum.base);
    sum.base = zero && zero->isZero() ? term : b_.CreateAdd(sum.base, term, "", false, true);
  };
  for (const auto& term : index.terms) {
    if (const auto* loop = std::get_if<LoopId>(&term.atom)) {
      if (lane_ == *loop)
        sum.stride = sum.stride + term.coefficient;
      else
        add(scaled(variables_.at(*loop), term.coefficient));
    } else if (const auto* loaded = std::get_if<kernel::Loaded>(&term.atom)) {
      const EmittedValue& held = values_.at(loaded->scalar);
      llvm::Type* type = held.is_vector() ? vectors_->integer(64) : b_.getInt64Ty();
      add(scaled(b_.CreateIntCast(held.number.value, type, dlvm::is_signed(held.type)), term.coefficient));
    } else {
      const EmittedIndex value = quotient(*std::get<std::shared_ptr<const Index::Quotient>>(term.atom));
      add(scaled(value.vector ? value.vector : value.base, term.coefficient));
    }
  }
  if (sum.vector) sum.vector = vector_of(sum);
  return sum;
}

/// Returns the index of every lane. `index.vector` is added to the rest, so it may hold a part of the index.
llvm::Value* Emitter::vector_of(const EmittedIndex& index) {
  llvm::Value* sum = vectors_->splat(index.base);
  if (!index.stride.is(0)) {
    llvm::Value* numbers = vectors_->numbers(b_.getInt64Ty());
    sum = b_.CreateAdd(sum, scaled(numbers, index.stride), "", false, true);
  }
  return index.vector ? b_.CreateAdd(sum, index.vector, "", false, true) : sum;
}

EmittedIndex Emitter::quotient(const Index::Quotient& quotient) {
  const EmittedIndex dividend = index(quotient.index);
  const bool is_vector = !dividend.is_uniform();
  llvm::Value* x = dividend.vector ? dividend.vector : is_vector ? vector_of(dividend) : dividend.base;
  llvm::Value* y = extents_.value(quotient.divisor);
  const bool constant = quotient.divisor.constant().has_value();
  // A divisor that may be 0 at run time belongs to loops without trips.
  if (!constant) y = b_.CreateSelect(b_.CreateICmpEQ(y, i64(0)), i64(1), y);
  if (is_vector) y = vectors_->splat(y);
  const bool floor = quotient.kind == Index::Quotient::Kind::floor;
  llvm::Value* result = nullptr;
  if (is_natural(quotient.index)) {
    result = floor ? b_.CreateUDiv(x, y) : b_.CreateURem(x, y);
  } else {
    llvm::Value *q = b_.CreateSDiv(x, y), *rest = b_.CreateSub(x, b_.CreateMul(q, y));
    llvm::Value* below = b_.CreateICmpSLT(rest, llvm::Constant::getNullValue(rest->getType()));
    llvm::Value* one = b_.CreateZExt(below, rest->getType());
    result = floor ? b_.CreateSub(q, one) : b_.CreateAdd(rest, b_.CreateMul(one, y));
  }
  EmittedIndex emitted;
  (is_vector ? emitted.vector : emitted.base) = result;
  return emitted;
}

llvm::Value* Emitter::holds(const std::vector<schedule::Bound>& bounds) {
  llvm::Value* all = nullptr;
  for (const auto& bound : bounds) {
    const EmittedIndex value = index(bound.index);
    llvm::Value* end = extents_.value(bound.end);
    llvm::Value* one = nullptr;
    if (value.vector || !(value.stride.is(0) || value.stride.is(1))) {
      llvm::Value* lanes = value.vector ? value.vector : vector_of(value);
      one = b_.CreateICmpULT(lanes, vectors_->splat(end));
    } else if (value.stride.is(0)) {
      one = b_.CreateICmpULT(value.base, end);
    } else if (is_natural(bound.index)) {
      // The lanes below end - base, compared in 32 bits.
      llvm::Value* left = b_.CreateSub(end, value.base);
      llvm::Value* most = b_.getInt64(width_);
      left = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, i64(0));
      left = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, most);
      llvm::Value* count = vectors_->splat(b_.CreateTrunc(left, b_.getInt32Ty()));
      one = b_.CreateICmpULT(vectors_->numbers(b_.getInt32Ty()), count);
    } else if (bound.end.constant().value_or(max_narrow + 1) <= max_narrow) {
      // In 32 bits, where a base at which no lane is inside may be any other such base.
      llvm::Value* base =
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value.base, i64(-std::int64_t{width_}));
      base = b_.CreateTrunc(b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, base, end), b_.getInt32Ty());
      llvm::Value* lanes = b_.CreateAdd(vectors_->splat(base), vectors_->numbers(b_.getInt32Ty()));
      one = b_.CreateICmpULT(lanes, vectors_->splat(b_.CreateTrunc(end, b_.getInt32Ty())));
    } else {
      one = b_.CreateICmpULT(vector_of(value), vectors_->splat(end));
    }
    all = both(all, one);
  }
  return all;
}

llvm::Value* Emitter::all_hold(const std::vector<schedule::Bound>& bounds) {
  llvm::Value* all = nullptr;
  for (const auto& bound : bounds) {
    const EmittedIndex first = index(bound.index);
    llvm::Value* one = nullptr;
    const std::int64_t stride = first.stride.constant().value_or(0);
    if (!first.vector && stride >= 1) {
      llvm::Value* last = b_.CreateAdd(first.base, i64(stride * (std::int64_t{width_} - 1)), "", false, true);
      one = b_.CreateICmpULT(last, extents_.value(bound.end));
      if (!is_natural(bound.index))
        one = b_.CreateAnd(one, b_.CreateICmpULT(first.base, extents_.value(bound.end)));
    } else {
      one = holds({bound});
      if (one->getType()->isVectorTy()) one = b_.CreateAndReduce(one);
    }
    all = both(all, one);
  }
  return all;
}

llvm::Value* Emitter::both(llvm::Value* a, llvm::Value* b) {
  if (!a || !b) return a ? a : b;
  if (a->getType()->isVectorTy() && !b->getType()->isVectorTy()) b = vectors_->splat(b);
  if (b->getType()->isVectorTy() && !a->getType()->isVectorTy()) a = vectors_->splat(a);
  return b_.CreateAnd(a, b);
}

}  // namespace codegen::emit
