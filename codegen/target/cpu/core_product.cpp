// Products of tiles on one core: register tiles of vectors, each carried through the loops over k.
#include <bit>

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>

#include "codegen/target/cpu/core_model.h"
#include "codegen/target/cpu/register_tile.h"

namespace codegen::target::cpu {

using dlvm::ElementType;
using dlvm::Extent;
using emit::Emitter;

namespace {

/// The shortest vector into which a row of sums is split.
constexpr std::int64_t min_vector = 4;

/// Returns the strides of the tile's last two axes.
std::pair<Extent, Extent> strides(const schedule::Tile& tile, const schedule::Layout& layout) {
  const auto& all = tile.strides.empty() ? layout.strides : tile.strides;
  return {all[all.size() - 2], all[all.size() - 1]};
}

/// Returns a row of zeros with the length of a row of sums.
llvm::Constant* zeros(Emitter& e, const Product& p) {
  const std::int64_t bytes = p.across * p.lanes.width * dlvm::info(p.type).bytes;
  const std::string name = "zeros." + std::to_string(bytes);
  llvm::Module& module = *e.builder().GetInsertBlock()->getModule();
  llvm::Type* row = llvm::ArrayType::get(e.builder().getInt8Ty(), static_cast<std::uint64_t>(bytes));
  if (llvm::GlobalVariable* known = module.getGlobalVariable(name, true)) return known;
  auto* made = new llvm::GlobalVariable(module, row, true, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantAggregateZero::get(row), name);
  made->setAlignment(llvm::Align(line_bytes));
  return made;
}

/// The places of a register tile's vectors, row by row.
using Places = std::vector<llvm::Value*>;

/// Returns the places from row `first` on of the memory that begins at `begin`.
Places places_of(Emitter& e, const Product& p, llvm::Value* begin, llvm::Value* stride, llvm::Value* first,
                 unsigned rows) {
  llvm::IRBuilder<>& b = e.builder();
  Places places;
  for (unsigned i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < p.across; ++j) {
      llvm::Value* offset =
          b.CreateAdd(b.CreateMul(b.CreateAdd(first, e.i64(i)), stride), b.CreateMul(e.i64(j), p.to_column));
      places.push_back(b.CreateInBoundsGEP(p.to_element, begin, offset));
    }
  return places;
}

/// Returns where the sums are to which those of the product are added. Where they are replaced, all rows are
/// one of zeros: a branch or a mask would take registers from the sums.
Places places_before(Emitter& e, const Product& p, llvm::Value* first, unsigned rows) {
  llvm::IRBuilder<>& b = e.builder();
  if (p.anew == nullptr) return places_of(e, p, p.to, p.to_stride, first, rows);
  return places_of(e, p, b.CreateSelect(p.anew, zeros(e, p), p.to),
                   b.CreateSelect(p.anew, e.i64(0), p.to_stride), first, rows);
}

/// Emits an instruction that keeps no vector over it: values that LLVM would move out of the loops around a
/// product, and keep in registers beside its sums, are computed or loaded again behind it.
void forget_vectors(Emitter& e) {
  std::string clobbers;
  for (int i = 0; i < 32; ++i) clobbers += fmt::format("{}~{{xmm{}}}", i == 0 ? "" : ",", i);
  llvm::IRBuilder<>& b = e.builder();
  b.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(b.getVoidTy(), false), "", clobbers, true));
}

/// Loads a register tile of `rows` rows, carries it through the loops over k, and stores it. Memory to which
/// sums are added at the end is fetched meanwhile.
void multiply_rows(Emitter& e, const Product& p, llvm::Value* first, unsigned rows, bool masked) {
  llvm::IRBuilder<>& b = e.builder();
  RegisterTile tile(e, p, masked);
  const Places places = places_of(e, p, p.to, p.to_stride, first, rows),
               before = places_before(e, p, first, rows);
  const auto load = [&](std::size_t i) {
    return b.CreateAlignedLoad(tile.vector(), before[i], tile.align());
  };
  RegisterTile::Sums start(places.size(), llvm::Constant::getNullValue(tile.vector()));
  for (std::size_t i = 0; i < places.size(); ++i)
    if (p.apart)
      e.fetch(places[i], emit::Fetch::to_write);
    else
      start[i] = load(i);
  if (p.anew != nullptr) forget_vectors(e);
  auto sums = tile.add(0, {tile.move(p.left, first, p.left_stride), p.right, e.i64(0)}, start);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (p.apart) sums[i] = tile.plus(load(i), sums[i]);
    b.CreateAlignedStore(sums[i], places[i], tile.align());
  }
}

