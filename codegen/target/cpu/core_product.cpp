// Products of tiles on one core: register tiles of vectors, each carried through the loops over k.
#include <bit>
#include <cstdlib>
#include <numeric>

#include "codegen/emit/loops.h"
#include "codegen/math/operations.h"
#include "codegen/target/cpu/core_model.h"

namespace codegen::target::cpu {

using dlvm::ElementType;
using dlvm::Extent;
using emit::Emitter;

namespace {

/// The shortest vector into which a row of sums is split.
constexpr std::int64_t min_vector = 4;
/// Bytes, at most, of the products in the body of a loop over k, and in the terms of a sum that has no loop:
/// 64 and 128 of the longest vectors.
constexpr std::int64_t max_in_loop = 4096, max_without_loop = 8192;
/// A processor without fused multiply-adds takes about four instructions for each of them: it copies an
/// operand, multiplies, adds, and often moves a sum that found no register.
constexpr std::int64_t instructions_without_fma = 4;
/// Terms, at most, in the body of a loop over k.
constexpr std::int64_t max_terms = 8;
/// Bytes that a processor fetches from memory at once.
constexpr std::int64_t line_bytes = 64;

/// The values that all register tiles of one product share. Strides are in elements. A row of sums is one
/// vector of all columns, or several if their number is no power of two; in a vector loop it is one vector
/// for each column, with a lane for each iteration.
struct Product {
  ElementType type;
  math::SimdBuilder lanes;  ///< of a vector of sums
  std::int64_t across;      ///< vectors in a row of sums
  bool by_lane;             ///< each lane has its own element of the left operand
  bool apart;               ///< the sums begin with zero and are added to those in memory once
  llvm::Type* to_element;   ///< in which the strides of the sums count
  llvm::Value *to, *left, *right, *count;
  llvm::Value *to_stride, *left_stride;   ///< from row to row
  llvm::Value *to_column, *right_column;  ///< from vector to vector in a row
  llvm::Value *left_step, *right_step;    ///< from k to k + 1
  std::vector<llvm::Value*> masks;        ///< the lanes of each vector in a row that are there
  /// An axis of k before the last: its extent, and the steps of both operands along it.
  struct Axis {
    llvm::Value *extent, *left, *right;
  };
  std::vector<Axis> axes;
  /// The memory that is fetched while the terms are computed. It is rows of cache lines.
  struct Ahead {
    llvm::Value* first = nullptr;       ///< the first line; null if nothing is fetched
    llvm::Value* stride = nullptr;      ///< from row to row, in bytes
    std::int64_t row_lines = 0;         ///< the lines of a row
    std::int64_t lines = 0, terms = 0;  ///< the lines of all rows, and the terms over which they are spread
  };
  Ahead ahead;
};

/// Returns the strides of the tile's last two axes.
std::pair<Extent, Extent> strides(const schedule::Tile& tile, const schedule::Layout& layout) {
  const auto& all = tile.strides.empty() ? layout.strides : tile.strides;
  return {all[all.size() - 2], all[all.size() - 1]};
}

/// The loops over one register tile, of which `sums` has the vectors of each row.
class RegisterTile {
 public:
  RegisterTile(Emitter& e, const Product& p, bool masked)
      : e_(e), b_(e.builder()), p_(p), masked_(masked), lanes_(p.lanes) {}

  using Sums = std::vector<llvm::Value*>;

  /// The terms along the axes of k from one axis on.
  struct Terms {
    llvm::Value *left, *right;  ///< where the operands of the first term are
    llvm::Value* number;        ///< the number of the first term along the axes before
  };

  /// Returns the sums with the products of all terms along the axes of k from number `axis` on.
  Sums add(std::size_t axis, const Terms& terms, const Sums& sums) {
    if (axis == p_.axes.size()) return add_innermost(terms, sums);
    const Product::Axis& outer = p_.axes[axis];
    return loop(e_.i64(0), outer.extent, 1, sums, [&](llvm::Value* k, const Sums& before) {
      llvm::Value* number = b_.CreateAdd(b_.CreateMul(terms.number, outer.extent), k);
      return add(axis + 1, {move(terms.left, k, outer.left), move(terms.right, k, outer.right), number},
                 before);
    });
  }

