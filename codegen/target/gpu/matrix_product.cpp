// Products of tiles by matrix instructions.
//
// A warp multiplies 16 x k by k x 8 elements at a time, k being those of 32 bytes. Its operands are
// fragments: matrices of 8 rows of 16 bytes, of which lane l holds the word l mod 4 of row l / 4.
// `load_matrix` brings them from shared memory where rows lie along k; of 16-bit elements also where they lie
// across.
#include "codegen/target/gpu/matrix_product.h"

#include "codegen/intrinsics/operations.h"
#include "codegen/schedule/ir/linear_layout.h"
#include "dlvm/support/internal_error.h"

namespace codegen::target::gpu {

using dlvm::ElementType;
using intrinsics::Operation;
using schedule::Arithmetic;

namespace {

// The device operations multiply_* are of this shape.
static_assert(schedule::matrix_instruction.rows == 16 && schedule::matrix_instruction.columns == 8 &&
              schedule::matrix_instruction.depth_bytes == 32);

using Words = std::vector<llvm::Value*>;  ///< i32, those of a fragment

Operation product_of(ElementType operand) {
  if (operand == ElementType::f16) return Operation::multiply_f16;
  return operand == ElementType::bf16 ? Operation::multiply_bf16 : Operation::multiply_tf32;
}

/// An operand's panel in shared memory. Strides and the swizzle are in elements.
struct Panel {
  llvm::Value* start;  ///< of the tile
  std::int64_t bytes;  ///< of an element
  std::int64_t k_stride, stride;
  std::optional<schedule::Swizzle> swizzle;

  std::int64_t run() const { return 16 / bytes; }
  std::int64_t offset(std::int64_t k, std::int64_t other) const { return k * k_stride + other * stride; }
};

/// Loads the fragments of one operand, which all lie at constant distances from this warp's first.
class Fragments {
 public:
  /// `other` is the warp's first row or column; a fragment has its matrices along k first for columns, along
  /// the rows first for rows.
  Fragments(llvm::IRBuilder<>& builder, Panel panel, llvm::Value* other, llvm::Value* lane, bool are_rows)
      : b_(builder), panel_(panel), are_rows_(are_rows), by_matrix_(loads_matrices()) {
    llvm::Value *row = bits(lane, by_matrix_ ? 0 : 2, 3), *k = by_matrix_ ? b_.getInt32(0) : bits(lane, 0, 2);
    if (by_matrix_) {
      llvm::Value *first = bits(lane, 3, 1), *second = bits(lane, 4, 1);
      llvm::Value* along_k = panel_.k_stride == 1 ? b_.getInt32(0) : row;
      if (panel_.k_stride != 1) row = b_.getInt32(0);
      row = b_.CreateAdd(row, b_.CreateShl(are_rows_ ? first : second, 3));
      k = b_.CreateAdd(along_k, scaled(are_rows_ ? second : first, panel_.run()));
    }
    llvm::Value* at =
        b_.CreateAdd(scaled(k, panel_.k_stride), scaled(b_.CreateAdd(row, other), panel_.stride));
    if (const auto& swizzle = panel_.swizzle) {
      llvm::Value* moved = b_.CreateAnd(b_.CreateLShr(at, swizzle->shift), moved_bits());
      at = b_.CreateXor(at, moved);
    }
    first_ = at;
  }

  /// For rows, loads the matrices (other, k), (other + 8, k), (other, k + run), (other + 8, k + run); for
  /// columns, (other, k), (other, k + run) and, for a `pair`, the same at other + 8.
  Words load(std::int64_t other, std::int64_t k, bool pair) {
    const std::size_t count = are_rows_ || pair ? 4 : 2;
    if (by_matrix_) return load_matrices(other, k, count);
    Words words;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t first = i % 2, second = static_cast<std::int64_t>(i / 2);
      llvm::Value* from =
          address(other + 8 * (are_rows_ ? first : second), k + panel_.run() * (are_rows_ ? second : first));
      words.push_back(b_.CreateAlignedLoad(b_.getInt32Ty(), from, llvm::Align(4)));
    }
    return words;
  }

 private:
  bool loads_matrices() const { return panel_.k_stride == 1 || panel_.bytes == 2; }

