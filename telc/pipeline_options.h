// The options of telc and dlopt about the steps of code generation, for developers of telc.
#pragma once

#include <string>
#include <vector>

#include "codegen/pipeline.h"

namespace telc {

struct StepOptions {
  std::vector<std::string> print_after;  ///< names of steps
  bool verify_each = dlvm::verifies_each(), print_after_all = false, time_each = false;
};

/// Returns the pipeline's options. The text and the times of steps go to standard error. `times`, if not
/// null, records the time of each phase.
codegen::PipelineOptions pipeline_options(const StepOptions& options, dlvm::Times* times = nullptr);

}  // namespace telc
