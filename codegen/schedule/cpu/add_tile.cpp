#include "codegen/schedule/cpu/add_tile.h"

namespace codegen::schedule::cpu {

Body add_tile(ContractionBuilder& builder, BufferId tile, const ProductPlan& plan, std::int64_t lanes,
              Access total) {
  Loop row = builder.open("row", LoopKind::serial, plan.rows);
  Loop copy = builder.open("copy", LoopKind::unrolled, plan.columns / lanes);
  Loop lane = builder.open("lane", LoopKind::vector, lanes);
  const Index column = variable(copy.id) * Extent(lanes) + variable(lane.id);
  total.indices.insert(total.indices.end(), {variable(row.id), column});
  const Access sum{tile, {variable(row.id), column}};
  Body body;
  const ValueId before = builder.let({builder.type, Scalar::Load{total, {}, 0}}, body);
  const ValueId added = builder.let({builder.type, Scalar::Load{sum, {}, 0}}, body);
  const ValueId after =
      builder.let({builder.type, Scalar::Operation{dlvm::Opcode::add, {before, added}}}, body);
  body.push_back({Store{std::move(total), {}, after, std::nullopt}});
  return around(std::move(row), around(std::move(copy), around(std::move(lane), std::move(body))));
}

}  // namespace codegen::schedule::cpu
