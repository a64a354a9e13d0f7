#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "codegen/schedule/ir/linear_layout.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {
namespace {

bool has_loaded(const schedule::Access& access) {
  std::set<LoopId> loops;
  std::set<ValueId> values;
  schedule::collect(access, loops, values);
  return !values.empty();
}

}  // namespace

llvm::Value* Emitter::address(const Memory& memory, ElementType type, llvm::Value* offset) {
  llvm::Type* element = math::memory_type(b_.getContext(), type);
  if (memory.each_lane) element = vectors_->type(element);
  return b_.CreateInBoundsGEP(element, memory.pointer, offset);
}

/// Returns the register of a distributed tile that holds the element, in the thread that does.
std::int64_t Emitter::own_register(const schedule::Access& access) const {
  std::vector<std::int64_t> at;
  for (const Index& index : access.indices) at.push_back(unrolled_part(index));
  return schedule::InvertibleLayout::of(buffer(access.buffer))->holder(at).register_index;
}

/// Returns what constants and unrolled loops add to the index, without thread loops.
std::int64_t Emitter::unrolled_part(const Index& index) const {
  std::int64_t sum = index.constant.constant().value_or(0);
  for (const auto& term : index.terms)
    if (const auto* loop = std::get_if<LoopId>(&term.atom))
      if (const auto* value = llvm::dyn_cast<llvm::ConstantInt>(variables_.at(*loop)))
        sum += value->getSExtValue() * term.coefficient.constant().value_or(0);
  return sum;
}

EmittedIndex Emitter::place_of(const schedule::Access& access) {
  if (buffer(access.buffer).linear_layout) return {i64(own_register(access)), 0, nullptr};
  const schedule::Layout& layout = buffer(access.buffer).layout;
  EmittedIndex at = index(offset(access, layout));
  if (!layout.swizzle) return at;
  // A swizzle leaves lanes together that lie in one of its units.
  const bool together = !at.vector && at.stride.is(1) &&
                        alignment(access).value() >= width_ * dlvm::info(buffer(access.buffer).element).bytes;
  if (at.is_uniform() || together) return {swizzled(at.base, layout), at.stride, nullptr};
  at.vector = swizzled(at.vector ? at.vector : vector_of(at), layout);
  at.offsets.clear();
  return at;
}

llvm::Value* Emitter::swizzled(llvm::Value* offset, const schedule::Layout& layout) {
  if (!layout.swizzle) return offset;
  const auto [bits, base, shift] = *layout.swizzle;
  llvm::Type* type = offset->getType();
  const auto number = [&](std::uint64_t n) { return llvm::ConstantInt::get(type, n); };
  const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << base;
  return b_.CreateXor(offset, b_.CreateAnd(b_.CreateLShr(offset, number(shift)), number(mask)));
}

llvm::Align Emitter::alignment(const schedule::Access& access) const {
  const schedule::Buffer& what = buffer(access.buffer);
  const std::uint64_t bytes = dlvm::info(what.element).bytes;
  std::uint64_t all = std::max(memory_.at(access.buffer).alignment, bytes);
  const auto divide = [&](const Extent& extent) {
    const auto constant = extent.constant();
    while (all > bytes && (!constant || static_cast<std::uint64_t>(*constant) * bytes % all != 0)) all /= 2;
  };
  const Index at = offset(access, what.layout);
  if (what.layout.swizzle) divide(std::int64_t{1} << what.layout.swizzle->base);
  divide(at.constant);
  for (const auto& term : at.terms) {
    const auto* loop = std::get_if<LoopId>(&term.atom);
    if (loop != nullptr && lane_ == *loop) continue;
    const auto known = loop != nullptr ? variables_.find(*loop) : variables_.end();
    const auto* unrolled =
        known != variables_.end() ? llvm::dyn_cast<llvm::ConstantInt>(known->second) : nullptr;
    const auto step = loop != nullptr ? steps_.find(*loop) : steps_.end();
    const std::int64_t factor = unrolled ? unrolled->getSExtValue() : step != steps_.end() ? step->second : 1;
    divide(term.coefficient * factor);
  }
  return llvm::Align(all);
}

