#include <algorithm>

#include "codegen/emit/emitter.h"

namespace codegen::emit {
namespace {

/// The largest end of a bound whose lanes are compared in 32 bits.
constexpr std::int64_t max_narrow = std::int64_t{1} << 30;
/// The largest divisor for which remainders are computed here: their products fit 64 bits.
constexpr std::int64_t max_divisor = std::int64_t{1} << 30;

std::int64_t floor_divide(std::int64_t x, std::int64_t d) { return x / d - (x % d < 0 ? 1 : 0); }

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
  llvm::Value* vector = nullptr;
  std::vector<std::int64_t> offsets;
  const auto add = [&](llvm::Value* term) {
    if (term->getType()->isVectorTy()) {
      vector = vector ? b_.CreateAdd(vector, term, "", false, true) : term;
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
      const auto factor = term.coefficient.constant();
      if (!value.vector) {
        add(scaled(value.base, term.coefficient));
        sum.stride = sum.stride + value.stride * term.coefficient;
      } else if (value.offsets.empty() || !factor) {
        add(scaled(value.vector, term.coefficient));
      } else {
        add(scaled(value.base, term.coefficient));
        offsets.resize(width_);
        for (unsigned lane = 0; lane < width_; ++lane) offsets[lane] += *factor * value.offsets[lane];
      }
    }
  }
  if (const auto stride = sum.stride.constant(); !offsets.empty() && !vector && stride) {
    for (unsigned lane = 0; lane < width_; ++lane) offsets[lane] += *stride * lane;
    return with_offsets(sum.base, std::move(offsets));
  }
  if (!offsets.empty()) {
    const EmittedIndex part = with_offsets(i64(0), std::move(offsets));
    add(part.vector ? part.vector : part.base);
    sum.stride = sum.stride + part.stride;
  }
  sum.vector = vector;
  if (vector) sum.vector = vector_of(sum);
  return sum;
}

EmittedIndex Emitter::with_offsets(llvm::Value* base, std::vector<std::int64_t> offsets) {
  const std::int64_t first = offsets[0], stride = width_ > 1 ? offsets[1] - first : 0;
  bool is_regular = true;
  for (unsigned lane = 0; lane < width_; ++lane) is_regular &= offsets[lane] == first + stride * lane;
  if (is_regular) return {b_.CreateAdd(base, i64(first), "", false, true), stride, nullptr};
  std::vector<llvm::Constant*> numbers;
  for (const std::int64_t offset : offsets)
    numbers.push_back(b_.getInt64(static_cast<std::uint64_t>(offset)));
  llvm::Value* vector =
      b_.CreateAdd(vectors_->splat(base), llvm::ConstantVector::get(numbers), "", false, true);
  return {base, 0, vector, std::move(offsets)};
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

std::optional<std::int64_t> Emitter::known_remainder(const Index& index, std::int64_t divisor) const {
  const auto constant = index.constant.constant();
  if (!constant) return std::nullopt;
  std::int64_t sum = *constant % divisor;
  for (const auto& term : index.terms) {
    const auto* loop = std::get_if<LoopId>(&term.atom);
    if (loop != nullptr && lane_ == *loop) continue;
    const auto factor = term.coefficient.constant();
    if (!factor) return std::nullopt;
    const std::int64_t rest = *factor % divisor;
    const auto variable = loop != nullptr ? variables_.find(*loop) : variables_.end();
    const auto* number =
        variable != variables_.end() ? llvm::dyn_cast<llvm::ConstantInt>(variable->second) : nullptr;
    const auto step = loop != nullptr ? steps_.find(*loop) : steps_.end();
    if (number != nullptr)
      sum += rest * (number->getSExtValue() % divisor) % divisor;
    else if (rest * ((step != steps_.end() ? step->second : 1) % divisor) % divisor != 0)
      return std::nullopt;
  }
  return sum - divisor * floor_divide(sum, divisor);
}

EmittedIndex Emitter::quotient(const Index::Quotient& quotient) {
  const EmittedIndex dividend = index(quotient.index);
  const bool is_vector = !dividend.is_uniform();
  const bool floor = quotient.kind == Index::Quotient::Kind::floor;
  const auto divide = [&](llvm::Value* x, llvm::Value* y) -> llvm::Value* {
    if (is_natural(quotient.index)) return floor ? b_.CreateUDiv(x, y) : b_.CreateURem(x, y);
    llvm::Value *q = b_.CreateSDiv(x, y), *rest = b_.CreateSub(x, b_.CreateMul(q, y));
    llvm::Value* below = b_.CreateICmpSLT(rest, llvm::Constant::getNullValue(rest->getType()));
    llvm::Value* one = b_.CreateZExt(below, rest->getType());
    return floor ? b_.CreateSub(q, one) : b_.CreateAdd(rest, b_.CreateMul(one, y));
  };
  llvm::Value* y = extents_.value(quotient.divisor);
  const auto divisor = quotient.divisor.constant();
  // A divisor that may be 0 at run time belongs to loops without trips.
  if (!divisor) y = b_.CreateSelect(b_.CreateICmpEQ(y, i64(0)), i64(1), y);
  if (!is_vector) return {divide(dividend.base, y), 0, nullptr};
  const auto stride = dividend.stride.constant();
  const bool is_along =
      dividend.vector == nullptr && stride && divisor && *divisor > 0 && *divisor <= max_divisor;
  if (const auto rest = is_along ? known_remainder(quotient.index, *divisor) : std::nullopt) {
    // Each lane adds a constant to the quotient of the base, which is `rest` above a multiple of the divisor.
    std::vector<std::int64_t> offsets;
    for (std::int64_t lane = 0; lane < width_; ++lane) {
      const std::int64_t x = *rest + *stride * lane, q = floor_divide(x, *divisor);
      offsets.push_back(floor ? q : x - *divisor * q);
    }
    return with_offsets(floor ? divide(dividend.base, y) : i64(0), std::move(offsets));
  }
  EmittedIndex emitted;
  emitted.vector = divide(dividend.vector ? dividend.vector : vector_of(dividend), vectors_->splat(y));
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

llvm::Value* Emitter::all_hold(const std::vector<schedule::Bound>& bounds, const Lanes& lanes) {
  llvm::Value* all = nullptr;
  for (const auto& bound : bounds) {
    const EmittedIndex at = index(bound.index);
    const auto range = offset_range(at, lanes);
    llvm::Value* one = nullptr;
    if (!at.is_uniform() && range) {
      llvm::Value* end = extents_.value(bound.end);
      one = b_.CreateICmpULT(b_.CreateAdd(at.base, i64(range->second), "", false, true), end);
      if (!is_natural(bound.index))
        one = b_.CreateAnd(one,
                           b_.CreateICmpULT(b_.CreateAdd(at.base, i64(range->first), "", false, true), end));
    } else {
      one = holds({bound});
      if (one->getType()->isVectorTy()) one = b_.CreateAndReduce(one);
    }
    all = both(all, one);
  }
  return all;
}

std::optional<std::vector<std::int64_t>> Emitter::offsets_of(const EmittedIndex& index) const {
  if (index.vector) return index.offsets.empty() ? std::nullopt : std::optional(index.offsets);
  const auto stride = index.stride.constant();
  if (!stride) return std::nullopt;
  std::vector<std::int64_t> offsets(width_);
  for (unsigned lane = 0; lane < width_; ++lane) offsets[lane] = *stride * lane;
  return offsets;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Emitter::offset_range(const EmittedIndex& index,
                                                                           const Lanes& lanes) const {
  const auto offsets = offsets_of(index);
  if (!offsets) return std::nullopt;
  std::vector<std::int64_t> some;
  for (std::size_t lane = 0; lane < width_; ++lane)
    if (lanes.empty() || lanes[lane]) some.push_back((*offsets)[lane]);
  const auto [least, most] = std::ranges::minmax(some);
  return std::pair(least, most);
}

llvm::Value* Emitter::both(llvm::Value* a, llvm::Value* b) {
  if (!a || !b) return a ? a : b;
  if (a->getType()->isVectorTy() && !b->getType()->isVectorTy()) b = vectors_->splat(b);
  if (b->getType()->isVectorTy() && !a->getType()->isVectorTy()) a = vectors_->splat(a);
  return b_.CreateAnd(a, b);
}

}  // namespace codegen::emit
