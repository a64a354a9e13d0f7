#pragma once

#include <set>
#include <span>
#include <string>

#include "codegen/kernel/ir/program.h"

namespace codegen::target::gpu {

using Statements = std::span<const kernel::Statement>;

/// Where control goes from statements: to their end, and to scopes around them.
struct Ways {
  bool falls_through = true;
  std::set<std::string> scopes;
  bool leaves() const { return !scopes.empty(); }
};

Ways ways(const kernel::Statement& statement);
Ways ways(Statements statements);

}  // namespace codegen::target::gpu