/// Returns the condition that a buffer accessed by loaded indices has an element; null where it always has
/// one. Such indices were checked, so they are in range if any is.
llvm::Value* Emitter::not_empty(const schedule::Access& access) {
  if (!has_loaded(access)) return nullptr;
  llvm::Value* all = nullptr;
  for (const Extent& extent : buffer(access.buffer).shape)
    if (extent.lower_bound().value_or(0) < 1)
      all = both(all, b_.CreateICmpNE(extents_.value(extent), i64(0)));
  return all;
}

bool Emitter::may_be_whole(const schedule::Access& access, const std::vector<schedule::Bound>& bounds) {
  if (!lane_ || features_.masks || active_) return false;
  const auto goes_along = [&](const EmittedIndex& at) {
    return !at.vector && at.stride.lower_bound().value_or(0) >= 1 && at.stride.constant();
  };
  bool varies = false;
  for (const schedule::Bound& bound : bounds) {
    const EmittedIndex at = index(bound.index);
    if (at.vector || !(at.is_uniform() || goes_along(at))) return false;
    varies = varies || goes_along(at);
  }
  return varies && goes_along(place_of(access));
}

std::vector<int> Emitter::lanes_apart() const {
  std::vector<int> apart;
  for (int lane = 0; lane < static_cast<int>(width_); ++lane)
    apart.insert(apart.end(), {lane, static_cast<int>(width_)});
  return apart;
}

void Emitter::emit(const schedule::Store& store) {
  const auto store_lanes = [&](llvm::Value* where) {
    where = both(where, not_empty(store.access));
    if (store.combine) return store_combined(store, where);
    store_where(store.access, values_.at(store.value), where);
  };
  if (may_be_whole(store.access, store.bounds)) return emit_whole_or_masked(store.bounds, store_lanes);
  store_lanes(holds(store.bounds));
}

void Emitter::store_where(const schedule::Access& access, EmittedValue value, llvm::Value* where) {
  const Memory& memory = memory_.at(access.buffer);
  const ElementType type = buffer(access.buffer).element;
  const EmittedIndex at = place_of(access);
  const llvm::Align align(dlvm::info(type).bytes);
  if (memory.each_lane ||
      (at.is_uniform() && !value.is_vector() && !(where && where->getType()->isVectorTy()))) {
    if (memory.each_lane) value = widened(value);
    const llvm::Align known = memory.each_lane ? align : alignment(access);
    llvm::Value* pointer = address(memory, type, at.base);
    if (!where) {
      b_.CreateAlignedStore(math::to_memory(value.number, type), pointer, known);
      return;
    }
    if (where->getType()->isVectorTy()) {
      llvm::Value* stored = math::to_memory(value.number, type);
      llvm::Value* old = b_.CreateAlignedLoad(stored->getType(), pointer, known);
      b_.CreateAlignedStore(b_.CreateSelect(where, stored, old), pointer, known);
      return;
    }
    llvm::BasicBlock *write = block("write"), *done = block("done");
    b_.CreateCondBr(where, write, done);
    b_.SetInsertPoint(write);
    b_.CreateAlignedStore(math::to_memory(value.number, type), pointer, known);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    return;
  }
  llvm::Value* mask = both(where, active_);
  if (mask && !mask->getType()->isVectorTy()) mask = vectors_->splat(mask);
  llvm::Value* stored = math::to_memory(widened(value).number, type);
  if (!at.vector && at.stride.is(1)) {
    llvm::Value* pointer = address(memory, type, at.base);
    if (mask && memory.always_there) {
      llvm::Value* old = b_.CreateAlignedLoad(stored->getType(), pointer, align);
      stored = b_.CreateSelect(mask, stored, old);
      mask = nullptr;
    }
    if (mask)
      b_.CreateMaskedStore(stored, pointer, align, mask);
    else
      b_.CreateAlignedStore(stored, pointer, alignment(access));
    return;
  }
  if (!at.vector && at.stride.is(2))
    return store_every_second(stored, address(memory, type, at.base), align, mask);
  llvm::Value* offsets = at.vector ? at.vector : vector_of(at);
  llvm::Value* pointers =
      b_.CreateInBoundsGEP(math::memory_type(b_.getContext(), type), memory.pointer, offsets);
  b_.CreateMaskedScatter(stored, pointers, align, mask);
}

