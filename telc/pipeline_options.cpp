#include "telc/pipeline_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "telc/command_line.h"
#include "telc/streams.h"

namespace telc {

void add_step_options(CLI::App& app, StepOptions& options, bool hidden) {
  std::vector<std::string> names;
  for (const codegen::Step& step : codegen::steps())
    if (std::find(names.begin(), names.end(), step.name) == names.end()) names.emplace_back(step.name);
  auto* verify = app.add_flag("--verify-each", options.verify_each, "verify after each pass and each step");
  auto* print = add_list(app, "--print-after", options.print_after, "LIST",
                         "print to standard error what these steps of code generation give");
  take_one_of(print, std::move(names));
  if (!hidden) return;
  for (CLI::Option* option : {verify, print}) option->group("");
}

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
