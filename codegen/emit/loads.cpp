#include <llvm/Analysis/VectorUtils.h>

#include <numeric>

#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"

namespace codegen::emit {

EmittedValue Emitter::zero_of(ElementType type) {
  return {scalars_.number(llvm::Constant::getNullValue(math::held_type(scalars_, type))), type};
}

EmittedValue Emitter::load(const Scalar::Load& load, ElementType type) {
  EmittedValue fill = zero_of(type);
  if (!load.bounds.empty()) fill = values_.at(load.fill);
  const auto load_lanes = [&](llvm::Value* where) {
    return load_where(load.access, type, both(where, not_empty(load.access)), fill);
  };
  std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> loaded;
  const auto add = [&](const EmittedValue& value) {
    llvm::Value* lanes = widened(value).number.value;
    loaded.emplace_back(lanes, b_.GetInsertBlock());
  };
  if (const auto shuffled = as_shuffled(load)) {
    llvm::Value* any = both(holds(shuffled->uniform), not_empty(load.access));
    if (!any && shuffled->varied.empty()) return load_shuffled(*shuffled, load.access, type, fill);
    llvm::BasicBlock* inside = any ? block("inside") : nullptr;
    llvm::BasicBlock *shuffle = block("shuffle"), *gather = block("gather"), *done = block("done");
    if (any) {
      add(fill);
      b_.CreateCondBr(any, inside, done);
      b_.SetInsertPoint(inside);
    }
    llvm::Value* all = all_hold(shuffled->varied, shuffled->lanes);
    b_.CreateCondBr(all ? all : b_.getTrue(), shuffle, gather);
    b_.SetInsertPoint(shuffle);
    add(load_shuffled(*shuffled, load.access, type, fill));
    b_.CreateBr(done);
    b_.SetInsertPoint(gather);
    add(load_lanes(holds(load.bounds)));
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  } else if (may_be_whole(load.access, load.bounds)) {
    emit_whole_or_masked(load.bounds, [&](llvm::Value* where) { add(load_lanes(where)); });
  } else {
    return load_lanes(holds(load.bounds));
  }
  llvm::PHINode* phi = b_.CreatePHI(loaded[0].first->getType(), static_cast<unsigned>(loaded.size()));
  for (const auto& [value, from] : loaded) phi->addIncoming(value, from);
  return {vectors_->number(phi), type};
}

std::optional<Emitter::ShuffledLoad> Emitter::as_shuffled(const Scalar::Load& load) {
  if (!lane_ || active_ || memory_.at(load.access.buffer).each_lane) return std::nullopt;
  ShuffledLoad shuffled{place_of(load.access), Lanes(width_, true), {}, {}};
  if (shuffled.place.offsets.empty()) return std::nullopt;
  for (const schedule::Bound& bound : load.bounds) {
    const EmittedIndex at = index(bound.index);
    if (at.is_uniform()) {
      shuffled.uniform.push_back(bound);
      continue;
    }
    const auto offsets = offsets_of(at);
    const auto* base = llvm::dyn_cast<llvm::ConstantInt>(at.base);
    const auto end = bound.end.constant();
    if (!offsets) return std::nullopt;
    if (base == nullptr || !end) {
      shuffled.varied.push_back(bound);
      continue;
    }
    for (unsigned lane = 0; lane < width_; ++lane) {
      const std::int64_t number = base->getSExtValue() + (*offsets)[lane];
      shuffled.lanes[lane] = shuffled.lanes[lane] && number >= 0 && number < *end;
    }
  }
  std::set<std::int64_t> read;
  for (unsigned lane = 0; lane < width_; ++lane)
    if (shuffled.lanes[lane]) read.insert(shuffled.place.offsets[lane]);
  const auto count = static_cast<std::int64_t>(read.size());
  if (count == 0 || *read.rbegin() - *read.begin() + 1 != count) return std::nullopt;
  return shuffled;
}

/// Loads the elements of the lanes as one short vector, and gives `fill` in the other lanes.
EmittedValue Emitter::load_shuffled(const ShuffledLoad& load, const schedule::Access& access,
                                    ElementType type, const EmittedValue& fill) {
  const auto [first, last] = *offset_range(load.place, load.lanes);
  llvm::Type* element = math::memory_type(b_.getContext(), type);
  auto* vector = llvm::FixedVectorType::get(element, static_cast<unsigned>(last - first + 1));
  llvm::Value* place = b_.CreateAdd(load.place.base, i64(first), "", false, true);
  llvm::Value* from = address(memory_.at(access.buffer), type, place);
  llvm::Value* loaded = b_.CreateAlignedLoad(vector, from, llvm::Align(dlvm::info(type).bytes));
  std::vector<int> places;
  std::vector<llvm::Constant*> where;
  for (unsigned lane = 0; lane < width_; ++lane) {
    places.push_back(load.lanes[lane] ? static_cast<int>(load.place.offsets[lane] - first) : 0);
    where.push_back(b_.getInt1(load.lanes[lane]));
  }
  const EmittedValue held{math::from_memory(*vectors_, b_.CreateShuffleVector(loaded, places), type), type};
  const bool is_all = std::ranges::all_of(load.lanes, [](bool lane) { return lane; });
  return is_all ? held : select(llvm::ConstantVector::get(where), held, fill);
}

/// Returns a vector: in each lane, `one` where `where` holds there, else `other`.
EmittedValue Emitter::select(llvm::Value* where, const EmittedValue& one, const EmittedValue& other) {
  llvm::Value* lanes = where->getType()->isVectorTy() ? where : vectors_->splat(where);
  return {vectors_->number(b_.CreateSelect(lanes, widened(one).number.value, widened(other).number.value)),
          one.type};
}

/// Loads where `where` holds, and gives `fill` elsewhere; loads in every trip where it is null.
EmittedValue Emitter::load_where(const schedule::Access& access, ElementType type, llvm::Value* where,
                                 const EmittedValue& fill) {
  const Memory& memory = memory_.at(access.buffer);
  const EmittedIndex at = place_of(access);
  const bool varies = where && where->getType()->isVectorTy();
  if (memory.each_lane) {
    llvm::Type* vector = vectors_->type(math::memory_type(b_.getContext(), type));
    llvm::Value* loaded =
        b_.CreateAlignedLoad(vector, address(memory, type, at.base), llvm::Align(dlvm::info(type).bytes));
    EmittedValue held{math::from_memory(*vectors_, loaded, type), type};
    return where ? select(where, held, fill) : held;
  }
  if (at.is_uniform()) {
    const bool fills_each_lane = where && fill.is_vector();
    const EmittedValue one =
        load_scalar(address(memory, type, at.base), type, varies ? b_.CreateOrReduce(where) : where,
                    fills_each_lane ? zero_of(type) : fill, alignment(access));
    if (!varies && !fills_each_lane) return one;
    return select(where, one, fill);
  }
  llvm::Value* mask = memory.always_there ? where : both(where, active_);
  if (mask && !mask->getType()->isVectorTy()) mask = vectors_->splat(mask);
  llvm::Type* element = math::memory_type(b_.getContext(), type);
  llvm::Type* vector = vectors_->type(element);
  const llvm::Align align(dlvm::info(type).bytes);
  llvm::Value* loaded = nullptr;
  if (!at.vector && at.stride.is(1)) {
    llvm::Value* pointer = address(memory, type, at.base);
    loaded = mask ? load_masked(element, pointer, align, mask)
                  : b_.CreateAlignedLoad(vector, pointer, alignment(access));
  } else if (!at.vector && at.stride.is(2)) {
    loaded = load_every_second(address(memory, type, at.base), element, align, mask);
  } else {
    llvm::Value* offsets = at.vector ? at.vector : vector_of(at);
    llvm::Value* pointers = b_.CreateInBoundsGEP(element, memory.pointer, offsets);
    loaded = b_.CreateMaskedGather(vector, pointers, align, mask, llvm::Constant::getNullValue(vector));
  }
  EmittedValue held{math::from_memory(*vectors_, loaded, type), type};
  return where ? select(where, held, fill) : held;
}

/// Loads elements 0, 2, 4 … from `pointer` on where the lanes' mask says, as the halves of longer vectors:
/// that is faster than a gather, and touches no element between.
llvm::Value* Emitter::load_every_second(llvm::Value* pointer, llvm::Type* element, llvm::Align align,
                                        llvm::Value* mask) {
  if (!mask) mask = llvm::Constant::getAllOnesValue(vectors_->type(b_.getInt1Ty()));
  std::vector<int> even;
  for (int lane = 0; lane < static_cast<int>(width_); ++lane) even.push_back(2 * lane);
  llvm::Value* nowhere = llvm::Constant::getNullValue(mask->getType());
  llvm::Value* wide = b_.CreateShuffleVector(mask, nowhere, lanes_apart());
  return b_.CreateShuffleVector(load_masked(element, pointer, align, wide), even);
}

/// Loads the elements of the lanes that the mask says, and gives zero in the others. LLVM loads a part of a
/// vector without a mask where the vector does not fit a register and that part of the mask is known to be
/// false; so each register has a load of its own.
llvm::Value* Emitter::load_masked(llvm::Type* element, llvm::Value* pointer, llvm::Align align,
                                  llvm::Value* mask) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  const unsigned bytes = element->getPrimitiveSizeInBits() / 8;
  const unsigned part = features_.vector_bytes == 0 ? count : std::min(count, features_.vector_bytes / bytes);
  auto* vector = llvm::FixedVectorType::get(element, part);
  std::vector<llvm::Value*> parts;
  for (unsigned first = 0; first < count; first += part) {
    std::vector<int> lanes(part);
    std::iota(lanes.begin(), lanes.end(), static_cast<int>(first));
    llvm::Value* where = part == count ? mask : b_.CreateShuffleVector(mask, lanes);
    llvm::Value* from = b_.CreateConstInBoundsGEP1_64(element, pointer, first);
    parts.push_back(b_.CreateMaskedLoad(vector, from, align, where, llvm::Constant::getNullValue(vector)));
  }
  return llvm::concatenateVectors(b_, parts);
}

EmittedValue Emitter::load_scalar(llvm::Value* pointer, ElementType type, llvm::Value* where,
                                  const EmittedValue& fill, llvm::Align align) {
  llvm::Type* element = math::memory_type(b_.getContext(), type);
  align = std::max(align, llvm::Align(dlvm::info(type).bytes));
  if (!where) return {math::from_memory(scalars_, b_.CreateAlignedLoad(element, pointer, align), type), type};
  llvm::BasicBlock *before = b_.GetInsertBlock(), *read = block("read"), *done = block("done");
  b_.CreateCondBr(where, read, done);
  b_.SetInsertPoint(read);
  const math::SimdValue number =
      math::from_memory(scalars_, b_.CreateAlignedLoad(element, pointer, align), type);
  read = b_.GetInsertBlock();
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  llvm::Value* other = fill.number.value;
  llvm::PHINode* phi = b_.CreatePHI(number.value->getType(), 2);
  phi->addIncoming(number.value, read);
  phi->addIncoming(other, before);
  return {scalars_.number(phi), type};
}

}  // namespace codegen::emit
