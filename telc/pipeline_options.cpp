#include "telc/pipeline_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "telc/streams.h"

namespace telc {

codegen::PipelineOptions pipeline_options(const StepOptions& options, dlvm::Times* times) {
  codegen::PipelineOptions pipeline;
  pipeline.verify_each = options.verify_each;
  pipeline.times = times;
  pipeline.after = [&options](const codegen::Step& step, const codegen::Unit& unit, double seconds) {
    if (options.time_each) print_error(fmt::format("{:10.6f} s  {}\n", seconds, step.name));
    const auto& names = options.print_after;
    if (options.print_after_all || std::find(names.begin(), names.end(), step.name) != names.end())
      print_error(fmt::format("// after {}\n{}\n", step.name, codegen::print(unit, unit.level)));
  };
  return pipeline;
}

}  // namespace telc
