#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/module.h"

/// Random modules with control flow: branches that meet or return early, loops that are tested first or last,
/// are nested, or end in their middle, cycles with two entries, stacks, calls, recursion of one and of two
/// functions, traps, indices that may be outside, and blocks that nothing reaches. Every run ends. The same
/// seed gives the same.
namespace fuzz {

struct ControlFlowCase {
  std::unique_ptr<dlvm::Module> module;  ///< canonical; its function `f` calls the others
  /// Arguments for several runs.
  std::vector<std::vector<dlvm::RuntimeValue>> inputs;
};
/// Floats are of type `element`.
ControlFlowCase random_control_flow(std::uint64_t seed, dlvm::ElementType element = dlvm::ElementType::f32);
/// The same with structs, arrays, enums, also recursive ones, and memory: of the stack and the heap, in
/// boxes, and a variable of the module.
ControlFlowCase random_declared_types(std::uint64_t seed);

}  // namespace fuzz
