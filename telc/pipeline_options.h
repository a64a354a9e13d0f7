// What developers of telc ask of the steps of code generation; telc and dlopt take the same options.
#pragma once

#include <string>
#include <vector>

#include "codegen/pipeline.h"

namespace CLI {
class App;
}

namespace telc {

struct StepOptions {
  std::vector<std::string> print_after;  ///< names of steps
  bool verify_each = codegen::verifies_each, print_after_all = false, time_each = false;
};

/// Adds `--verify-each` and `--print-after`, which help lists where not `hidden`.
void add_step_options(CLI::App& app, StepOptions& options, bool hidden);

/// The steps' text and times go to standard error. `times`, if not null, are of the phases.
codegen::PipelineOptions pipeline_options(const StepOptions& options, dlvm::Times* times = nullptr);

}  // namespace telc
