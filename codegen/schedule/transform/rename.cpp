#include "codegen/schedule/transform/rename.h"

namespace codegen::schedule {

Body copy_of(const Body& body, Renaming renaming, LoopId& next_loop, ValueId& next_value) {
  Body result = body;
  for (Statement& statement : result) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop != nullptr) {
      renaming.axes[loop->id] = variable(next_loop);
      loop->id = next_loop++;
      if (loop->range_end) {
        renaming.axes[*loop->range_end] = variable(next_loop);
        loop->range_end = next_loop++;
      }
    }
    rename(statement, renaming);
    if (loop != nullptr) loop->body = copy_of(loop->body, renaming, next_loop, next_value);
    if (auto* let = std::get_if<Let>(&statement.node)) {
      renaming.values[let->id] = next_value;
      let->id = next_value++;
    }
  }
  return result;
}

}  // namespace codegen::schedule