/// Multiplies a full register tile if all of its `rows` rows are there, or else those that are there, in
/// tiles whose rows are powers of two.
void multiply_existing_rows(Emitter& e, const Product& p, llvm::Value* existing, unsigned rows, bool masked) {
  llvm::IRBuilder<>& b = e.builder();
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(existing); known && known->getSExtValue() >= rows)
    return multiply_rows(e, p, e.i64(0), rows, masked);
  llvm::BasicBlock *full = e.block("full"), *part = e.block("part"), *end = e.block("multiplied");
  b.CreateCondBr(b.CreateICmpSGE(existing, e.i64(rows)), full, part);
  b.SetInsertPoint(full);
  multiply_rows(e, p, e.i64(0), rows, masked);
  b.CreateBr(end);
  b.SetInsertPoint(part);
  llvm::Value* there = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, existing, e.i64(0));
  for (unsigned some = std::bit_floor(std::max(rows, 2U) - 1); some > 0; some /= 2) {
    llvm::BasicBlock *tile = e.block("rows"), *next = e.block("next");
    b.CreateCondBr(b.CreateICmpNE(b.CreateAnd(there, e.i64(some)), e.i64(0)), tile, next);
    b.SetInsertPoint(tile);
    multiply_rows(e, p, b.CreateAnd(there, e.i64(-2 * std::int64_t{some})), some, masked);
    b.CreateBr(next);
    b.SetInsertPoint(next);
  }
  b.CreateBr(end);
  b.SetInsertPoint(end);
}

/// Returns the axes of k before the last that have more than one point.
std::vector<Product::Axis> outer_axes(Emitter& e, const schedule::MultiplyAccumulate& multiply) {
  const auto axes = [&](const schedule::Tile& tile) {
    const auto& steps = tile.strides.empty() ? e.buffer(tile.buffer).layout.strides : tile.strides;
    std::vector<std::pair<Extent, Extent>> result;
    for (std::size_t i = 0; i + 2 < tile.sizes.size(); ++i)
      if (!tile.sizes[i].is(1)) result.emplace_back(tile.sizes[i], steps[i]);
    return result;
  };
  const auto left = axes(multiply.left), right = axes(multiply.right);
  std::vector<Product::Axis> result;
  for (std::size_t i = 0; i < left.size(); ++i)
    result.push_back({e.extents().value(left[i].first), e.extents().value(left[i].second),
                      e.extents().value(right[i].second)});
  return result;
}

/// Returns the length of the vectors that make a row of that many columns: LLVM computes those well whose
/// length is a power of two, and any others element by element. A few odd columns are one vector
/// nevertheless.
std::int64_t vector_of_columns(std::int64_t columns) {
  const std::int64_t power = columns & -columns;
  return power >= min_vector ? power : columns;
}