/// The lanes are halves of a longer vector: that is faster than a scatter.
void Emitter::store_every_second(llvm::Value* stored, llvm::Value* pointer, llvm::Align align,
                                 llvm::Value* mask) {
  if (!mask) mask = llvm::Constant::getAllOnesValue(vectors_->type(b_.getInt1Ty()));
  llvm::Value* nowhere = llvm::Constant::getNullValue(mask->getType());
  const std::vector<int> apart = lanes_apart();
  llvm::Value* wide = b_.CreateShuffleVector(stored, llvm::Constant::getNullValue(stored->getType()), apart);
  b_.CreateMaskedStore(wide, pointer, align, b_.CreateShuffleVector(mask, nowhere, apart));
}

/// Replaces the element by its combination with the value. Trips run in order, so there is no vector loop.
void Emitter::store_combined(const schedule::Store& store, llvm::Value* where) {
  if (lane_) dlvm::internal_error("a combined store that cannot be run in order");
  const ElementType type = buffer(store.access.buffer).element;
  llvm::BasicBlock* done = nullptr;
  if (where) {
    llvm::BasicBlock* write = block("write");
    done = block("done");
    b_.CreateCondBr(where, write, done);
    b_.SetInsertPoint(write);
  }
  const EmittedValue old = load_where(store.access, type, nullptr, {});
  const EmittedValue& value = values_.at(store.value);
  const math::SimdValue operands[] = {old.number, value.number};
  const EmittedValue sum = store.combine->function
                               ? call(*store.combine->function, old, value)
                               : EmittedValue{math::operate(store.combine->opcode, type, operands), type};
  store_where(store.access, sum, nullptr);
  if (!done) return;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void Emitter::emit(const schedule::Prefetch& prefetch) {
  fetch(place_to_fetch(prefetch.access), prefetch.is_written ? Fetch::to_write : Fetch::to_read);
}

llvm::Value* Emitter::place_to_fetch(const schedule::Access& access) {
  llvm::Type* element = math::memory_type(b_.getContext(), buffer(access.buffer).element);
  return b_.CreateGEP(element, memory_.at(access.buffer).pointer, place_of(access).base);
}

void Emitter::fetch(llvm::Value* place, Fetch what) {
  constexpr int all_caches = 3, all_but_first = 2, of_data = 1;
  const auto is_written = static_cast<std::uint32_t>(what == Fetch::to_write);
  b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                     {place, b_.getInt32(is_written), b_.getInt32(is_written ? all_caches : all_but_first),
                      b_.getInt32(of_data)});
}

void Emitter::emit(const schedule::Allocate& allocate) {
  const schedule::Buffer& what = buffer(allocate.buffer);
  if (what.space != schedule::Space::registers) return;  // placed by the target
  const auto count = (what.linear_layout ? element_count(what) : dlvm::unit_count(what.shape)).constant();
  if (!count) dlvm::internal_error("registers without a constant shape");
  llvm::BasicBlock& entry = b_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> start(&entry, entry.begin());
  llvm::Type* element = math::memory_type(b_.getContext(), what.element);
  if (lane_) element = vectors_->type(element);
  auto* array = llvm::ArrayType::get(element, static_cast<std::uint64_t>(*count));
  auto* memory = start.CreateAlloca(array, nullptr, what.name);
  memory_[allocate.buffer] = {memory, lane_.has_value(), true};
}

}  // namespace codegen::emit
