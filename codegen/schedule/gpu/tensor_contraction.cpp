#include "codegen/schedule/gpu/tensor_contraction.h"

#include <algorithm>
#include <array>
#include <bit>

#include "codegen/schedule/gpu/chip.h"
#include "codegen/schedule/gpu/product_nest.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/thread_contraction.h"
#include "codegen/schedule/ir/distribution.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::ScalarId;
using kernel::Stage;

constexpr std::int64_t panel_bytes = 64;  ///< of a panel along k
constexpr std::int64_t lanes_down = 8, lanes_across = 4, halves = 2, pair = 2;

/// A block's tile, and the warps that share it. At most 64 sums a thread: with the fragments that is what the
/// registers of 256 threads hold.
struct Sizes {
  std::int64_t rows, columns, down, across;
  std::int64_t threads() const { return down * across * 32; }
  std::int64_t warp_rows() const { return rows / down; }
  std::int64_t warp_columns() const { return columns / across; }
};

/// The first tile that is as large as a constant extent of the result, else the last; of few rows a narrow
/// one, so that there are more of them.
Sizes sizes(const Extent& m, const Extent& n, std::int64_t element_bytes, bool few) {
  constexpr std::array few_rows{Sizes{32, 128, 1, 8}, Sizes{64, 128, 2, 4}};
  constexpr std::array few_columns{Sizes{128, 16, 8, 1}, Sizes{128, 32, 4, 2}, Sizes{128, 64, 4, 2}};
  const std::int64_t rows = m.constant().value_or(128), columns = n.constant().value_or(128);
  if (few) {
    const std::int64_t across = columns <= 16 ? 1 : columns <= 32 ? 2 : 4;
    return {few_rows_of_tensor_cores, 16 * across, 1, across};
  }
  for (const Sizes& one : few_rows)
    if (rows <= one.rows && columns >= 128) return one;
  for (const Sizes& one : few_columns)
    if (columns <= one.columns) return one;
  // Twice as many fragments stand for a float32 number.
  return element_bytes == 2 ? Sizes{128, 128, 2, 4} : Sizes{128, 64, 4, 2};
}

std::uint8_t log2(std::int64_t n) {
  return static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(n)) - 1);
}

/// Rows of `length` elements, so that no two of 8 rows of 16 bytes at the same place lie in the same banks.
Swizzle swizzle_of_rows(std::int64_t length, std::int64_t bytes) {
  const std::int64_t chunk = 16 / bytes, line = 128 / bytes;
  return {log2(std::min(length, line) / chunk), log2(chunk),
          static_cast<std::uint8_t>(log2(std::max(length, line)) - log2(chunk))};
}
/// Of words, of which a warp reads 8 of a row and of the three rows after it.
Swizzle swizzle_of_words(std::int64_t length) {
  return {log2(std::min<std::int64_t>(length, 32) / 8), 3,
          static_cast<std::uint8_t>(log2(std::max<std::int64_t>(length, 32)) - 3)};
}

/// What is multiplied: the scalar itself, or the 16-bit one that it is converted from without loss.
ScalarId source_of(const Stage& stage, ScalarId operand) {
  const auto* made = std::get_if<Scalar::Operation>(&stage.body[operand].definition);
  if (made == nullptr || made->opcode != dlvm::Opcode::dataTypeCast) return operand;
  const ElementType type = stage.body[made->operands[0]].type;
  return type == ElementType::f16 || type == ElementType::bf16 ? made->operands[0] : operand;
}
struct Operands {
  ScalarId left, right;
  ElementType type;
};
/// Of one type.
Operands operands_of(const Stage& stage) {
  const kernel::Contraction& c = *stage.contraction;
  const ScalarId left = source_of(stage, c.left), right = source_of(stage, c.right);
  if (stage.body[left].type == stage.body[right].type) return {left, right, stage.body[left].type};
  return {c.left, c.right, stage.body[c.left].type};
}

class TensorContraction : ProductNest {
 public:
  TensorContraction(Lowering& lowering, const Stage& stage, const SplitProduct* split)
      : ProductNest(lowering, stage, split),
        operands_(operands_of(stage)),
        sizes_(sizes(m_.extent, n_.extent, bytes(), has_few_rows(few_rows_of_tensor_cores))) {}

  Body lower() {
    return in_blocks(sizes_.rows, sizes_.columns,
                     [&](const Index& row, const Index& column) { return tile(row, column); });
  }

