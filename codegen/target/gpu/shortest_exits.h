#pragma once

#include <map>
#include <set>

#include "codegen/kernel/ir/program.h"

namespace codegen::target::gpu {

/// The shortest ways to the end of a program.
struct ShortestExits {
  std::map<const kernel::Branch*, bool> takes_then;  ///< whether the shorter way goes through `then`
  std::set<const kernel::Scope*> endless;            ///< loops from which no way leads to the end
};

ShortestExits shortest_exits(const kernel::Program& program);

}  // namespace codegen::target::gpu