  Words load_matrices(std::int64_t other, std::int64_t k, std::size_t count) {
    const bool across = panel_.k_stride != 1;
    const Operation two = across ? Operation::load_matrix_transposed_2 : Operation::load_matrix_2,
                    four = across ? Operation::load_matrix_transposed_4 : Operation::load_matrix_4;
    llvm::Value* loaded = intrinsics::call(b_, count == 2 ? two : four, {address(other, k)});
    Words words;
    for (unsigned i = 0; i < count; ++i) words.push_back(b_.CreateExtractValue(loaded, i));
    return words;
  }

  /// Swizzling a sum of offsets without common bits swizzles each of them. So the constant offset is swizzled
  /// here, and merely added where it has no bits in common with those that move.
  llvm::Value* address(std::int64_t other, std::int64_t k) {
    std::int64_t apart = panel_.offset(k, other), low = 0;
    if (const auto& swizzle = panel_.swizzle) {
      apart ^= (apart >> swizzle->shift) & moved_bits();
      low = apart & ((std::int64_t{1} << (swizzle->base + swizzle->shift + swizzle->bits)) - 1);
    }
    llvm::Value* at = low == 0 ? first_ : b_.CreateXor(first_, b_.getInt32(static_cast<std::uint32_t>(low)));
    llvm::Value* bytes = scaled(at, panel_.bytes);
    llvm::Value* place =
        b_.CreateInBoundsGEP(b_.getInt8Ty(), panel_.start, b_.CreateZExt(bytes, b_.getInt64Ty(), "", true));
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), place,
                                         static_cast<std::uint64_t>((apart - low) * panel_.bytes));
  }

  std::uint32_t moved_bits() const {
    return ((std::uint32_t{1} << panel_.swizzle->bits) - 1) << panel_.swizzle->base;
  }
  llvm::Value* bits(llvm::Value* value, unsigned first, unsigned count) {
    return b_.CreateAnd(b_.CreateLShr(value, first), (1u << count) - 1);
  }
  llvm::Value* scaled(llvm::Value* value, std::int64_t by) {
    return b_.CreateMul(value, b_.getInt32(static_cast<std::uint32_t>(by)), "", true, true);
  }

  llvm::IRBuilder<>& b_;
  Panel panel_;
  bool are_rows_;
  bool by_matrix_;
  llvm::Value* first_ = nullptr;  ///< offset of what the lane loads of the first fragment, swizzled
};

/// Emits a product of two panels with its sums in registers.
class TensorProduct {
 public:
  TensorProduct(llvm::IRBuilder<>& builder, const schedule::InvertibleLayout& layout, ElementType operand)
      : b_(builder), layout_(layout), operand_(operand) {
    for (std::int64_t i = 0; i < layout.registers(); i += 4) {
      const auto at = layout.coordinates({i, 0});
      tiles_.push_back({at[0], at[1]});
      rows_[at[0]];
      columns_[at[1]];
    }
  }

  /// Adds the products over `depth` elements of k to the sums.
  void add(Fragments& left, Fragments& right, std::int64_t depth, Words& sums) {
    for (std::int64_t k = 0; k < depth; k += step()) {
      load(left, right, k);
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        multiply(rows_[tiles_[i].row], columns_[tiles_[i].column], sums, 4 * i);
    }
  }

  /// Adds the products of f32 operands that are rounded to tf32.
  void add_rounded(Fragments& left, Fragments& right, std::int64_t depth, Words& sums) {
    for (std::int64_t k = 0; k < depth; k += step()) {
      load(left, right, k);
      for (auto* all : {&rows_, &columns_})
        for (auto& [place, words] : *all)
          for (llvm::Value*& word : words) word = rounded_number(word);
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        multiply(rows_[tiles_[i].row], columns_[tiles_[i].column], sums, 4 * i);
    }
  }

