#include "codegen/schedule/gpu/product_builder.h"
#include "codegen/schedule/gpu/schedule_product.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Stage;

class ThreadProductBuilder {
 public:
  ThreadProductBuilder(GpuLowering& lowering, const Stage& stage, const ProductPlan& plan,
                       const SplitProduct* split)
      : stage_(stage), plan_(plan), product_(lowering, stage, split) {}

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
    const Shape shape{plan_.tile_rows(), plan_.tile_columns()};
    const BufferId sums = add_buffer("tile", shape, Space::registers, dense_layout(shape), body);
    body.push_back({Fill{product_.whole(sums), stage_.reduction->identity[0]}});
    Loop k = product_.open_k(plan_.depth, plan_.stages);
    Body step = product_.fill(k, staging, {plan_.left, product_.m, row, left},
                              {plan_.right, product_.n, column, right});
    append(step, multiply_panels(left, right, sums));
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column, sums));
    return body;
  }

  Panel add_panel(const char* name, std::int64_t size, const PanelPlan& panel, Body& body) {
    return {add_buffer(name, panel.shape, Space::shared, panel.layout, body), plan_.depth, size,
            panel.k_minor};
  }
  BufferId add_buffer(const char* name, Shape shape, Space space, Layout layout, Body& body) {
    return product_.allocate({stage_.name + "." + name, plan_.element, std::move(shape), space,
                              std::move(layout), false, std::nullopt},
                             body);
  }

  Body multiply_panels(const Panel& left, const Panel& right, BufferId sums) {
    auto [down, across] = product_.places(plan_.down, plan_.across);
    const Index zero = constant_index(0), row = variable(down.id) * plan_.tile_rows(),
                column = variable(across.id) * plan_.tile_columns();
    Body body = ProductBuilder::multiply(
        product_.whole(sums), {left.buffer, {zero, row}, {plan_.depth, plan_.tile_rows()}, {}},
        {right.buffer, {zero, column}, {plan_.depth, plan_.tile_columns()}, {}});
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Body epilogue(const Index& first_row, const Index& first_column, BufferId sums) {
    auto [down, across] = product_.places(plan_.down, plan_.across);
    Loop i = product_.open("row", LoopKind::unrolled, plan_.tile_rows());
    Loop j = product_.open("column", LoopKind::unrolled, plan_.tile_columns());
    const Index row = first_row + variable(down.id) * plan_.tile_rows() + variable(i.id);
    const Index column = first_column + variable(across.id) * plan_.tile_columns() + variable(j.id);
    i.bounds.push_back({row, product_.m.extent});
    j.bounds.push_back({column, product_.n.extent});
    const Access sum{sums, {variable(i.id), variable(j.id)}};
    Body body = product_.finished({std::move(i), std::move(j)}, row, column, sum);
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  const Stage& stage_;
  const ProductPlan& plan_;
  ProductBuilder product_;
};

}  // namespace

Body schedule_thread_product(GpuLowering& lowering, const Stage& stage, const ProductPlan& plan,
                             const SplitProduct* split) {
  return ThreadProductBuilder(lowering, stage, plan, split).build();
}

}  // namespace codegen::schedule::gpu
