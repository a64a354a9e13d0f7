#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel/ir/program.h"

/// A program as a graph whose conditions the device decides. The graph has conditional nodes, each with a
/// graph of its own, its body: IF runs the body once if its *handle* is not 0, WHILE runs it as long as the
/// handle is not 0. Kernels set handles, so no condition is read by the host.
namespace codegen::target::gpu {

/// Runs the grids of a launch.
struct RunLaunch {
  const kernel::Launch* launch;
};
/// Runs the kernel of a fused scope.
struct RunFused {
  const kernel::Scope* scope;
};
/// Exchanges the memory of two values.
struct Exchange {
  kernel::ValueId first, second;
};
/// Sets a handle. The first decision about a handle is in the graph that gets its node.
struct Decide {
  std::uint32_t handle;
  std::optional<kernel::ValueId> condition;  ///< true if absent
  bool when_false, when_true;
  bool after_error;  ///< the value if an index was outside its range
  /// The handle of the IF node before this handle's, which has the opposite value.
  std::optional<std::uint32_t> opposite_of = {};
};
/// Adds a conditional node to the graph; what follows is in its body, up to `Close`.
struct Open {
  bool is_loop;
  std::uint32_t handle;
};
struct Close {};

using GraphStep = std::variant<RunLaunch, RunFused, Exchange, Decide, Open, Close>;

/// The steps in the order in which the graph is made. They refer to the statements of the program.
struct GraphProgram {
  std::vector<GraphStep> steps;
  std::uint32_t handle_count = 0;  ///< each belongs to one node
};

/// Returns the steps of a program. A loop that is tested first becomes a WHILE node after one evaluation of
/// its condition. After an index outside its range every condition leads to the end of the program on the
/// shortest way, so each value that is read then has been written, and every loop ends.
GraphProgram graph_steps(const kernel::Program& program);

/// Returns the steps as text, a line each, for tests.
std::string print(const GraphProgram& steps, const kernel::Program& program);

}  // namespace codegen::target::gpu
