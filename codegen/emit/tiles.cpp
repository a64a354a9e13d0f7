#include <algorithm>

#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {

void Emitter::emit(const schedule::Fill& fill) {
  const Memory& memory = memory_.at(fill.to.buffer);
  const ElementType type = buffer(fill.to.buffer).element;
  const bool distributed = buffer(fill.to.buffer).linear_layout.has_value();
  const Extent elements =
      distributed ? element_count(buffer(fill.to.buffer)) : dlvm::unit_count(fill.to.sizes);
  const auto count = elements.constant();
  if (!count || *count > 4096) dlvm::internal_error("a fill of a tile without a constant size");
  const EmittedIndex at = place_of({fill.to.buffer, fill.to.origin});
  const llvm::Align align(dlvm::info(type).bytes);
  llvm::Value* pointer = address(memory, type, at.base);
  if (memory.each_lane) {
    llvm::Value* value = math::to_memory(math::literal(*vectors_, fill.value), type);
    for (std::int64_t i = 0; i < *count; ++i)
      b_.CreateAlignedStore(
          value, b_.CreateConstInBoundsGEP1_64(value->getType(), pointer, static_cast<std::uint64_t>(i)),
          align);
    return;
  }
  const bool zeros = std::all_of(fill.value.data(), fill.value.data() + fill.value.byte_count(),
                                 [](std::byte byte) { return byte == std::byte{0}; });
  if (zeros && *count > 64) {
    b_.CreateMemSet(pointer, b_.getInt8(0), static_cast<std::uint64_t>(*count) * dlvm::info(type).bytes,
                    align);
    return;
  }
  math::SimdBuilder lanes(b_, static_cast<unsigned>(*count), features_);
  b_.CreateAlignedStore(math::to_memory(math::literal(lanes, fill.value), type), pointer, align);
}

void Emitter::emit(const schedule::Reduce& reduce) {
  if (machine_ == Machine::device) return reduce_over_threads(reduce);
  const auto size = dlvm::unit_count(reduce.from.front().sizes).constant();
  if (!size || lane_) dlvm::internal_error("a reduction of lanes that is not of constant size");
  auto count = static_cast<unsigned>(*size);
  std::vector<llvm::Value*> all;
  for (const auto& from : reduce.from) {
    const ElementType type = buffer(from.buffer).element;
    math::SimdBuilder lanes(b_, count, features_);
    llvm::Type* vector = lanes.type(math::memory_type(b_.getContext(), type));
    const EmittedIndex at = index(offset({from.buffer, from.origin}, buffer(from.buffer).layout));
    llvm::Value* loaded = b_.CreateAlignedLoad(vector, address(memory_.at(from.buffer), type, at.base),
                                               llvm::Align(dlvm::info(type).bytes));
    all.push_back(math::from_memory(lanes, loaded, type).value);
  }
  for (unsigned half = count / 2; half >= 1; half /= 2) {
    math::SimdBuilder lanes(b_, half, features_);
    std::vector<EmittedValue> left, right;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto part = [&](unsigned first) -> EmittedValue {
        if (half == 1)
          return {lanes.number(b_.CreateExtractElement(all[i], first)), reduce.reduction.types[i]};
        std::vector<int> mask;
        for (unsigned lane = 0; lane < half; ++lane) mask.push_back(static_cast<int>(first + lane));
        return {lanes.number(b_.CreateShuffleVector(all[i], mask)), reduce.reduction.types[i]};
      };
      left.push_back(part(0));
      right.push_back(part(half));
    }
    const auto results = combine(reduce.reduction, left, right, lanes);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = results[i].number.value;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    store_where(reduce.to[i], {scalars_.number(all[i]), reduce.reduction.types[i]}, nullptr);
}

void Emitter::emit(const schedule::Copy& copy) {
  if (machine_ != Machine::device) dlvm::internal_error("a copy of tiles in a schedule for one core");
  copy_in_thread(copy);
}
void Emitter::emit(const schedule::Convert&) {
  dlvm::internal_error("a conversion of tiles in a schedule for one core");
}
llvm::Value* Emitter::start_of(const schedule::Tile& tile) {
  const EmittedIndex at = place_of({tile.buffer, tile.origin});
  return address(memory_.at(tile.buffer), buffer(tile.buffer).element, at.base);
}

/// What all register tiles of one product share. Strides are in elements.
struct Emitter::Product {
  ElementType type;
  unsigned columns;
  llvm::Value *to, *left, *right, *count;
  llvm::Value *left_step, *left_stride, *right_step;  ///< from k to k + 1, from row to row
  llvm::Value* mask;                                  ///< of the columns that are there
};

namespace {

/// The strides of the tile's last two axes.
std::pair<Extent, Extent> strides(const schedule::Tile& tile, const schedule::Layout& layout) {
  const auto& all = tile.strides.empty() ? layout.strides : tile.strides;
  return {all[all.size() - 2], all[all.size() - 1]};
}

}  // namespace

