#include "codegen/schedule/cpu/place_of_sums.h"

#include "codegen/schedule/common/masked_sum.h"

namespace codegen::schedule::cpu {
namespace {

/// Returns whether all terms are one block of k, or the rows are constant and the terms are not.
bool is_one_block(const ProductNest& nest) {
  if (!nest.plan.k_block) return true;
  return nest.axes.m.extent.constant() && !nest.axes.k.extent.constant();
}

/// Returns where the stage stores its sums, if it computes nothing from them.
const Access* stored_sums(const ProductNest& nest) {
  const kernel::Stage& stage = nest.stage;
  if (stage.epilogue.size() != 1 || stage.stores.size() != 1 || has_masked_terms(stage)) return nullptr;
  const kernel::Store& store = stage.stores[0];
  const bool is_sum = std::holds_alternative<Scalar::State>(stage.epilogue[0].definition);
  const bool is_plain = !store.combine && store.bounds.empty() && !has_loaded(store.access);
  return is_sum && is_plain ? &store.access : nullptr;
}

}  // namespace

const Access* find_place_of_sums(const ProductNest& nest) {
  const Access* place = stored_sums(nest);
  if (place == nullptr || !is_one_block(nest)) return nullptr;
  const Buffers buffers = nest.lowering.schedule.buffers;
  const Buffer& buffer = buffers[place->buffer];
  if (buffer.element != nest.builder.type || buffer.space == Space::registers) return nullptr;
  const auto columns = nest.axes.n.extent.constant();
  if (!columns || *columns % nest.plan.columns != 0) return nullptr;
  const auto across = step_along(buffers, *place, nest.axes.n);
  return across && across->is(1) && step_along(buffers, *place, nest.axes.m) ? place : nullptr;
}

}  // namespace codegen::schedule::cpu
