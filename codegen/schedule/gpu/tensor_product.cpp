#include "codegen/schedule/gpu/product_builder.h"
#include "codegen/schedule/gpu/schedule_product.h"
#include "codegen/schedule/ir/linear_layout.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Stage;

/// How the instruction holds its sums: lanes down and across, each with `pair` neighbours of a row in either
/// half.
constexpr std::int64_t lanes_down = 8, lanes_across = 4, halves = 2, pair = 2;
static_assert(lanes_down * lanes_across == warp_threads);
static_assert(halves * lanes_down == matrix_instruction.rows &&
              lanes_across * pair == matrix_instruction.columns);

class TensorProductBuilder {
 public:
  TensorProductBuilder(GpuLowering& lowering, const Stage& stage, const ProductPlan& plan,
                       const SplitProduct* split)
      : lowering_(lowering), stage_(stage), plan_(plan), product_(lowering, stage, split) {}

  Body build() {
    return product_.in_blocks(plan_.rows, plan_.columns,
                              [&](const Index& row, const Index& column) { return tile(row, column); });
  }

 private:
  Body tile(const Index& row, const Index& column) {
    Staging staging = product_.staging(plan_.threads);
    Body body;
    const Panel left = add_panel("left", plan_.rows, plan_.left_panel, body);
    const Panel right = add_panel("right", plan_.columns, plan_.right_panel, body);
    const BufferId sums = add_sums(body);
    Loop k = product_.open_k(plan_.depth, plan_.stages);
    Body step = product_.fill(k, staging, {plan_.left, product_.m, row, left},
                              {plan_.right, product_.n, column, right});
    const bool splits = plan_.element == ElementType::f32 && !lowering_.tf32;
    append(step, ProductBuilder::multiply(product_.whole(sums), product_.whole(left), product_.whole(right),
                                          splits ? Arithmetic::tensor_split : Arithmetic::tensor));
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column, sums));
    return body;
  }

  Panel add_panel(const char* name, std::int64_t size, const PanelPlan& panel, Body& body) {
    const BufferId id = product_.allocate({stage_.name + "." + name, plan_.element, panel.shape,
                                           Space::shared, panel.layout, false, std::nullopt},
                                          body);
    return {id, plan_.depth, size, panel.k_minor};
  }
  BufferId add_sums(Body& body) {
    const Shape shape{plan_.rows, plan_.columns};
    const BufferId sums = product_.allocate(
        {stage_.name + ".sums", ElementType::f32, shape, Space::registers, dense_layout(shape), false,
         sums_of_tensor_cores(plan_.rows, plan_.columns, plan_.down, plan_.across)},
        body);
    body.push_back({Fill{product_.whole(sums), stage_.reduction->identity[0]}});
    return sums;
  }

  /// Each thread its own sums; those of two neighbouring columns together.
  Body epilogue(const Index& first_row, const Index& first_column, BufferId sums) {
    Loop warp_row = product_.open("warp_row", LoopKind::thread, plan_.down);
    Loop warp_column = product_.open("warp_column", LoopKind::thread, plan_.across);
    Loop lane_row = product_.open("lane_row", LoopKind::thread, lanes_down);
    Loop lane_column = product_.open("lane_column", LoopKind::thread, lanes_across);
    Loop i = product_.open("row", LoopKind::unrolled, plan_.tile_rows() / matrix_instruction.rows);
    Loop half = product_.open("half", LoopKind::unrolled, halves);
    Loop j = product_.open("column", LoopKind::unrolled, plan_.tile_columns() / matrix_instruction.columns);
    Loop one = product_.open("one", LoopKind::unrolled, pair);
    const Index row = variable(warp_row.id) * plan_.tile_rows() + variable(i.id) * matrix_instruction.rows +
                      variable(half.id) * (matrix_instruction.rows / halves) + variable(lane_row.id);
    const Index first = variable(warp_column.id) * plan_.tile_columns() +
                        variable(j.id) * matrix_instruction.columns + variable(lane_column.id) * pair;
    const Index column = first + variable(one.id);
    half.bounds.push_back({first_row + row, product_.m.extent});
    const auto n = product_.n.extent.constant();
    if (n && *n % pair == 0)
      j.bounds.push_back({first_column + first, product_.n.extent});
    else
      one.bounds.push_back({first_column + column, product_.n.extent});
    Body body = product_.finished({std::move(i), std::move(half), std::move(j), std::move(one)},
                                  first_row + row, first_column + column, {sums, {row, column}});
    for (Loop* loop : {&lane_column, &lane_row, &warp_column, &warp_row})
      body = around(std::move(*loop), std::move(body));
    return body;
  }

  GpuLowering& lowering_;
  const Stage& stage_;
  const ProductPlan& plan_;
  ProductBuilder product_;
};

}  // namespace

Body schedule_tensor_product(GpuLowering& lowering, const Stage& stage, const ProductPlan& plan,
                             const SplitProduct* split) {
  return TensorProductBuilder(lowering, stage, plan, split).build();
}

}  // namespace codegen::schedule::gpu
