#include "codegen/schedule/cpu/place_of_sums.h"

#include "codegen/schedule/common/masked_sum.h"

namespace codegen::schedule::cpu {
namespace {

/// Returns where the stage stores its sums, if it computes nothing from them.
const Access* stored_sums(const ProductNest& nest) {
  const kernel::Stage& stage = nest.stage;
  if (stage.epilogue.size() != 1 || stage.stores.size() != 1 || has_masked_terms(stage)) return nullptr;
  const kernel::Store& store = stage.stores[0];
  const bool is_sum = std::holds_alternative<Scalar::State>(stage.epilogue[0].definition);
  const bool is_plain = !store.combine && store.bounds.empty() && !has_loaded(store.access);
  return is_sum && is_plain ? &store.access : nullptr;
}

/// Returns where results are stored, if that can be the place of their sums.
const Access* find_result(const ProductNest& nest) {
  const Access* place = stored_sums(nest);
  if (place == nullptr) return nullptr;
  const Buffers buffers = nest.lowering.schedule.buffers;
  const Buffer& buffer = buffers[place->buffer];
  if (buffer.element != nest.builder.type || buffer.space == Space::registers) return nullptr;
  const auto columns = nest.axes.n.extent.constant();
  if (!columns || *columns % nest.plan.columns != 0) return nullptr;
  const auto across = step_along(buffers, *place, nest.axes.n);
  return across && across->is(1) && step_along(buffers, *place, nest.axes.m) ? place : nullptr;
}

}  // namespace

PlaceOfSums::PlaceOfSums(ProductNest& nest) : nest_(nest), result_(find_result(nest)) {}

Body PlaceOfSums::add_tile() {
  Body body;
  if (is_result()) return body;
  buffer_ = nest_.add_panel("tile", {nest_.plan.rows, nest_.plan.columns});
  body.push_back({Allocate{buffer_}});
  return body;
}

Body PlaceOfSums::add_totals(const Extent& down, const Extent& across, bool are_kept) {
  const Shape sums = is_result() ? Shape{1, 1} : Shape{down, across};
  are_kept_ = are_kept;
  buffer_ = nest_.add_panel("totals", {sums[0], sums[1], nest_.plan.rows, nest_.plan.columns},
                            are_kept ? Space::arena : Space::panel);
  Body body;
  body.push_back({Allocate{buffer_}});
  return body;
}

Tile PlaceOfSums::tile_at(const TilePosition& position, std::int64_t rows) const {
  const std::int64_t columns = nest_.plan.columns;
  if (is_result()) {
    Renaming renaming = nest_.builder.outer;
    nest_.axes.m.bind(position.row, renaming);
    nest_.axes.n.bind(position.column, renaming);
    return {result_->buffer,
            rename(*result_, renaming).indices,
            {rows, columns},
            {*step_along(nest_.lowering.schedule.buffers, *result_, nest_.axes.m), 1}};
  }
  Access first = sums_at(position);
  first.indices.insert(first.indices.end(), 2, constant_index(0));
  const Shape shape = nest_.plan.k_block ? Shape{1, 1, rows, columns} : Shape{rows, columns};
  return {first.buffer, std::move(first.indices), shape, {}};
}

Access PlaceOfSums::sums_at(const TilePosition& position) const {
  if (!nest_.plan.k_block) return {buffer_, {}};
  return {buffer_, total_at(position)};
}

Fill PlaceOfSums::begin_total(const TilePosition& position) const {
  std::vector<Index> first = total_at(position);
  first.insert(first.end(), 2, constant_index(0));
  return {{buffer_, std::move(first), {1, 1, nest_.plan.rows, nest_.plan.columns}, {}},
          nest_.stage.reduction->identity[0]};
}

/// Returns the first two indices of the tile's total. Where k has one block, each total is finished before
/// the next begins, and all have the same place, which stays in the nearest cache.
std::vector<Index> PlaceOfSums::total_at(const TilePosition& position) const {
  if (is_result()) return {constant_index(0), constant_index(0)};
  if (are_kept_) return {position.down, position.across};
  constexpr std::int64_t more_than_blocks = std::int64_t{1} << 40;
  const Extent blocks_before_last = Extent::floor_divide(nest_.axes.k.extent - 1, *nest_.plan.k_block);
  const Extent has_several =
      Extent::floor_divide(blocks_before_last + (more_than_blocks - 1), more_than_blocks);
  return {position.down * has_several, position.across * has_several};
}

}  // namespace codegen::schedule::cpu
