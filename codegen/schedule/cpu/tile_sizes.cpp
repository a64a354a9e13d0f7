// The rows and vectors of the tiles of products.
#include "codegen/schedule/cpu/tile_sizes.h"

#include <algorithm>
#include <limits>

namespace codegen::schedule::cpu {
namespace {

/// Registers of a product that hold no sums: a row of the right operand, two vectors, and one element of the
/// left one.
constexpr std::int64_t operand_registers = 3;

/// Returns the cost of a tile of that many rows for one term: fewer than four rows wait for the sums of the
/// term before, and a tile costs about half a row beside its rows.
std::int64_t tile_cost(std::int64_t rows) { return std::max<std::int64_t>(2 * rows, 8) + 1; }

}  // namespace

std::int64_t tile_rows(const CpuTarget& target) { return (target.vector_registers - operand_registers) / 2; }

std::int64_t even_rows(std::int64_t rows, std::int64_t most) {
  std::int64_t best = 1, lowest = std::numeric_limits<std::int64_t>::max();
  const auto rest_cost = [](std::int64_t rest) { return rest == 0 ? 0 : tile_cost(rest) + 1; };
  for (std::int64_t r = 1; r <= std::min(rows, most); ++r)
    if (const std::int64_t cost = rows / r * tile_cost(r) + rest_cost(rows % r); cost <= lowest)
      lowest = cost, best = r;
  return best;
}

std::int64_t transposed_columns(std::int64_t columns, std::int64_t rows, std::int64_t width) {
  const bool pays = rows <= width && columns <= width && 5 * std::max(columns, busy_sums) <= 4 * rows;
  return pays ? columns : 0;
}

std::int64_t even_vectors(std::int64_t vectors, std::int64_t most) {
  std::int64_t best = 1, lowest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t v = 1; v <= std::min(vectors, most); ++v)
    if (const std::int64_t cost = vectors / v * (2 * v + 1) + (vectors % v == 0 ? 0 : 2 * (vectors % v) + 1);
        cost <= lowest)
      lowest = cost, best = v;
  return best;
}

}  // namespace codegen::schedule::cpu
