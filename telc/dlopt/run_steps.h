// dlopt on kernels and schedules: the steps of code generation, one by one or all of them.
#pragma once

#include <string>
#include <vector>

#include "dlvm/ir/module.h"
#include "telc/pipeline_options.h"
#include "telc/status.h"

namespace telc {

struct StepRunOptions {
  std::string target = "cpu";     ///< the target's name
  std::string cpu = "x86-64-v3";  ///< the host's processor
  std::string architecture;       ///< a GPU architecture; empty for the first default one
  bool tf32 = false;
  bool optimize = false;                    ///< all steps up to the schedules' last
  std::vector<const codegen::Step*> steps;  ///< after that, in order
  bool print = false;                       ///< prints the result to standard output
  StepOptions each;
};

/// Takes the text of kernels or schedules through steps. Messages go to standard error, under the file's
/// name.
Status run_steps_on_text(const std::string& file, const std::string& text, const StepRunOptions& options);

/// Takes the functions of a module through steps.
Status run_steps_on_module(const dlvm::Module& module, const StepRunOptions& options);

}  // namespace telc