 private:
  Body tile(const Index& row, const Index& column) {
    Staging staging = this->staging(sizes_.threads());
    Body body;
    const Panel left = add_panel("left", sizes_.rows, staging.is_along_k(operands_.left), body);
    const Panel right = add_panel("right", sizes_.columns, staging.is_along_k(operands_.right), body);
    const BufferId sums = add_sums(body);
    Loop k = open_k(depth());
    make_pipeline(k, left, right, lowering_.chip->shared_memory / 2);  // two blocks side by side
    Body step = fill(k, staging, {operands_.left, m_, row, left}, {operands_.right, n_, column, right});
    const bool splits = operands_.type == ElementType::f32 && !lowering_.tf32;
    append(step, multiply(whole(sums), whole(left), whole(right),
                          splits ? Arithmetic::tensor_split : Arithmetic::tensor));
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column, sums));
    return body;
  }

  std::int64_t bytes() const { return dlvm::info(operands_.type).bytes; }
  std::int64_t depth() const { return panel_bytes / bytes(); }

  /// Contiguous along the axis that the operand is in memory.
  Panel add_panel(const char* name, std::int64_t size, bool k_minor, Body& body) {
    const Shape shape = k_minor ? Shape{size, depth()} : Shape{depth(), size};
    Layout layout = dense_layout(shape);
    layout.swizzle =
        k_minor || bytes() == 2 ? swizzle_of_rows(k_minor ? depth() : size, bytes()) : swizzle_of_words(size);
    const BufferId id = allocate(
        {stage_.name + "." + name, operands_.type, shape, Space::shared, layout, false, std::nullopt}, body);
    return {id, depth(), size, k_minor};
  }
  BufferId add_sums(Body& body) {
    const Shape shape{sizes_.rows, sizes_.columns};
    const BufferId sums =
        allocate({stage_.name + ".sums", ElementType::f32, shape, Space::registers, dense_layout(shape),
                  false, sums_of_tensor_cores(sizes_.rows, sizes_.columns, sizes_.down, sizes_.across)},
                 body);
    body.push_back({Fill{whole(sums), stage_.reduction->identity[0]}});
    return sums;
  }

  /// Each thread its own sums; those of two neighbouring columns together.
  Body epilogue(const Index& first_row, const Index& first_column, BufferId sums) {
    Loop warp_row = open("warp_row", LoopKind::thread, sizes_.down);
    Loop warp_column = open("warp_column", LoopKind::thread, sizes_.across);
    Loop lane_row = open("lane_row", LoopKind::thread, lanes_down);
    Loop lane_column = open("lane_column", LoopKind::thread, lanes_across);
    Loop i = open("row", LoopKind::unrolled, sizes_.warp_rows() / instruction_rows);
    Loop half = open("half", LoopKind::unrolled, halves);
    Loop j = open("column", LoopKind::unrolled, sizes_.warp_columns() / instruction_columns);
    Loop one = open("one", LoopKind::unrolled, pair);
    const Index row = variable(warp_row.id) * sizes_.warp_rows() + variable(i.id) * instruction_rows +
                      variable(half.id) * (instruction_rows / halves) + variable(lane_row.id);
    const Index first = variable(warp_column.id) * sizes_.warp_columns() +
                        variable(j.id) * instruction_columns + variable(lane_column.id) * pair;
    const Index column = first + variable(one.id);
    half.bounds.push_back({first_row + row, m_.extent});
    const auto n = n_.extent.constant();
    if (n && *n % pair == 0)
      j.bounds.push_back({first_column + first, n_.extent});
    else
      one.bounds.push_back({first_column + column, n_.extent});
    Body body = finished(first_row + row, first_column + column, {sums, {row, column}});
    for (Loop* loop : {&one, &j, &half, &i, &lane_column, &lane_row, &warp_column, &warp_row})
      body = around(std::move(*loop), std::move(body));
    return body;
  }

  Operands operands_;
  Sizes sizes_;
};

}  // namespace

bool is_for_tensor_cores(const Lowering& lowering, const Stage& stage) {
  if (!lowering.chip->tensor_cores || !is_tiled_for_threads(stage) || is_small_product(stage)) return false;
  return stage.reduction->types[0] == ElementType::f32;
}

Body lower_contraction_to_tensor_cores(Lowering& lowering, const Stage& stage, const SplitProduct* split) {
  return TensorContraction(lowering, stage, split).lower();
}

}  // namespace codegen::schedule::gpu
