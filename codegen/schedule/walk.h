#pragma once

#include <functional>

#include "codegen/schedule/schedule.h"

namespace codegen::schedule {

/// Calls `visit` for every access of the statements, tiles included (their origin), in order: the buffer, its
/// indices, whether it is written. A fill, copy, product or reduction reads and writes whole tiles.
using Visit = std::function<void(BufferId& buffer, std::vector<Index>& indices, bool written)>;
void visit_accesses(Body& body, const Visit& visit);
void visit_accesses(Statement& statement, const Visit& visit);

}  // namespace codegen::schedule