/// A register tile of `rows` rows: loaded, carried through the loop over k, stored.
void Emitter::multiply_rows(const Product& p, llvm::Value* first, unsigned rows, bool masked) {
  math::SimdBuilder lanes(b_, p.columns, features_);
  llvm::Type* element = math::memory_type(b_.getContext(), p.type);
  llvm::Type* vector = lanes.type(element);
  const llvm::Align align(dlvm::info(p.type).bytes);
  const auto row_of = [&](unsigned i) { return b_.CreateAdd(first, i64(i)); };
  std::vector<llvm::Value*> start, places;
  for (unsigned i = 0; i < rows; ++i) {
    places.push_back(b_.CreateInBoundsGEP(element, p.to, b_.CreateMul(row_of(i), i64(p.columns))));
    start.push_back(b_.CreateAlignedLoad(vector, places.back(), align));
  }
  llvm::Value* left_first = b_.CreateInBoundsGEP(element, p.left, b_.CreateMul(first, p.left_stride));
  llvm::BasicBlock *before = b_.GetInsertBlock(), *head = block("product"), *body = block("step"),
                   *done = block("done");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* k = b_.CreatePHI(b_.getInt64Ty(), 2);
  k->addIncoming(i64(0), before);
  std::vector<llvm::PHINode*> sums;
  for (unsigned i = 0; i < rows; ++i) {
    sums.push_back(b_.CreatePHI(vector, 2));
    sums.back()->addIncoming(start[i], before);
  }
  b_.CreateCondBr(b_.CreateICmpSLT(k, p.count), body, done);
  b_.SetInsertPoint(body);
  llvm::Value* right = b_.CreateInBoundsGEP(element, p.right, b_.CreateMul(k, p.right_step));
  llvm::Value* line = masked ? static_cast<llvm::Value*>(b_.CreateMaskedLoad(
                                   vector, right, align, p.mask, llvm::Constant::getNullValue(vector)))
                             : b_.CreateAlignedLoad(vector, right, align);
  llvm::Value* left = b_.CreateInBoundsGEP(element, left_first, b_.CreateMul(k, p.left_step));
  for (unsigned i = 0; i < rows; ++i) {
    llvm::Value* place = b_.CreateInBoundsGEP(element, left, b_.CreateMul(i64(i), p.left_stride));
    llvm::Value* factor = lanes.splat(b_.CreateAlignedLoad(element, place, align));
    const math::SimdValue sum = math::fma(lanes.number(factor), lanes.number(line), lanes.number(sums[i]));
    sums[i]->addIncoming(sum.value, body);
  }
  k->addIncoming(b_.CreateAdd(k, i64(1), "", true, true), body);
  b_.CreateBr(head);
  b_.SetInsertPoint(done);
  for (unsigned i = 0; i < rows; ++i) b_.CreateAlignedStore(sums[i], places[i], align);
}

/// Full register tiles; the rows that are left over one after the other.
void Emitter::emit(const schedule::MultiplyAccumulate& multiply) {
  if (multiply.arithmetic != schedule::Arithmetic::fused) return multiply_on_tensor_cores(multiply);
  if (machine_ == Machine::device) return multiply_in_thread(multiply);
  const auto size = [](const schedule::Tile& tile) { return *tile.sizes.back().constant(); };
  const ElementType type = buffer(multiply.to.buffer).element;
  const auto [left_step, left_stride] = strides(multiply.left, buffer(multiply.left.buffer).layout);
  const Extent right_step = strides(multiply.right, buffer(multiply.right.buffer).layout).first;
  const auto rows = static_cast<unsigned>(*multiply.to.sizes[multiply.to.sizes.size() - 2].constant());
  const Extent& depth = multiply.left.sizes[multiply.left.sizes.size() - 2];
  llvm::Value* count =
      b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, index(multiply.count).base, extents_.value(depth));
  Product product{type,
                  static_cast<unsigned>(size(multiply.to)),
                  start_of(multiply.to),
                  start_of(multiply.left),
                  start_of(multiply.right),
                  count,
                  extents_.value(left_step),
                  extents_.value(left_stride),
                  extents_.value(right_step),
                  nullptr};
  llvm::Value *there = index(multiply.rows).base, *columns = index(multiply.columns).base;
  llvm::Value* all_columns = b_.CreateICmpSGE(columns, i64(product.columns));
  math::SimdBuilder lanes(b_, product.columns, features_);
  llvm::Value* clipped = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, columns, i64(product.columns));
  product.mask =
      b_.CreateICmpULT(lanes.numbers(b_.getInt32Ty()), lanes.splat(b_.CreateTrunc(clipped, b_.getInt32Ty())));
  const bool always = llvm::isa<llvm::ConstantInt>(columns) &&
                      llvm::cast<llvm::ConstantInt>(columns)->getSExtValue() >= product.columns;
  llvm::BasicBlock* end = block("multiplied");
  for (const bool masked : {false, true}) {
    if (masked && always) break;
    llvm::BasicBlock* next = always || masked ? nullptr : block("masked");
    if (next) {
      llvm::BasicBlock* here = block("whole");
      b_.CreateCondBr(all_columns, here, next);
      b_.SetInsertPoint(here);
    }
    llvm::BasicBlock *full = block("full"), *part = block("part");
    b_.CreateCondBr(b_.CreateICmpSGE(there, i64(rows)), full, part);
    b_.SetInsertPoint(full);
    multiply_rows(product, i64(0), rows, masked);
    b_.CreateBr(end);
    b_.SetInsertPoint(part);
    llvm::BasicBlock *head = block("rows"), *body = block("row");
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    llvm::PHINode* row = b_.CreatePHI(b_.getInt64Ty(), 2);
    row->addIncoming(i64(0), part);
    b_.CreateCondBr(b_.CreateICmpSLT(row, there), body, end);
    b_.SetInsertPoint(body);
    multiply_rows(product, row, 1, masked);
    row->addIncoming(b_.CreateAdd(row, i64(1)), b_.GetInsertBlock());
    b_.CreateBr(head);
    if (next) b_.SetInsertPoint(next);
  }
  b_.SetInsertPoint(end);
}

}  // namespace codegen::emit
