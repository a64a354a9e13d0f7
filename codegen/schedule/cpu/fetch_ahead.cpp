#include "codegen/schedule/cpu/fetch_ahead.h"

namespace codegen::schedule::cpu {
namespace {

/// The rows of a product, at most, that fetch the next block of the right operand.
constexpr std::int64_t most_rows = 512;

std::optional<std::int64_t> depth_of(const ProductNest& nest) {
  return nest.plan.k_block ? nest.plan.k_block : nest.axes.k.extent.constant();
}

/// Returns the numbers of the first term and of the first column of the block that is packed next: the next
/// terms, or the first ones of the next columns.
std::pair<Index, Index> next_of(const ProductNest& nest, const FetchingTile& tile, std::int64_t depth) {
  const Extent columns = nest.plan.column_block;
  if (!nest.plan.k_block) return {constant_index(0), tile.block + constant_index(columns)};
  const Extent all = Extent::floor_divide(nest.axes.k.extent + (depth - 1), depth) * depth;
  const Index after = tile.first_k + constant_index(depth);
  const Index rounds = kernel::quotient_index({Index::Quotient::Kind::floor, after, all});
  return {after + rounds * (Extent(0) - all), tile.block + rounds * columns};
}

}  // namespace

std::optional<Tile> next_panel(const ProductNest& nest, BufferId panels, const Index& number,
                               const FetchingTile& tile) {
  const auto depth = depth_of(nest);
  const std::int64_t tiles = nest.plan.row_block / nest.plan.rows;
  if (!depth || *depth % tiles != 0) return {};
  const std::int64_t terms = *depth / tiles;
  const Index first = tile.first_k + tile.inside * Extent(terms);
  return Tile{
      panels, {number + constant_index(1), first, constant_index(0)}, {1, terms, nest.plan.columns}, {}};
}

std::optional<Tile> next_block(const ProductNest& nest, const FetchingTile& tile) {
  const Access* right = plain_access(nest.stage, nest.stage.contraction->right);
  const auto depth = depth_of(nest);
  if (right == nullptr || !depth) return {};
  if (nest.axes.m.extent.constant().value_or(most_rows + 1) > most_rows) return {};
  const bool is_only_block = !nest.plan.k_block && nest.axes.n.extent.constant().value_or(
                                                       nest.plan.column_block + 1) <= nest.plan.column_block;
  if (is_only_block) return {};
  const Buffers buffers = nest.lowering.schedule.buffers;
  const auto along = step_along(buffers, *right, nest.axes.k),
             across = step_along(buffers, *right, nest.axes.n);
  if (!along || !across || (!along->is(1) && !across->is(1))) return {};
  const std::int64_t down = nest.plan.row_block / nest.plan.rows;
  const std::int64_t tiles = down * nest.plan.column_block / nest.plan.columns;
  const bool is_row = across->is(1);
  const std::int64_t lines = is_row ? *depth : nest.plan.column_block;
  if (lines < tiles) return {};  // the tiles would fetch what is behind the block
  const std::int64_t part = (lines + tiles - 1) / tiles;
  auto [k, n] = next_of(nest, tile, *depth);
  Index& first = is_row ? k : n;
  first = first + (tile.j * Extent(down) + tile.inside) * Extent(part);
  Renaming renaming = nest.builder.outer;
  nest.axes.k.bind(k, renaming);
  nest.axes.n.bind(n, renaming);
  return Tile{right->buffer,
              rename(*right, renaming).indices,
              {part, is_row ? nest.plan.column_block : *depth},
              {is_row ? *along : *across, 1}};
}

}  // namespace codegen::schedule::cpu
