#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../cpu/jit.h"
#include "codegen/target/gpu/emit_enqueue.h"
#include "dlvm/ir/tensor.h"

/// Kernels on the emulator, as the compiler makes and launches them, but for what a test changes on the way.
namespace test {

/// The texts on the way from schedules to code.
enum class Level {
  schedule,  ///< of one kernel, after all passes
  kernels,   ///< LLVM IR, the same as for chips
  host,      ///< LLVM IR of what launches them
};
/// Gives another text, or the same.
using Edit = std::function<std::string(Level, std::string)>;

/// What emulated code calls, for the linker.
std::vector<std::pair<std::string, void*>> emulator_symbols();

/// A program. No verifier sees what `edit` has changed, but for LLVM's.
class EmulatedProgram {
 public:
  explicit EmulatedProgram(codegen::schedule::ScheduledProgram scheduled, const Edit& edit = {});

  struct Call {
    std::vector<dlvm::Tensor> inputs;
    dlvm::Extent::Bindings dimensions;
  };
  struct Execution {
    std::string error;  ///< the emulator's report
    std::vector<dlvm::Tensor> outputs;
    std::vector<std::int64_t> words;     ///< the block that the kernels got, but for the first
    std::shared_ptr<const void> memory;  ///< where these point to
  };
  /// Outputs and workspace are filled with NaN before. `words`: what an earlier call has left in the place of
  /// this one's block. `as_graph`: the conditions are decided as the device's graph decides them.
  Execution run(const Call& call, std::uint64_t order = 0, const std::vector<std::int64_t>& words = {},
                bool as_graph = false) const;
  /// Whether there is such a graph, because the program has conditions.
  bool has_graph() const { return graph_.function != nullptr; }

 private:
  class Memory;

  codegen::schedule::ScheduledProgram scheduled_;
  codegen::target::gpu::Kernels kernels_;
  codegen::target::gpu::GraphFunction graph_;  ///< its function is another module's afterwards
  std::unique_ptr<Jit> jit_;
};

}  // namespace test