  /// Returns the place at that multiple of a step.
  llvm::Value* move(llvm::Value* place, llvm::Value* by, llvm::Value* step) {
    return b_.CreateInBoundsGEP(element(), place, b_.CreateMul(by, step));
  }
  llvm::Value* plus(llvm::Value* x, llvm::Value* y) {
    return p_.type == ElementType::f32 || p_.type == ElementType::f64 ? b_.CreateFAdd(x, y)
                                                                      : b_.CreateAdd(x, y);
  }
  llvm::Type* element() const { return math::memory_type(b_.getContext(), p_.type); }
  llvm::Type* vector() const { return lanes_.type(element()); }
  llvm::Align align() const { return llvm::Align(dlvm::info(p_.type).bytes); }

 private:
  /// Returns the sums with the terms along the last axis of k. The loop over it has several terms in its
  /// body, which hide what the loop itself costs; another loop has those that are left over.
  Sums add_innermost(const Terms& all, const Sums& sums) {
    const auto terms_from = [&](llvm::Value* k, std::int64_t count, Sums added) {
      for (std::int64_t term = 0; term < count; ++term) {
        llvm::Value* at = b_.CreateAdd(k, e_.i64(term), "", true, true);
        const Sums line = load_line(move(all.right, at, p_.right_step));
        added = add_term(move(all.left, at, p_.left_step), line, added);
      }
      if (p_.ahead.first != nullptr) fetch_ahead(b_.CreateAdd(b_.CreateMul(all.number, p_.count), k), count);
      return added;
    };
    const auto step = [&](std::int64_t count) {
      return
          [&terms_from, count](llvm::Value* k, const Sums& before) { return terms_from(k, count, before); };
    };
    if (overlaps(sums.size())) return loop(e_.i64(0), p_.count, 1, sums, step(1));
    const auto bytes = static_cast<std::int64_t>(sums.size() * lanes_.width * dlvm::info(p_.type).bytes);
    const std::int64_t size = lanes_.features.fma ? bytes : bytes * instructions_without_fma;
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(p_.count);
        known && known->getSExtValue() * size <= max_without_loop)
      return terms_from(e_.i64(0), known->getSExtValue(), sums);
    std::int64_t terms = 1;
    while (2 * terms <= max_terms && 2 * terms * size <= max_in_loop) terms *= 2;
    if (terms == 1) return loop(e_.i64(0), p_.count, 1, sums, step(1));
    llvm::Value* whole = b_.CreateAnd(p_.count, e_.i64(-terms));
    return loop(whole, p_.count, 1, loop(e_.i64(0), whole, terms, sums, step(terms)), step(1));
  }

  /// Fetches the lines of the memory ahead that belong to `count` terms from number `k` on: all terms have as
  /// many.
  void fetch_ahead(llvm::Value* k, std::int64_t count) {
    const Product::Ahead& a = p_.ahead;
    llvm::Value* line = b_.CreateUDiv(b_.CreateMul(k, e_.i64(a.lines)), e_.i64(a.terms));
    for (std::int64_t i = 0; i * a.terms < count * a.lines; ++i) {
      llvm::Value* here = b_.CreateAdd(line, e_.i64(i));
      llvm::Value* row = b_.CreateMul(b_.CreateUDiv(here, e_.i64(a.row_lines)), a.stride);
      llvm::Value* inside = b_.CreateMul(b_.CreateURem(here, e_.i64(a.row_lines)), e_.i64(line_bytes));
      e_.fetch(b_.CreateGEP(b_.getInt8Ty(), a.first, b_.CreateAdd(row, inside)), emit::Fetch::to_read);
    }
  }

  /// Returns whether terms read elements of the left operand that those before have read for other rows:
  /// where they are in the body of one loop, LLVM keeps such elements in registers, which then do not suffice
  /// for the sums.
  bool overlaps(std::size_t sums) const {
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(p_.left_step);
    const auto* row = llvm::dyn_cast<llvm::ConstantInt>(p_.left_stride);
    if (p_.by_lane || step == nullptr || row == nullptr || step->isZero() || row->isZero()) return false;
    const std::int64_t rows = static_cast<std::int64_t>(sums) / p_.across, by = step->getSExtValue(),
                       to = row->getSExtValue();
    // The fewest terms after which the elements are those of other rows.
    const std::int64_t terms = std::abs(to) / std::gcd(by, to);
    const auto* count = llvm::dyn_cast<llvm::ConstantInt>(p_.count);
    const std::int64_t together = std::min(count != nullptr ? count->getSExtValue() : max_terms, max_terms);
    return terms < together && std::abs(terms * by / to) < rows;
  }

