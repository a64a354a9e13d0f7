#include "codegen/schedule/cpu/choose.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/schedule/common/transposition.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Stage;

/// Scalars of a stage above which its body is not copied for each point of a block.
constexpr std::size_t max_blocked_scalars = 32;
/// Bytes of the elements that a line of the cache is counted in.
constexpr std::int64_t line_element_bytes = 4;

/// Blocks the axis of a transposition that is not the vector's.
void block_transposition(PointsPlan& plan, const Stage& stage, Buffers buffers, const CpuTarget& target) {
  if (!plan.vector_axis || stage.body.size() > max_blocked_scalars) return;
  const auto found = find_transposition(buffers, stage);
  if (!found) return;
  const kernel::Axis* vector = &stage.axes[*plan.vector_axis];
  if (vector != found->row && vector != found->column) return;
  const kernel::Axis* other = vector == found->row ? found->column : found->row;
  const std::int64_t block = target.line_bytes / line_element_bytes;
  for (const kernel::Axis* axis : {vector, other})
    if (const auto extent = axis->extent.constant(); extent && *extent < block && *extent % plan.width != 0)
      return;
  plan.blocked_axis = static_cast<std::size_t>(other - stage.axes.data());
  plan.block = block;
}

/// At most so many vectors of sums are in registers together, and so many scalars are copied for them.
constexpr std::int64_t max_columns = 8, max_column_scalars = 96;
/// A block of columns is at most so much of a row, a page of memory: its sums stay near a core.
constexpr std::int64_t max_block_bytes = 4096;
/// It pays to read reduced points as longer pieces of memory where there are at least so many.
constexpr std::int64_t min_reduced_rows = 16;

/// Returns whether many points are reduced for each result, all in loops whose order is free.
bool reduces_many(const Stage& stage) {
  Extent points = 1;
  for (const kernel::Axis& axis : stage.axes) {
    if (axis.kind == kernel::AxisKind::ordered) return false;
    if (axis.kind == kernel::AxisKind::reduced) points = points * axis.extent;
  }
  return points.constant().value_or(min_reduced_rows) >= min_reduced_rows;
}

/// Returns whether each load of the body is of one element, or of neighbours along the axis.
bool reads_neighbours(const Stage& stage, Buffers buffers, const kernel::Axis& axis) {
  return std::ranges::all_of(stage.body, [&](const Scalar& scalar) {
    const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    if (load == nullptr) return true;
    const auto step = stride(offset(load->access, buffers[load->access.buffer].layout), axis.id);
    return !has_loaded(load->access) && step && (step->is(0) || step->is(1));
  });
}

/// Returns whether all states are sums. Where others are in memory, LLVM stores what is chosen under a mask,
/// which the next row waits for.
bool adds_alone(const kernel::Reduction& reduction) {
  return std::ranges::all_of(reduction.named,
                             [](const auto& opcode) { return opcode == dlvm::Opcode::add; }) &&
         reduction.named.size() == reduction.types.size();
}

/// Reduces several vectors of results together where reduced points are rows of memory, which may be far
/// apart: one vector after the other would go through all rows for each.
void widen_columns(PointsPlan& plan, const Stage& stage, Buffers buffers, const CpuTarget& target) {
  if (!plan.vector_axis || plan.blocked_axis || !stage.reduction) return;
  const kernel::Axis& vector = stage.axes[*plan.vector_axis];
  const auto extent = vector.extent.constant();
  if (vector.kind != kernel::AxisKind::parallel || !extent || !reduces_many(stage) ||
      !reads_neighbours(stage, buffers, vector))
    return;
  const auto scalars = static_cast<std::int64_t>(stage.body.size() + stage.reduction->combine.size());
  std::int64_t most = std::min(max_columns, target.vector_bytes / 8);
  most = std::min(most, max_column_scalars / std::max<std::int64_t>(scalars, 1));
  const auto components = static_cast<std::int64_t>(stage.reduction->types.size());
  most = std::min(most, std::max<std::int64_t>(2 * max_columns / components, 1));
  most = std::min(most, (*extent + plan.width - 1) / plan.width);
  plan.columns = std::max<std::int64_t>(most, 1);
  const std::int64_t step = plan.columns * plan.width, bytes = target.vector_bytes / plan.width;
  if (plan.columns > 1 && *extent > step && *extent % step == 0 && adds_alone(*stage.reduction))
    plan.column_block = std::min(max_block_bytes / bytes, *extent + step - 1) / step * step;
}

/// The vectors of a step of a loop, at most.
constexpr std::int64_t max_copies = 4;
/// Chooses how many vectors are a step: those of a sum from the extent alone.
void choose_copies(PointsPlan& plan, const Stage& stage, const CpuTarget& target) {
  if (!plan.vector_axis || plan.columns > 1) return;
  const kernel::Axis& axis = stage.axes[*plan.vector_axis];
  const auto extent = axis.extent.constant();
  plan.interleaved = !plan.blocked_axis && interleaves(stage.body, target);
  if (axis.kind == kernel::AxisKind::reduced)
    plan.copies = !extent || *extent >= 8 * plan.width ? max_copies : *extent > plan.width ? 2 : 1;
  else if (plan.interleaved)
    for (plan.copies = max_copies; extent && *extent % (plan.copies * plan.width) != 0 && plan.copies > 1;)
      plan.copies /= 2;
  plan.interleaved = plan.interleaved && plan.copies > 1;
}

