#pragma once

#include "codegen/kernel/build/fuse.h"
#include "codegen/kernel/build/program_values.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

/// The stage that computes a node, and which stages read it.
struct Placement {
  std::size_t group = 0, stage = 0;
  bool read_elsewhere = false;  ///< by another kernel
  bool read_later = false;      ///< by another stage of its kernel
};

/// What the kernels of a program share.
struct ProgramNodes {
  const Graph& graph;
  ProgramValues& values;
  std::vector<Node> nodes;
  std::vector<std::optional<std::uint32_t>> outputs;  ///< of a node: the result's value
  std::vector<Placement> placements;                  ///< of a node
  std::map<const dlvm::Value*, std::size_t> node_of;  ///< the node that computes a value

  /// Returns the value of the program that the node is stored to, if it is stored outside of its kernel.
  std::optional<std::uint32_t> written(std::size_t node) const;
};

struct BuiltKernel {
  Kernel kernel;
  std::vector<std::uint32_t> values;  ///< of the program, of the argument buffers
};

/// Builds the kernel of group `number`. Values that the kernel needs in memory are added to the program's.
BuiltKernel build_kernel(ProgramNodes& program, const Group& group, std::size_t number,
                         dlvm::Diagnostics& diagnostics);

}  // namespace codegen::kernel