  /// Adds the products of f32 operands in three terms. Where a sum is not a number, the warp computes all of
  /// its sums again, guarded; finite sums have the same bits either way.
  void add_split(Fragments& left, Fragments& right, std::int64_t depth, Words& sums) {
    Words fast = sums_of_split(left, right, depth, false);
    llvm::Value* wrong = b_.getFalse();
    for (std::size_t i = 0; i < fast.size(); i += 2)
      wrong = b_.CreateOr(wrong, b_.CreateFCmpUNO(fast[i], fast[i + 1]));
    wrong = intrinsics::call(b_, Operation::any, {wrong});
    llvm::Function* function = b_.GetInsertBlock()->getParent();
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(b_.getContext(), name, function);
    };
    llvm::BasicBlock *before = b_.GetInsertBlock(), *again = block("again"), *done = block("done");
    b_.CreateCondBr(wrong, again, done);
    b_.SetInsertPoint(again);
    const Words guarded = sums_of_split(left, right, depth, true);
    again = b_.GetInsertBlock();
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      llvm::PHINode* sum = b_.CreatePHI(b_.getFloatTy(), 2);
      sum->addIncoming(fast[i], before);
      sum->addIncoming(guarded[i], again);
      fast[i] = sum;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = b_.CreateFAdd(sums[i], fast[i]);
  }

 private:
  /// Returns the sums over `depth` in three terms: a = A + a', where A is the upper 11 bits of the mantissa
  /// and a' the rest, rounded; a b = a' B + A b' + A B, with the small terms first. The source is H. Ootomo
  /// and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
  /// theoretical peak performance", 2022. As there, sums of few terms are added up outside of the matrix
  /// instructions, which do not round to nearest. An infinite A makes A b' not a number where b' is 0; where
  /// `guarded`, it counts in A B alone.
  Words sums_of_split(Fragments& left, Fragments& right, std::int64_t depth, bool guarded) {
    Words sums(static_cast<std::size_t>(layout_.registers()), llvm::ConstantFP::get(b_.getFloatTy(), 0.0));
    for (std::int64_t k = 0; k < depth; k += step()) {
      load(left, right, k);
      std::map<std::int64_t, Words> low_rows, low_columns, high_rows, high_columns;
      split(rows_, high_rows, low_rows, guarded);
      split(columns_, high_columns, low_columns, guarded);
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        multiply(low_rows[tiles_[i].row], high_columns[tiles_[i].column], sums, 4 * i);
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        multiply(high_rows[tiles_[i].row], low_columns[tiles_[i].column], sums, 4 * i);
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        multiply(rows_[tiles_[i].row], columns_[tiles_[i].column], sums, 4 * i);
    }
    return sums;
  }

  struct InstructionTile {
    std::int64_t row, column;
  };
  std::int64_t step() const { return schedule::matrix_instruction.depth_bytes / dlvm::info(operand_).bytes; }

  /// Loads the fragments at k of all rows and columns of the warp.
  void load(Fragments& left, Fragments& right, std::int64_t k) {
    for (auto& [row, words] : rows_) words = left.load(row, k, false);
    for (auto column = columns_.begin(); column != columns_.end(); ++column) {
      const auto next = std::next(column);
      const bool pair = next != columns_.end() && next->first == column->first + 8;
      const Words words = right.load(column->first, k, pair);
      column->second = {words[0], words[1]};
      if (pair) (column = next)->second = {words[2], words[3]};
    }
  }

  void multiply(const Words& left, const Words& right, Words& sums, std::size_t first) {
    std::vector<llvm::Value*> operands(left);
    operands.insert(operands.end(), right.begin(), right.end());
    for (std::size_t i = 0; i < 4; ++i) operands.push_back(sums[first + i]);
    llvm::Value* result = intrinsics::call(b_, product_of(operand_), operands);
    for (unsigned i = 0; i < 4; ++i) sums[first + i] = b_.CreateExtractValue(result, i);
  }

  // Bits of f32: 13 below those of tf32.
  llvm::Value* upper(llvm::Value* word) { return b_.CreateAnd(word, 0xffffe000); }
  llvm::Value* number(llvm::Value* word) { return b_.CreateBitCast(word, b_.getFloatTy()); }
  /// Rounds a finite number to the nearest, ties away from zero.
  llvm::Value* rounded(llvm::Value* word) { return upper(b_.CreateAdd(word, b_.getInt32(0x1000))); }
  llvm::Value* rounded_number(llvm::Value* word) {
    llvm::Value* x = number(word);
    return b_.CreateSelect(b_.CreateFCmpUNO(x, x), b_.CreateOr(word, 0x00400000), rounded(word));
  }

  /// Writes the factors of the small terms to `high` and `low`, and keeps the upper bits in `all`.
  void split(std::map<std::int64_t, Words>& all, std::map<std::int64_t, Words>& high,
             std::map<std::int64_t, Words>& low, bool guarded) {
    for (auto& [place, words] : all)
      for (llvm::Value*& word : words) {
        llvm::Value* finite = word;
        if (guarded) {
          llvm::Value* exponent = b_.CreateAnd(word, 0x7f800000);
          finite = b_.CreateSelect(b_.CreateICmpEQ(exponent, b_.getInt32(0x7f800000)), b_.getInt32(0), word);
        }
        llvm::Value* big = upper(finite);
        llvm::Value* rest = b_.CreateFSub(number(finite), number(big));
        high[place].push_back(big);
        low[place].push_back(rounded(b_.CreateBitCast(rest, b_.getInt32Ty())));
        word = guarded ? upper(word) : big;
      }
  }

  llvm::IRBuilder<>& b_;
  const schedule::InvertibleLayout& layout_;
  ElementType operand_;
  std::vector<InstructionTile> tiles_;            ///< of the instructions, four registers each
  std::map<std::int64_t, Words> rows_, columns_;  ///< fragments at the k at hand, by where they begin
};

}  // namespace

