#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/unit.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"
#include "dlvm/verify/verify.h"

/// The pipeline of code generation. It takes a unit, the functions of a canonical DLVM module and one
/// machine, and runs the steps of one table over it: the functions become kernels, schedules, and LLVM IR.
/// Afterwards the unit is at the level that was asked for and satisfies that level's invariants. LLVM's own
/// passes run later (object/).
namespace codegen {

/// A cache of kernel programs for units that compile the same functions: each program is built once.
class KernelPrograms {
 public:
  /// Returns the program of `function` under `policy`, which this cache owns; null after reporting an error.
  const kernel::Program* get(const dlvm::Function& function, const kernel::KernelPolicy& policy,
                             const std::vector<kernel::NextValue>& next_values,
                             dlvm::Diagnostics& diagnostics);

 private:
  struct Entry {
    const dlvm::Function* function;
    kernel::KernelPolicy policy;
    std::vector<kernel::NextValue> next_values;
    kernel::Program program;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// One row of the pipeline's table.
struct Step {
  std::string_view name;     ///< the name as the command line spells it: `insert-barriers`
  std::string_view summary;  ///< what the step does or why it stands where it does
  std::string_view phase;    ///< the row of `--report=time` that counts the step
  Level from, to;            ///< the levels before and after the step
  /// Returns whether the step runs for a unit; null if it always does.
  bool (*applies)(const Unit&) = nullptr;
  /// Runs the step and returns false after reporting an error of the user's.
  bool (*run)(Unit&, dlvm::Diagnostics&);
};

/// Returns every step in order. A name may occur twice: the same pass at two places.
std::span<const Step> steps();
/// Returns the first step of that name, or null if there is none.
const Step* step_named(std::string_view name);

/// Options of a run of the pipeline.
struct PipelineOptions {
  /// Verifies after every step; a violated invariant is reported as an internal error.
  bool verify_each = dlvm::verifies_each();
  dlvm::Times* times = nullptr;  ///< if not null, records the time of each phase
  /// If set, it is called after each step with the step's time.
  std::function<void(const Step&, const Unit&, double seconds)> after = {};
};

/// Runs one step, whether or not it is the unit's next one. The unit must be at the level that it takes.
bool run_step(const Step& step, Unit& unit, dlvm::Diagnostics& diagnostics, const PipelineOptions& options);

/// Runs the remaining steps of the unit up to the last one that leaves it at `level`, except those that do
/// not apply. A unit that begins at a level has all steps that take that level before it. Returns false after
/// reporting an error of the user's.
bool run_pipeline(Unit& unit, Level level, dlvm::Diagnostics& diagnostics, const PipelineOptions& options);

/// Returns the first invariant of the unit's level that the unit violates and names the function that
/// violates it, or nothing if all hold.
std::optional<std::string> verify(const Unit& unit);

/// Returns the unit's functions as text in the form of `level`, which the unit must have reached.
std::string print(const Unit& unit, Level level);

}  // namespace codegen
