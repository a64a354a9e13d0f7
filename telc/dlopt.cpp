// dlopt FILE.dl -p PASSES: DLVM text through passes, and functions through the interpreter.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "dlvm/pipeline.h"
#include "dlvm/system/files.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "telc/arguments.h"
#include "telc/function_call.h"
#include "telc/streams.h"

namespace {

using namespace telc;

struct Options {
  std::string file;
  std::vector<std::string> passes;
  bool print_ir = false, verify_each = false, print_after_all = false, time_passes = false, optimize = false;
  FunctionCall call;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("file", options.file, "DLVM text; '-' is standard input")
      ->required()
      ->check(check_file_name);
  app.add_option("-p,--passes", options.passes, "passes in order, by long or short name")->delimiter(',');
  app.add_flag("-O,--optimize", options.optimize, "the compiler's own pipeline, before the passes named");
  app.add_flag("--print-ir", options.print_ir, "the module after all passes, to standard output");
  app.add_flag("--print-after-all", options.print_after_all, "the module after each pass, to standard error");
  app.add_flag("--verify-each", options.verify_each, "verify after each pass");
  app.add_flag("--time-passes", options.time_passes, "the seconds of each pass, to standard error");
  app.add_option("--run", options.call.function, "call a function in the interpreter: @f");
  app.add_option("--in", options.call.inputs, "NAME=FILE.npy, or FILE.safetensors; inputs are named 0, 1, …")
      ->check(check_file_name);
  app.add_option("--out", options.call.output, "results, named 0, 1, …: FILE.safetensors, else a summary")
      ->check(check_file_name);
  app.add_option("-D", options.call.dimensions, "NAME=EXTENT, a dimension that no input binds")
      ->check(check_define);
  app.add_option("--interpret", options.call.precision, "float64 rounds nothing")
      ->check(CLI::IsMember({"rounded", "float64"}));
  app.footer([] {
    std::string text = "Passes:\n";
    for (const dlvm::Pass& pass : dlvm::passes())
      text += fmt::format("  {:5} {:34} {}\n", pass.short_name, pass.name, pass.summary);
    return text;
  });
}

/// Null, with a message, where a name is unknown.
bool find_passes(const Options& options, std::vector<const dlvm::Pass*>& found) {
  for (const std::string& name : options.passes) {
    const dlvm::Pass* pass = dlvm::pass_named(name);
    if (pass == nullptr) {
      print_error(fmt::format("dlopt: there is no pass '{}'; dlopt --help lists them\n", name));
      return false;
    }
    found.push_back(pass);
  }
  return true;
}

/// Gradient declarations are differentiated first, after the stable rewrites, unless the passes named do.
void differentiate_first(const dlvm::Module& module, std::vector<const dlvm::Pass*>& passes) {
  const dlvm::Pass* differentiation = dlvm::pass_named("AD");
  if (passes.empty() || std::find(passes.begin(), passes.end(), differentiation) != passes.end()) return;
  const auto is_declaration = [](const auto& function) { return function->gradient.has_value(); };
  const auto& functions = module.functions();
  if (std::none_of(functions.begin(), functions.end(), is_declaration)) return;
  passes.insert(passes.begin(), {dlvm::pass_named("STA"), differentiation});
}

dlvm::PipelineOptions pipeline_options(const Options& options) {
  dlvm::PipelineOptions pipeline;
  pipeline.verify_each = options.verify_each;
  pipeline.after = [&options](const dlvm::Pass& pass, bool changed, double seconds,
                              const dlvm::Module& module) {
    print(fmt::format("{}: {}\n", pass.short_name, changed ? "changed" : "unchanged"));
    if (options.time_passes) print_error(fmt::format("{:10.6f} s  {}\n", seconds, pass.name));
    if (options.print_after_all)
      print_error(fmt::format("// after {}\n{}\n", pass.name, dlvm::print(module)));
  };
  return pipeline;
}

int run(const Options& options) {
  std::vector<const dlvm::Pass*> passes;
  if (!find_passes(options, passes)) return wrong_command_line;
  dlvm::FileError file_error;
  const auto text = dlvm::read_text(options.file, file_error);
  if (!text) {
    print_error(fmt::format("dlopt: {}\n", file_error.text));
    return system_failed;
  }
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = dlvm::parse(*sources.add(options.file, *text), sources, diagnostics);
  const dlvm::PipelineOptions pipeline = pipeline_options(options);
  bool good = module != nullptr && dlvm::verify(*module, diagnostics) &&
              (!options.optimize || dlvm::optimize(*module, diagnostics, pipeline));
  if (good) {
    differentiate_first(*module, passes);
    good = dlvm::run_passes(*module, passes, diagnostics, pipeline);
  }
  print_error(dlvm::render(diagnostics));
  if (!good) return wrong_input;
  if (options.print_ir) print(dlvm::print(*module));
  return options.call.function.empty() ? done : call(*module, options.call);
}

int run_command_line(int argc, char** argv) {
  CLI::App app("DLVM text through passes, and its functions through the interpreter.", "dlopt");
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_command_line;
  }
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  open_streams();
  return close_streams(run_command_line(argc, argv));
}
