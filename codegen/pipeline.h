#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/targets.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/support/times.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

/// The steps of code generation, by name, in one place; and the order in which programs go through them. They
/// end where LLVM begins.
namespace codegen {

/// What a unit's functions are at the moment.
enum class Level : std::uint8_t {
  tensors,    ///< of DLVM
  kernels,    ///< programs of kernels
  schedules,  ///< with a schedule for each kernel
  code,       ///< LLVM IR
};

/// Programs of kernels that several units share: each is built once.
class KernelPrograms {
 public:
  /// Null after reporting an error.
  const kernel::Program* get(const dlvm::Function& function, const kernel::RecomputeLimits& limits,
                             dlvm::Diagnostics& diagnostics);

 private:
  struct Entry {
    const dlvm::Function* function;
    kernel::RecomputeLimits limits;
    kernel::Program program;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// What the steps work on: functions of a module, for one machine of one kind.
struct Unit {
  struct Function {
    const dlvm::Function* source = nullptr;  ///< null where the unit was read from a text
    schedule::ScheduledProgram scheduled = {};
    std::vector<std::string> dimensions = {};                ///< in the order in which its code takes them
    std::vector<std::vector<target::gpu::Grid>> grids = {};  ///< where the model is that: of each kernel
  };

  std::string name;  ///< of the module
  const Lowering* lowering = nullptr;
  Machine machine = {};
  bool lines = false;  ///< code keeps the lines of the source
  KernelPrograms* programs = nullptr;
  const llvm::TargetMachine* host = nullptr;
  llvm::LLVMContext* context = nullptr;  ///< of the code

  Level level = Level::tensors;
  std::map<std::string, Function> functions = {};
  std::shared_ptr<llvm::Module> code = {};
  target::gpu::Kernels grids = {};  ///< where the model is that: the functions of `code`
  std::size_t steps = 0;            ///< how many of the pipeline's steps are behind it
};

struct Step {
  std::string_view name;                   ///< `insert-barriers`
  std::string_view reason;                 ///< why it is there, and stands where it does
  std::string_view phase;                  ///< in which `--report=time` counts it
  Level from, to;                          ///< what it takes and gives
  bool (*applies)(const Unit&) = nullptr;  ///< null: always
  /// False after reporting a mistake of the user's.
  bool (*run)(Unit&, dlvm::Diagnostics&);
};

/// Every step in order. A name may stand in it twice: the same pass at two places.
std::span<const Step> steps();
/// The first one of that name; null where there is none.
const Step* step_named(std::string_view name);

#ifdef NDEBUG
inline constexpr bool verifies_each = false;
#else
inline constexpr bool verifies_each = true;
#endif

struct PipelineOptions {
  bool verify_each = verifies_each;  ///< after every step; what it broke is an internal error
  dlvm::Times* times = nullptr;      ///< if not null: of the phases
  /// Called after each step.
  std::function<void(const Step&, const Unit&, double seconds)> after = {};
};

/// Runs one step, whether or not it is the unit's next one. The unit must be at the level that it takes.
bool run_step(const Step& step, Unit& unit, dlvm::Diagnostics& diagnostics, const PipelineOptions& options);

/// Runs the steps that are left for the unit up to the last that leaves it at `level`, without those that do
/// not apply; a unit that begins at a level has all steps that take that level before it. False after
/// reporting a mistake of the user's.
bool run_pipeline(Unit& unit, Level level, dlvm::Diagnostics& diagnostics, const PipelineOptions& options);

/// The first invariant of its level that the unit does not hold, and in what of it; nothing where all do.
std::optional<std::string> verify(const Unit& unit);

/// The unit's functions as text, as they are at a level that the unit has reached.
std::string print(const Unit& unit, Level level);

}  // namespace codegen