  /// Returns the values that the loop from `first` to before `end` carries, after its last iteration.
  template <typename Body>
  Sums loop(llvm::Value* first, llvm::Value* end, std::int64_t by, const Sums& start, const Body& body) {
    llvm::BasicBlock *before = b_.GetInsertBlock(), *head = e_.block("product"), *step = e_.block("step"),
                     *done = e_.block("done");
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    llvm::PHINode* k = b_.CreatePHI(b_.getInt64Ty(), 2);
    k->addIncoming(first, before);
    std::vector<llvm::PHINode*> carried;
    for (llvm::Value* sum : start) {
      carried.push_back(b_.CreatePHI(vector(), 2));
      carried.back()->addIncoming(sum, before);
    }
    b_.CreateCondBr(b_.CreateICmpSLT(k, end), step, done);
    b_.SetInsertPoint(step);
    const Sums sums(carried.begin(), carried.end()), next = body(k, sums);
    for (std::size_t i = 0; i < next.size(); ++i) carried[i]->addIncoming(next[i], b_.GetInsertBlock());
    k->addIncoming(b_.CreateAdd(k, e_.i64(by), "", true, true), b_.GetInsertBlock());
    emit::forbid_unrolling(*b_.CreateBr(head));  // it has as many terms as registers are for
    b_.SetInsertPoint(done);
    return sums;
  }

  llvm::Value* load(llvm::Value* place, std::size_t j) {
    if (!masked_) return b_.CreateAlignedLoad(vector(), place, align());
    return b_.CreateMaskedLoad(vector(), place, align(), p_.masks[j], llvm::Constant::getNullValue(vector()));
  }

  Sums load_line(llvm::Value* right) {
    Sums line;
    for (std::int64_t j = 0; j < p_.across; ++j)
      line.push_back(
          load(j == 0 ? right : move(right, e_.i64(j), p_.right_column), static_cast<std::size_t>(j)));
    return line;
  }

  Sums add_term(llvm::Value* left, const Sums& line, const Sums& before) {
    Sums sums;
    for (std::int64_t i = 0; before.size() > sums.size(); ++i) {
      llvm::Value* place = move(left, e_.i64(i), p_.left_stride);
      llvm::Value* factor =
          p_.by_lane ? load(place, 0) : lanes_.splat(b_.CreateAlignedLoad(element(), place, align()));
      for (llvm::Value* one : line)
        sums.push_back(
            math::fma(lanes_.number(factor), lanes_.number(one), lanes_.number(before[sums.size()])).value);
    }
    return sums;
  }

  Emitter& e_;
  llvm::IRBuilder<>& b_;
  const Product& p_;
  bool masked_;
  math::SimdBuilder lanes_;
};

/// Loads a register tile of `rows` rows, carries it through the loops over k, and stores it. Sums in memory
/// that are added at the end are fetched meanwhile.
void multiply_rows(Emitter& e, const Product& p, llvm::Value* first, unsigned rows, bool masked) {
  llvm::IRBuilder<>& b = e.builder();
  RegisterTile tile(e, p, masked);
  std::vector<llvm::Value*> start, places;
  for (unsigned i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < p.across; ++j) {
      llvm::Value* offset = b.CreateAdd(b.CreateMul(b.CreateAdd(first, e.i64(i)), p.to_stride),
                                        b.CreateMul(e.i64(j), p.to_column));
      places.push_back(b.CreateInBoundsGEP(p.to_element, p.to, offset));
      start.push_back(llvm::Constant::getNullValue(tile.vector()));
      if (!p.apart) start.back() = b.CreateAlignedLoad(tile.vector(), places.back(), tile.align());
    }
  if (p.apart)
    for (llvm::Value* place : places) e.fetch(place, emit::Fetch::to_write);
  auto sums = tile.add(0, {tile.move(p.left, first, p.left_stride), p.right, e.i64(0)}, start);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (p.apart) sums[i] = tile.plus(b.CreateAlignedLoad(tile.vector(), places[i], tile.align()), sums[i]);
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
