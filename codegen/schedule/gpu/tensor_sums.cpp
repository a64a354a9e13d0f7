#include "codegen/schedule/gpu/tensor_sums.h"

#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/ir/linear_layout.h"

namespace codegen::schedule::gpu {
namespace {

/// How the instruction holds its sums: lanes down and across, each with `pair` neighbours of a row in either
/// half.
constexpr std::int64_t lanes_down = 8, lanes_across = 4, halves = 2, pair = 2;
static_assert(lanes_down * lanes_across == warp_threads);
static_assert(halves * lanes_down == matrix_instruction.rows &&
              lanes_across * pair == matrix_instruction.columns);

/// The positions of the loops over a thread's own sums.
enum Own : std::uint8_t { instruction_row, half, instruction_column, one };

}  // namespace

Buffer sums_of(const SumTile& tile, std::string name) {
  const Shape shape{tile.rows, tile.columns};
  return {std::move(name),
          ElementType::f32,
          shape,
          Space::registers,
          dense_layout(shape),
          false,
          sums_of_tensor_cores(tile.rows, tile.columns, tile.down, tile.across)};
}

SumLoops visit_sums(Lowering& lowering, const SumTile& tile) {
  const std::int64_t rows = tile.rows / tile.down, columns = tile.columns / tile.across;
  const auto open = [&](const char* name, LoopKind kind, std::int64_t extent) {
    return new_loop(lowering, name, kind, extent);
  };
  SumLoops result;
  result.threads = {
      open("warp_row", LoopKind::thread, tile.down), open("warp_column", LoopKind::thread, tile.across),
      open("lane_row", LoopKind::thread, lanes_down), open("lane_column", LoopKind::thread, lanes_across)};
  result.own = {open("row", LoopKind::unrolled, rows / matrix_instruction.rows),
                open("half", LoopKind::unrolled, halves),
                open("column", LoopKind::unrolled, columns / matrix_instruction.columns),
                open("one", LoopKind::unrolled, pair)};
  const auto of_thread = [&](std::size_t i) { return variable(result.threads[i].id); };
  const auto of_own = [&](Own i) { return variable(result.own[i].id); };
  result.row = of_thread(0) * rows + of_own(instruction_row) * matrix_instruction.rows +
               of_own(half) * (matrix_instruction.rows / halves) + of_thread(2);
  result.column = of_thread(1) * columns + of_own(instruction_column) * matrix_instruction.columns +
                  of_thread(3) * pair + of_own(one);
  return result;
}

void SumLoops::within(const Index& first_row, const Extent& rows, const Index& first_column,
                      const Extent& columns) {
  own[half].bounds.push_back({first_row + row, rows});
  const auto constant = columns.constant();
  const bool are_pairs = constant && *constant % pair == 0;
  const Index first = column + variable(own[one].id) * Extent(-1);
  own[are_pairs ? instruction_column : one].bounds.push_back(
      {first_column + (are_pairs ? first : column), columns});
}

Body SumLoops::around(Body body) && {
  return nested(std::move(threads), nested(std::move(own), std::move(body)));
}

}  // namespace codegen::schedule::gpu