void emit_matrix_product(emit::Emitter& e, const schedule::MultiplyAccumulate& multiply, unsigned warp) {
  llvm::IRBuilder<>& b = e.builder();
  const schedule::Buffer& to = e.buffer(multiply.to.buffer);
  const auto layout = schedule::InvertibleLayout::of(to);
  if (!layout) dlvm::internal_error("a tile that is not distributed as it says");
  llvm::Value* thread = intrinsics::call(b, Operation::thread, {});
  llvm::Value *lane = b.CreateAnd(thread, warp - 1), *first[2] = {b.getInt32(0), b.getInt32(0)};
  for (std::int64_t bit = warp; bit < layout->threads(); bit *= 2) {
    const auto vector = layout->coordinates({0, bit});
    llvm::Value* has = b.CreateICmpNE(b.CreateAnd(thread, static_cast<std::uint64_t>(bit)), b.getInt32(0));
    for (std::size_t axis = 0; axis < 2; ++axis) {
      llvm::Value* part = b.getInt32(static_cast<std::uint32_t>(vector[axis]));
      if (vector[axis] != 0) first[axis] = b.CreateAdd(first[axis], b.CreateSelect(has, part, b.getInt32(0)));
    }
  }
  const auto fragments = [&](const schedule::Tile& tile, bool are_rows) {
    const schedule::Buffer& from = e.buffer(tile.buffer);
    const auto& strides = tile.strides.empty() ? from.layout.strides : tile.strides;
    const Panel panel{e.start_of(tile), static_cast<std::int64_t>(dlvm::info(from.element).bytes),
                      strides[strides.size() - 2].constant().value_or(0),
                      strides.back().constant().value_or(0), from.layout.swizzle};
    return Fragments(b, panel, first[are_rows ? 0 : 1], lane, are_rows);
  };
  Fragments left = fragments(multiply.left, true), right = fragments(multiply.right, false);
  const ElementType operand = e.buffer(multiply.left.buffer).element;
  TensorProduct product(b, *layout, operand);
  const std::int64_t depth = multiply.left.sizes[multiply.left.sizes.size() - 2].constant().value_or(0);
  llvm::Value* registers = e.memory(multiply.to.buffer).pointer;
  const auto place = [&](std::size_t i) {
    return b.CreateConstInBoundsGEP1_64(b.getFloatTy(), registers, i);
  };
  Words sums;
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout->registers()); ++i)
    sums.push_back(b.CreateAlignedLoad(b.getFloatTy(), place(i), llvm::Align(4)));
  if (multiply.arithmetic == Arithmetic::tensor_split)
    product.add_split(left, right, depth, sums);
  else if (operand == ElementType::f32)
    product.add_rounded(left, right, depth, sums);
  else
    product.add(left, right, depth, sums);
  for (std::size_t i = 0; i < sums.size(); ++i) b.CreateAlignedStore(sums[i], place(i), llvm::Align(4));
}

}  // namespace codegen::target::gpu