std::string explain(const PointsPlan& plan, const Stage& stage) {
  if (runs_in_order(stage)) return "serial loops, because stores must happen in order";
  if (!plan.vector_axis) return "serial loops, because no vector costs less";
  const kernel::Axis& axis = stage.axes[*plan.vector_axis];
  if (plan.blocked_axis)
    return fmt::format(
        "transposition, vectors of {} along {}, blocks of {} along {}, because memory is "
        "contiguous along either",
        plan.width, axis.name, plan.block, stage.axes[*plan.blocked_axis].name);
  if (plan.columns > 1) {
    return fmt::format("column reduction, {} vectors of {} along {} at a time{}, because rows are reduced",
                       plan.columns, plan.width, axis.name,
                       plan.column_block > 0
                           ? fmt::format(", with the sums of {} columns in memory", plan.column_block)
                           : "");
  }
  const bool reduced = axis.kind == kernel::AxisKind::reduced;
  return fmt::format("{}{}vectors of {} along {}, because that costs least", reduced ? "row reduction, " : "",
                     plan.interleaved ? fmt::format("{} interleaved ", plan.copies) : "", plan.width,
                     axis.name);
}

}  // namespace

bool interleaves(std::span<const Scalar> scalars, const CpuTarget& target) {
  constexpr std::int64_t many_registers = 32;  // for the constants and the values of a costly instruction
  return target.vector_registers < many_registers &&
         std::ranges::any_of(
             scalars,
             [](const Scalar& scalar) {
               const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition);
               return operation != nullptr && dlvm::definition(operation->opcode).is(dlvm::Trait::costly);
             });
}

std::string explain(const ProductPlan& plan, const Stage& stage, bool small_m) {
  const ProductAxes axes(stage);
  const auto m = axes.m.extent.constant(), k = axes.k.extent.constant();
  const bool few = m ? *m <= small_m_rows : small_m;
  const std::string rows = few ? fmt::format("m <= {}", small_m_rows)
                           : m ? fmt::format("m > {}", small_m_rows)
                               : std::string("m is not known");
  const std::string sums =
      plan.k_block ? fmt::format("k in blocks of {}", *plan.k_block) : "one chain over k";
  const std::string terms = plan.k_block ? k ? fmt::format("k > {}", 2 * product_k_block) : "k is not known"
                                         : fmt::format("k <= {}", 2 * product_k_block);
  const std::string tiles = fmt::format("tiles of {} x {}", plan.rows, plan.columns);
  const std::string number = m.value_or(0) == 1 ? "1 row is" : fmt::format("{} rows are", m.value_or(0));
  const std::string_view adjoin = plan.line_copy == LineCopy::dense ? "lines adjoin, " : "";
  switch (plan.form) {
    case ProductForm::panels:
      break;
    case ProductForm::streamed:
      return fmt::format(
          "product with the right operand streamed, {}, {} terms at a time, {}, left {}, because {} and "
          "the operand is larger than {} KiB",
          tiles, *plan.k_step, sums, plan.left_direct ? "direct" : "packed", rows, streamed_bytes >> 10);
    case ProductForm::lines:
      return fmt::format("product over lines in place, {}, {}, {}because {} too few for packing each term",
                         tiles, sums, adjoin, number);
    case ProductForm::sliding_lines:
      return fmt::format(
          "product over lines in place, {}, {}, each for {} lines of the result, because {} too few "
          "for packing each term or loading each vector",
          tiles, sums, plan.rows / std::max<std::int64_t>(m.value_or(1), 1), number);
    case ProductForm::lanes_along_k:
      return fmt::format(
          "product with lanes along k, {}, {}because {} too few for packing each term and the "
          "lines of k are contiguous",
          tiles, adjoin, number);
    case ProductForm::windows:
      return fmt::format(
          "product of pixels and windows, {}, because {} whole vectors and the lines of k are contiguous",
          tiles, number);
    case ProductForm::pixels:
      return fmt::format(
          "product of filters and pixels, {}, {}, {}left {}, because {} and the columns are lines of pixels",
          tiles, sums, adjoin, plan.left_panels ? "panels" : "packed", number);
    case ProductForm::rows_of_columns:
      return fmt::format(
          "product over rows of columns, {}{}, {}, right packed by {}{}, because the columns or the terms "
          "are "
          "points of several axes{}",
          tiles, plan.last_columns > 0 ? fmt::format(", the last {} columns as rows", plan.last_columns) : "",
          sums, plan.right_rows ? "rows" : "elements", plan.right_kept ? " for all of k" : "",
          plan.right_kept ? " and k < m" : "");
  }
  return fmt::format("product, {}, {}, left {}, right {}, because {} and {}", tiles, sums,
                     plan.left_direct ? "direct" : "packed",
                     plan.right_panels   ? "panels"
                     : plan.right_direct ? "direct"
                                         : "packed",
                     rows, terms);
}

StagePlan choose(const Stage& stage, Buffers buffers, const CpuTarget& target, bool small_m) {
  if (const auto product = choose_product(stage, buffers, target, small_m))
    return {*product, explain(*product, stage, small_m)};
  PointsPlan points = choose_vector(stage, buffers, target);
  block_transposition(points, stage, buffers, target);
  widen_columns(points, stage, buffers, target);
  choose_copies(points, stage, target);
  return {points, explain(points, stage)};
}

}  // namespace codegen::schedule::cpu
