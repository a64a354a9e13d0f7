#pragma once

#include <unordered_map>

#include "codegen/kernel/build/fuse.h"
#include "codegen/kernel/build/program_values.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

/// The stage (fuse.h) that computes a node, and which stages read it.
struct Placement {
  std::size_t group = 0, stage = 0;
  bool read_elsewhere = false;  ///< by another kernel
  bool read_later = false;      ///< by another stage of its kernel
};

/// The state shared by the construction of a program's kernels: its nodes (fuse.h), and what each becomes.
struct ProgramNodes {
  const Graph& graph;
  ProgramValues& values;
  std::vector<Node> nodes;
  /// Indexed by node: the program's output value that it is copied to, if any.
  std::vector<std::optional<std::uint32_t>> outputs;
  std::vector<Placement> placements;                            ///< indexed by node
  std::unordered_map<const dlvm::Value*, std::size_t> node_of;  ///< the node that computes a value

  /// Returns the value of the program that the node is stored to, if it is stored outside of its kernel.
  std::optional<std::uint32_t> stored_value(std::size_t node) const;
};

/// A kernel, and the program's values that are its arguments.
struct BuiltKernel {
  Kernel kernel;
  std::vector<std::uint32_t> values;  ///< for each buffer argument, the program's value
};

/// Builds the kernel of `group` (fuse.h), which has the index `number`. Values that the kernel needs in
/// memory are added to the program's.
BuiltKernel build_kernel(ProgramNodes& program, const Group& group, std::size_t number,
                         dlvm::Diagnostics& diagnostics);

}  // namespace codegen::kernel
