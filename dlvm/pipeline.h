#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dlvm/differentiate/paths.h"
#include "dlvm/ir/module.h"
#include "dlvm/memory_budget.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/verify/verify.h"

/// The passes, by name, in one place; and the order in which a module goes through them.
namespace dlvm {

struct PipelineOptions;

struct Pass {
  std::string_view name;        ///< `DeadCodeElimination`
  std::string_view short_name;  ///< `DCE`
  std::string_view summary;     ///< the property that holds afterwards
  /// Runs the pass and returns whether the module changed. It reports mistakes of the user's. The options are
  /// for passes that run others.
  bool (*run)(Module&, Diagnostics&, const PipelineOptions&);
  /// Whether floating-point results may be rounded at other places than before; otherwise all keep their
  /// bits.
  bool rounds_differently = false;
};

/// Returns every pass in the order of the documentation.
std::span<const Pass> passes();
/// Returns the pass of that long or short name, or null if there is none.
const Pass* pass_named(std::string_view name);

struct PipelineOptions {
  bool verify_each = verifies_each();  ///< after every pass; what it broke is an internal error
  /// If set, it is called after each run of a pass. Passes that AD runs between its orders come before AD
  /// itself.
  std::function<void(const Pass&, bool changed, double seconds, const Module&)> after = {};
  /// Whether floating-point values are taken for finite, and results may be rounded at other places.
  bool fast_math = false;
  /// How much a derivative may keep for its reverse part; without it, everything is kept.
  std::optional<MemoryBudget> memory_budget = {};
  std::vector<CheckpointingChoice>* checkpointing = nullptr;  ///< if not null, is given what CKP and REM did
  MissingDerivativesHandler on_missing = {};  ///< is told of them by AD, in the place of the diagnostics
  /// The values that ShapeSpecialization gives dimensions, and by which Checkpointing chooses.
  Extent::Bindings dimensions = {};
};

/// Runs the passes in order; false, with errors reported, where one found a mistake of the user's.
bool run_passes(Module& module, std::span<const Pass* const> passes, Diagnostics& diagnostics,
                const PipelineOptions& options = {});

/// Turns a module as the frontend made it into canonical, simplified form. The module is verified before and
/// after, and gradient declarations are differentiated. Returns false, with errors reported, if the module is
/// not legal.
bool optimize(Module& module, Diagnostics& diagnostics, const PipelineOptions& options = {});

/// Turns a canonical module into one of which kernels are built: recursion, stacks, tuples that blocks give
/// each other, and cycles with several entries become loops, tensors and arguments of blocks. A function that
/// was recursive, whose derivative keeps the steps of a loop without a bound, or that makes nodes of an enum
/// without a bound, has a dimension that its callers give (`FUNCTION_depth`, `FUNCTION_steps`,
/// `FUNCTION_nodes`).
bool lower_control_flow(Module& module, Diagnostics& diagnostics, const PipelineOptions& options = {});

/// Makes a module of the frontend one that the interpreter can run: gradient declarations become functions,
/// after the stable rewrites. Nothing is simplified, so that what targets compute is compared with what was
/// written. False, with errors reported, where the module is not legal.
bool expand_gradients(Module& module, Diagnostics& diagnostics, const PipelineOptions& options = {});
/// Returns the passes that it runs, in order; the last is AD.
std::vector<const Pass*> passes_of_expansion();

}  // namespace dlvm
