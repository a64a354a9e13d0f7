#include <algorithm>

#include "codegen/schedule/gpu/choose.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/long_rows.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "dlvm/support/overloaded.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Block;
using kernel::Kernel;
using kernel::Stage;
using RowLength = std::optional<DynamicRowLength>;

/// Calls `visit` with the kernel's stages outside of all axes, and with its blocks of rows.
void each_grid(const Kernel& kernel, const auto& visit) {
  if (!kernel.root.axes.empty()) return visit(kernel.root);
  for (const auto& child : kernel.root.children) std::visit(visit, child);
}

/// Returns the guards for few rows of the blocks whose rows are long and whose number is not known.
std::vector<Guard> few_long_rows_guards(const Kernel& kernel, const GpuTarget& target, const RowLength& row) {
  std::vector<Guard> guards;
  each_grid(kernel, dlvm::Overloaded{[](const Stage&) {},
                                     [&](const Block& block) {
                                       const Extent rows = row_count(block);
                                       if (has_long_rows(block, row) && !rows.constant())
                                         guards.push_back({rows, 0, target.multiprocessors});
                                     }});
  return guards;
}

/// Returns the guards that `guard` gives for the kernel's products.
std::vector<Guard> product_guards(const Kernel& kernel, const auto& guard) {
  std::vector<Guard> guards;
  each_grid(kernel, dlvm::Overloaded{[](const Block&) {},
                                     [&](const Stage& stage) {
                                       if (!is_product(stage)) return;
                                       if (const auto one = guard(stage)) guards.push_back(*one);
                                     }});
  return guards;
}

std::vector<VariantPlan> choose_row_variants(const Kernel& kernel, const GpuTarget& target,
                                             const Extent& length) {
  const DynamicRowLength long_rows{length, long_row, std::nullopt}, short_rows{length, 0, short_row},
      between{length, short_row + 1, std::nullopt};
  const Guard is_long{length, long_row, std::nullopt}, is_short{length, 0, short_row + 1};
  std::vector<VariantPlan> variants{{.row = between}, {.guards = {is_long}, .row = long_rows}};
  if (std::vector<Guard> few = few_long_rows_guards(kernel, target, long_rows); !few.empty()) {
    few.insert(few.begin(), is_long);
    variants.push_back({.guards = std::move(few), .row = long_rows, .spreads_long_rows = true});
  }
  variants.push_back({.guards = {is_short}, .row = short_rows});
  return variants;
}

}  // namespace

std::vector<VariantPlan> choose_variants(const Kernel& kernel, Buffers buffers, const GpuTarget& target) {
  if (const auto length = dynamic_row_length(kernel, buffers))
    return choose_row_variants(kernel, target, *length);
  std::vector<VariantPlan> variants(1);
  if (auto guards = few_long_rows_guards(kernel, target, std::nullopt); !guards.empty())
    variants.push_back({.guards = std::move(guards), .spreads_long_rows = true});
  if (auto guards = product_guards(kernel, whole_product_guard); !guards.empty())
    variants.push_back({.guards = std::move(guards), .whole_products = true});
  return variants;
}

std::optional<VariantPlan> choose_small_m(const Kernel& kernel, const GpuTarget& target) {
  auto guards = product_guards(kernel, [&](const Stage& stage) { return small_m_guard(stage, target); });
  if (guards.empty()) return std::nullopt;
  return VariantPlan{.guards = std::move(guards), .small_m = true};
}

std::int64_t grid_count(const Kernel& kernel, const GpuTarget& target, const VariantPlan& variant) {
  std::int64_t count = 0;
  const auto of_stage = [&](const Stage& stage) {
    const bool two = is_product(stage) ? part_count(stage, variant) > 1 : choose_chunk(stage).has_value();
    count += two ? 2 : 1;
  };
  const auto of_block = [&](const Block& block) {
    if (!choose(block, target, variant).spreads) return void(++count);
    for (const auto& child : block.children)
      count += is_long_row(std::get<Stage>(child), variant.row) ? 2 : 1;
  };
  each_grid(kernel, dlvm::Overloaded{of_stage, of_block});
  return count;
}

}  // namespace codegen::schedule::gpu
