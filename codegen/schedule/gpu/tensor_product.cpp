#include "codegen/schedule/gpu/product_builder.h"
#include "codegen/schedule/gpu/schedule_product.h"
#include "codegen/schedule/gpu/tensor_sums.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Stage;

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
  SumTile tile_of_sums() const { return {plan_.rows, plan_.columns, plan_.down, plan_.across}; }
  BufferId add_sums(Body& body) {
    const BufferId sums = product_.allocate(sums_of(tile_of_sums(), stage_.name + ".sums"), body);
    body.push_back({Fill{product_.whole(sums), stage_.reduction->identity[0]}});
    return sums;
  }

  Body epilogue(const Index& first_row, const Index& first_column, BufferId sums) {
    SumLoops loops = visit_sums(lowering_, tile_of_sums());
    loops.within(first_row, product_.m.extent, first_column, product_.n.extent);
    Body body = product_.finished(std::move(loops.own), first_row + loops.row, first_column + loops.column,
                                  {sums, {loops.row, loops.column}});
    return nested(std::move(loops.threads), std::move(body));
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
