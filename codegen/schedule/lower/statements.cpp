#include "codegen/schedule/lower/statements.h"

namespace codegen::schedule {

Loop new_loop(Lowering& lowering, std::string name, LoopKind kind, Extent extent, std::int64_t step) {
  Loop loop;
  loop.id = lowering.next_loop++;
  loop.name = std::move(name);
  loop.kind = kind;
  loop.extent = std::move(extent);
  loop.step = step;
  return loop;
}

Body around(Loop loop, Body body) {
  loop.body = std::move(body);
  Body result;
  result.push_back({std::move(loop)});
  return result;
}

void append(Body& to, Body from) {
  for (Statement& statement : from) to.push_back(std::move(statement));
}

Origin origin(const kernel::Stage& stage) {
  return {stage.name, stage.locations.empty() ? dlvm::Location{} : stage.locations[0]};
}

}  // namespace codegen::schedule
