#include "codegen/schedule/ir/threads.h"

#include <algorithm>

namespace codegen::schedule {

std::int64_t threads_of(const Body& body) {
  std::int64_t largest = 1;
  for (const Statement& statement : body) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    const std::int64_t trips = loop->extent.constant().value_or(1);
    std::int64_t inside = threads_of(loop->body);
    if (loop->kind == LoopKind::thread) inside *= trips;
    if (loop->kind == LoopKind::warp) inside = warp_threads * trips;
    largest = std::max(largest, inside);
  }
  return largest;
}

std::int64_t block_threads(const Loop& grid) {
  return (threads_of(grid.body) + warp_threads - 1) / warp_threads * warp_threads;
}

}  // namespace codegen::schedule
