#include "codegen/target/cpu/core_model.h"

#include <cstddef>

#include "codegen/math/operations.h"
#include "dlvm/support/internal_error.h"
#include "runtime/abi.h"

namespace codegen::target::cpu {

using dlvm::ElementType;
using dlvm::Extent;
using emit::EmittedIndex;
using emit::EmittedValue;
using emit::Emitter;

namespace {

constexpr emit::ReportLayout report_layout{emit::word_of(offsetof(tel_context, site)),
                                           emit::word_of(offsetof(tel_context, value)),
                                           emit::word_of(offsetof(tel_context, position)), std::nullopt};

[[noreturn]] void refuse() {
  dlvm::internal_error("a loop or a statement of threads in a schedule for one core");
}

}  // namespace

CoreModel::CoreModel() : ExecutionModel(report_layout) {}

void CoreModel::emit_loop(Emitter&, const schedule::Loop&) { refuse(); }
void CoreModel::emit_barrier(Emitter&, const schedule::Barrier&) { refuse(); }
void CoreModel::emit_copy(Emitter&, const schedule::Copy&) { refuse(); }
void CoreModel::emit_commit(Emitter&, const schedule::Commit&) { refuse(); }
void CoreModel::emit_wait(Emitter&, const schedule::Wait&) { refuse(); }

void CoreModel::emit_reduce(Emitter& e, const schedule::Reduce& reduce) {
  llvm::IRBuilder<>& b = e.builder();
  const auto size = dlvm::unit_count(reduce.from.front().sizes).constant();
  if (!size || e.is_in_vector_loop())
    dlvm::internal_error("a reduction of lanes that is not of constant size");
  auto count = static_cast<unsigned>(*size);
  std::vector<llvm::Value*> all;
  for (const auto& from : reduce.from) {
    const ElementType type = e.buffer(from.buffer).element;
    math::SimdBuilder lanes(b, count, e.features());
    llvm::Type* vector = lanes.type(math::memory_type(b.getContext(), type));
    const EmittedIndex at = e.index(offset({from.buffer, from.origin}, e.buffer(from.buffer).layout));
    llvm::Value* loaded = b.CreateAlignedLoad(vector, e.address(e.memory(from.buffer), type, at.base),
                                              llvm::Align(dlvm::info(type).bytes));
    all.push_back(math::from_memory(lanes, loaded, type).value);
  }
  for (unsigned half = count / 2; half >= 1; half /= 2) {
    math::SimdBuilder lanes(b, half, e.features());
    std::vector<EmittedValue> left, right;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto part = [&](unsigned first) -> EmittedValue {
        if (half == 1)
          return {lanes.number(b.CreateExtractElement(all[i], first)), reduce.reduction.types[i]};
        std::vector<int> mask;
        for (unsigned lane = 0; lane < half; ++lane) mask.push_back(static_cast<int>(first + lane));
        return {lanes.number(b.CreateShuffleVector(all[i], mask)), reduce.reduction.types[i]};
      };
      left.push_back(part(0));
      right.push_back(part(half));
    }
    const auto results = e.combine(reduce.reduction, left, right, lanes);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = results[i].number.value;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    e.store_where(reduce.to[i], {e.scalars().number(all[i]), reduce.reduction.types[i]}, nullptr);
}

namespace {

/// The values that all register tiles of one product share. Strides are in elements.
struct Product {
  ElementType type;
  unsigned columns;
  llvm::Value *to, *left, *right, *count;
  llvm::Value *left_step, *left_stride, *right_step;  ///< from k to k + 1, from row to row
  llvm::Value* mask;                                  ///< of the columns that are there
};

/// Returns the strides of the tile's last two axes.
std::pair<Extent, Extent> strides(const schedule::Tile& tile, const schedule::Layout& layout) {
  const auto& all = tile.strides.empty() ? layout.strides : tile.strides;
  return {all[all.size() - 2], all[all.size() - 1]};
}

/// Loads a register tile of `rows` rows, carries it through the loop over k, and stores it.
void multiply_rows(Emitter& e, const Product& p, llvm::Value* first, unsigned rows, bool masked) {
  llvm::IRBuilder<>& b = e.builder();
  math::SimdBuilder lanes(b, p.columns, e.features());
  llvm::Type* element = math::memory_type(b.getContext(), p.type);
  llvm::Type* vector = lanes.type(element);
  const llvm::Align align(dlvm::info(p.type).bytes);
  const auto row_of = [&](unsigned i) { return b.CreateAdd(first, e.i64(i)); };
  std::vector<llvm::Value*> start, places;
  for (unsigned i = 0; i < rows; ++i) {
    places.push_back(b.CreateInBoundsGEP(element, p.to, b.CreateMul(row_of(i), e.i64(p.columns))));
    start.push_back(b.CreateAlignedLoad(vector, places.back(), align));
  }
  llvm::Value* left_first = b.CreateInBoundsGEP(element, p.left, b.CreateMul(first, p.left_stride));
  llvm::BasicBlock *before = b.GetInsertBlock(), *head = e.block("product"), *body = e.block("step"),
                   *done = e.block("done");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* k = b.CreatePHI(b.getInt64Ty(), 2);
  k->addIncoming(e.i64(0), before);
  std::vector<llvm::PHINode*> sums;
  for (unsigned i = 0; i < rows; ++i) {
    sums.push_back(b.CreatePHI(vector, 2));
    sums.back()->addIncoming(start[i], before);
  }
  b.CreateCondBr(b.CreateICmpSLT(k, p.count), body, done);
  b.SetInsertPoint(body);
  llvm::Value* right = b.CreateInBoundsGEP(element, p.right, b.CreateMul(k, p.right_step));
  llvm::Value* line = masked ? static_cast<llvm::Value*>(b.CreateMaskedLoad(
                                   vector, right, align, p.mask, llvm::Constant::getNullValue(vector)))
                             : b.CreateAlignedLoad(vector, right, align);
  llvm::Value* left = b.CreateInBoundsGEP(element, left_first, b.CreateMul(k, p.left_step));
  for (unsigned i = 0; i < rows; ++i) {
    llvm::Value* place = b.CreateInBoundsGEP(element, left, b.CreateMul(e.i64(i), p.left_stride));
    llvm::Value* factor = lanes.splat(b.CreateAlignedLoad(element, place, align));
    const math::SimdValue sum = math::fma(lanes.number(factor), lanes.number(line), lanes.number(sums[i]));
    sums[i]->addIncoming(sum.value, body);
  }
  k->addIncoming(b.CreateAdd(k, e.i64(1), "", true, true), body);
  b.CreateBr(head);
  b.SetInsertPoint(done);
  for (unsigned i = 0; i < rows; ++i) b.CreateAlignedStore(sums[i], places[i], align);
}

}  // namespace

/// Multiplies full register tiles, then the rows that are left over one after the other.
void CoreModel::emit_multiply(Emitter& e, const schedule::MultiplyAccumulate& multiply) {
  llvm::IRBuilder<>& b = e.builder();
  const auto size = [](const schedule::Tile& tile) { return *tile.sizes.back().constant(); };
  const ElementType type = e.buffer(multiply.to.buffer).element;
  const auto [left_step, left_stride] = strides(multiply.left, e.buffer(multiply.left.buffer).layout);
  const Extent right_step = strides(multiply.right, e.buffer(multiply.right.buffer).layout).first;
  const auto rows = static_cast<unsigned>(*multiply.to.sizes[multiply.to.sizes.size() - 2].constant());
  const Extent& depth = multiply.left.sizes[multiply.left.sizes.size() - 2];
  llvm::Value* count =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, e.index(multiply.count).base, e.extents().value(depth));
  Product product{type,
                  static_cast<unsigned>(size(multiply.to)),
                  e.start_of(multiply.to),
                  e.start_of(multiply.left),
                  e.start_of(multiply.right),
                  count,
                  e.extents().value(left_step),
                  e.extents().value(left_stride),
                  e.extents().value(right_step),
                  nullptr};
  llvm::Value *there = e.index(multiply.rows).base, *columns = e.index(multiply.columns).base;
  llvm::Value* all_columns = b.CreateICmpSGE(columns, e.i64(product.columns));
  math::SimdBuilder lanes(b, product.columns, e.features());
  llvm::Value* clipped = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, columns, e.i64(product.columns));
  product.mask =
      b.CreateICmpULT(lanes.numbers(b.getInt32Ty()), lanes.splat(b.CreateTrunc(clipped, b.getInt32Ty())));
  const bool always = llvm::isa<llvm::ConstantInt>(columns) &&
                      llvm::cast<llvm::ConstantInt>(columns)->getSExtValue() >= product.columns;
  llvm::BasicBlock* end = e.block("multiplied");
  for (const bool masked : {false, true}) {
    if (masked && always) break;
    llvm::BasicBlock* next = always || masked ? nullptr : e.block("masked");
    if (next) {
      llvm::BasicBlock* here = e.block("whole");
      b.CreateCondBr(all_columns, here, next);
      b.SetInsertPoint(here);
    }
    llvm::BasicBlock *full = e.block("full"), *part = e.block("part");
    b.CreateCondBr(b.CreateICmpSGE(there, e.i64(rows)), full, part);
    b.SetInsertPoint(full);
    multiply_rows(e, product, e.i64(0), rows, masked);
    b.CreateBr(end);
    b.SetInsertPoint(part);
    llvm::BasicBlock *head = e.block("rows"), *body = e.block("row");
    b.CreateBr(head);
    b.SetInsertPoint(head);
    llvm::PHINode* row = b.CreatePHI(b.getInt64Ty(), 2);
    row->addIncoming(e.i64(0), part);
    b.CreateCondBr(b.CreateICmpSLT(row, there), body, end);
    b.SetInsertPoint(body);
    multiply_rows(e, product, row, 1, masked);
    row->addIncoming(b.CreateAdd(row, e.i64(1)), b.GetInsertBlock());
    b.CreateBr(head);
    if (next) b.SetInsertPoint(next);
  }
  b.SetInsertPoint(end);
}

}  // namespace codegen::target::cpu
