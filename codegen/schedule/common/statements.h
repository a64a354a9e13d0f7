#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// Returns a loop with a fresh variable and no body.
Loop new_loop(Lowering& lowering, std::string name, LoopKind kind, Extent extent, std::int64_t step = 1);

/// Returns a body whose only statement is the loop around `body`.
Body around(Loop loop, Body body);
/// Returns `body` inside of all these loops, of which the first is the outermost.
Body nested(std::vector<Loop> loops, Body body);
/// Adds the statements of `from` to the end of `to`.
void append(Body& to, Body from);

/// Returns the sort of the row at the point that `renaming` gives, without scratch.
Sort sort_statement(const kernel::Sorting& sorting, const Renaming& renaming);

/// Returns the mark that the following statements compute the stage, with the decision `plan`.
Origin origin(const kernel::Stage& stage, std::string plan = {});

}  // namespace codegen::schedule