/// Returns what all register tiles of the product share, without masks.
Product product_of(Emitter& e, const schedule::MultiplyAccumulate& multiply) {
  llvm::IRBuilder<>& b = e.builder();
  const ElementType type = e.buffer(multiply.to.buffer).element;
  const auto [to_stride, to_column] = strides(multiply.to, e.buffer(multiply.to.buffer).layout);
  const auto [left_step, left_stride] = strides(multiply.left, e.buffer(multiply.left.buffer).layout);
  const auto [right_step, right_column] = strides(multiply.right, e.buffer(multiply.right.buffer).layout);
  const std::int64_t columns = *multiply.to.sizes.back().constant(), width = vector_of_columns(columns);
  const bool by_lane = e.is_in_vector_loop();
  const math::SimdBuilder lanes =
      by_lane ? e.vectors() : math::SimdBuilder(b, static_cast<unsigned>(width), e.features());
  llvm::Type* element = math::memory_type(b.getContext(), type);
  const Extent& depth = multiply.left.sizes[multiply.left.sizes.size() - 2];
  const auto value = [&](const Extent& extent) { return e.extents().value(extent); };
  const auto all = depth.constant();
  const auto some = constant(multiply.count);
  llvm::Value* count =
      all && some && some->constant()
          ? e.i64(std::min(*all, *some->constant()))
          : b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, e.index(multiply.count).base, value(depth));
  return {type,
          lanes,
          by_lane ? columns : columns / width,
          by_lane,
          multiply.arithmetic == schedule::Arithmetic::apart,
          multiply.anew ? e.holds({*multiply.anew}) : nullptr,
          by_lane ? lanes.type(element) : element,
          e.start_of(multiply.to),
          e.start_of(multiply.left),
          e.start_of(multiply.right),
          count,
          value(to_stride),
          value(left_stride),
          by_lane ? value(to_column) : e.i64(width),
          by_lane ? value(right_column) : e.i64(width),
          value(left_step),
          value(right_step),
          {},
          outer_axes(e, multiply),
          {}};
}

/// Sets what the product fetches, if it has a constant number of terms.
void set_ahead(Emitter& e, const schedule::MultiplyAccumulate& multiply, Product& product) {
  if (!multiply.ahead) return;
  const schedule::Tile& tile = *multiply.ahead;
  Extent all = 1;
  for (std::size_t i = 0; i + 1 < multiply.left.sizes.size(); ++i) all = all * multiply.left.sizes[i];
  const auto terms = all.constant();
  const auto rows = tile.sizes[tile.sizes.size() - 2].constant(), columns = tile.sizes.back().constant();
  if (!terms || *terms == 0 || !rows || !columns) return;
  const std::int64_t bytes = dlvm::info(e.buffer(tile.buffer).element).bytes;
  product.ahead.first = e.place_to_fetch({tile.buffer, tile.origin});
  product.ahead.row_lines = (*columns * bytes + line_bytes - 1) / line_bytes;
  product.ahead.stride = e.extents().value(strides(tile, e.buffer(tile.buffer).layout).first * Extent(bytes));
  product.ahead.lines = *rows * product.ahead.row_lines;
  product.ahead.terms = *terms;
}

}  // namespace

void CoreModel::emit_multiply(Emitter& e, const schedule::MultiplyAccumulate& multiply) {
  llvm::IRBuilder<>& b = e.builder();
  const auto rows = static_cast<unsigned>(*multiply.to.sizes[multiply.to.sizes.size() - 2].constant());
  Product product = product_of(e, multiply);
  set_ahead(e, multiply, product);
  llvm::Value *there = e.index(multiply.rows).base, *columns = e.index(multiply.columns).base;
  if (product.by_lane) {
    product.masks.assign(static_cast<std::size_t>(product.across), e.active_lanes());
    return multiply_existing_rows(e, product, there, rows, e.active_lanes() != nullptr);
  }
  const auto all = static_cast<std::int64_t>(*multiply.to.sizes.back().constant());
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(columns); known && known->getSExtValue() >= all)
    return multiply_existing_rows(e, product, there, rows, false);
  llvm::Value* clipped = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, columns, e.i64(all));
  clipped = b.CreateTrunc(clipped, b.getInt32Ty());
  for (std::int64_t j = 0; j < product.across; ++j) {
    llvm::Value* first = b.getInt32(static_cast<std::uint32_t>(j * all / product.across));
    llvm::Value* position = b.CreateAdd(product.lanes.numbers(b.getInt32Ty()), product.lanes.splat(first));
    product.masks.push_back(b.CreateICmpULT(position, product.lanes.splat(clipped)));
  }
  llvm::BasicBlock *whole = e.block("whole"), *part = e.block("masked"), *end = e.block("all");
  b.CreateCondBr(b.CreateICmpSGE(columns, e.i64(all)), whole, part);
  for (llvm::BasicBlock* block : {whole, part}) {
    b.SetInsertPoint(block);
    multiply_existing_rows(e, product, there, rows, block == part);
    b.CreateBr(end);
  }
  b.SetInsertPoint(end);
}

}  // namespace codegen::target::cpu
