#include "codegen/schedule/gpu/block_product.h"

#include <algorithm>

#include "codegen/schedule/gpu/product_builder.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Stage;

constexpr std::int64_t depth = 16;
constexpr std::int64_t min_across = 8, max_columns = 64;  ///< the fewest threads across, the most columns
/// Bytes of the padding behind each of the panels' rows, and of the columns that a thread reads at once:
/// so what neighbours write and read is in different banks.
constexpr std::int64_t padding = 16, run_bytes = 16;

/// Threads across the columns and down the rows. A thread's results are of one row, so that they are all
/// there or none, and what is multiplied need not wait in registers: `parts` runs of `width` columns each.
struct Sizes {
  std::int64_t across, down, width, parts;
  std::int64_t rows() const { return down; }
  std::int64_t columns() const { return across * width * parts; }
};
/// Returns the sizes for a block of that many threads.
Sizes sizes(const Extent& n, std::int64_t bytes, std::int64_t threads) {
  const std::int64_t columns = n.constant().value_or(max_columns);
  const auto with = [&](std::int64_t across, std::int64_t own) {
    const std::int64_t width = std::min({own, run_bytes / bytes, std::int64_t{4}});
    return Sizes{across, threads / across, width, own / width};
  };
  if (columns <= 8) return with(min_across, 1);
  if (columns <= 16) return with(min_across, 2);
  if (columns <= 32) return with(min_across, 4);
  if (columns % 8 == 0 && n.constant()) return with(min_across, 8);
  return with(2 * min_across, 4);
}

class BlockProductBuilder {
 public:
  BlockProductBuilder(GpuLowering& lowering, const Stage& stage, ProductPanels& panels)
      : lowering_(lowering),
        stage_(stage),
        product_(lowering, stage),
        type_(stage.reduction->types[0]),
        sizes_(sizes(product_.n.extent, dlvm::info(type_).bytes, lowering.target.block_threads)) {
    const auto [pair, is_new] = panels.of_type.try_emplace(type_);
    if (is_new)
      pair->second = {add_panel("left", lowering.target.block_threads / min_across),
                      add_panel("right", max_columns)};
    left_ = {pair->second.left, depth, sizes_.rows(), false};
    right_ = {pair->second.right, depth, sizes_.columns(), false};
  }

  Body build() {
    return product_.in_order(sizes_.rows(), sizes_.columns(),
                             [&](const Index& row, const Index& column) { return tile(row, column); });
  }

 private:
  BufferId add_panel(const char* name, std::int64_t row) {
    Layout layout = dense_layout({depth, row});
    layout.strides[0] = row + padding / std::int64_t{dlvm::info(type_).bytes};
    return lowering_.add_buffer({std::string("panel.") + name,
                                 type_,
                                 {depth, row},
                                 Space::shared,
                                 std::move(layout),
                                 false,
                                 std::nullopt});
  }

  /// The results from that row and column on.
  Body tile(const Index& row, const Index& column) {
    const kernel::Contraction& c = *stage_.contraction;
    const Shape shape{sizes_.parts, sizes_.width};
    Body body;
    const BufferId sums = product_.allocate(
        {stage_.name + ".tile", type_, shape, Space::registers, dense_layout(shape), false, std::nullopt},
        body);
    body.push_back({Fill{product_.whole(sums), stage_.reduction->identity[0]}});
    const Loop k = product_.open_k(depth);
    Staging staging = product_.staging(lowering_.target.block_threads);
    Body step =
        product_.fill(k, staging, {c.left, product_.m, row, left_}, {c.right, product_.n, column, right_});
    append(step, multiply_panels(sums));
    append(body, around(k, std::move(step)));
    append(body, epilogue(row, column, sums));
    return body;
  }

  /// The first column of a thread's part.
  Index column_of(const Loop& across, const Index& part) const {
    return variable(across.id) * sizes_.width + part * (sizes_.across * sizes_.width);
  }

  Body multiply_panels(BufferId sums) {
    auto [down, across] = product_.places(sizes_.down, sizes_.across);
    const Index zero = constant_index(0);
    Body body;
    for (std::int64_t part = 0; part < sizes_.parts; ++part) {
      const Index own = constant_index(part);
      append(body,
             product_.multiply({sums, {own, zero}, {1, sizes_.width}, {}},
                               {left_.buffer, {zero, variable(down.id)}, {depth, 1}, {}},
                               {right_.buffer, {zero, column_of(across, own)}, {depth, sizes_.width}, {}}));
    }
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Body epilogue(const Index& first_row, const Index& first_column, BufferId sums) {
    auto [down, across] = product_.places(sizes_.down, sizes_.across);
    Loop one = product_.open("row", LoopKind::unrolled, 1);
    Loop part = product_.open("part", LoopKind::unrolled, sizes_.parts);
    Loop j = product_.open("column", LoopKind::unrolled, sizes_.width);
    const Index row = first_row + variable(down.id);
    const Index column = first_column + column_of(across, variable(part.id)) + variable(j.id);
    one.bounds.push_back({row, product_.m.extent});
    j.bounds.push_back({column, product_.n.extent});
    const Access sum{sums, {variable(part.id), variable(j.id)}};
    Body body = product_.finished({std::move(one), std::move(part), std::move(j)}, row, column, sum);
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  GpuLowering& lowering_;
  const Stage& stage_;
  ProductBuilder product_;
  ElementType type_;
  Sizes sizes_;
  Panel left_, right_;
};

}  // namespace

Body schedule_block_product(GpuLowering& lowering, const Stage& stage, ProductPanels& panels) {
  return BlockProductBuilder(lowering, stage, panels).build();
}

}  // namespace codegen::schedule::gpu
