#include "codegen/schedule/common/statements.h"

#include <algorithm>

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

Body nested(std::vector<Loop> loops, Body body) {
  for (; !loops.empty(); loops.pop_back()) body = around(std::move(loops.back()), std::move(body));
  return body;
}

void append(Body& to, Body from) {
  for (Statement& statement : from) to.push_back(std::move(statement));
}

Sort sort_statement(const kernel::Sorting& sorting, const Renaming& renaming) {
  Sort sort;
  sort.descending = sorting.descending;
  const auto row_of = [&](const Access& first) {
    Shape sizes(first.indices.size(), 1);
    sizes[sorting.axis] = sorting.extent;
    return Tile{first.buffer, rename(first, renaming).indices, std::move(sizes), {}};
  };
  sort.keys = row_of(sorting.keys);
  sort.positions = row_of(sorting.positions);
  return sort;
}

/// Returns the location in the user's own files: for the body of a library function, that of the call.
Origin origin(const kernel::Stage& stage, std::string plan) {
  const auto is_of_user = [](const dlvm::Location& location) {
    return location.valid() && !location.source->name().starts_with("<stdlib>");
  };
  const auto& all = stage.locations;
  const auto found = std::find_if(all.begin(), all.end(), is_of_user);
  return {stage.name, std::move(plan),
          found != all.end() ? *found
          : all.empty()      ? dlvm::Location{}
                             : all.front()};
}

}  // namespace codegen::schedule
