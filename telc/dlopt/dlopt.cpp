// dlopt FILE -p PASSES: DLVM text through passes, and its functions called; kernels and schedules through
// steps of code generation.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/read_unit.h"
#include "codegen/targets.h"
#include "dlvm/io/tensor_files.h"
#include "dlvm/pipeline.h"
#include "dlvm/support/files.h"
#include "dlvm/support/suggest.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "telc/arguments.h"
#include "telc/command_line.h"
#include "telc/dlopt/differentiate_first.h"
#include "telc/dlopt/run_steps.h"
#include "telc/function_call.h"
#include "telc/outputs.h"
#include "telc/refuse.h"
#include "telc/version.h"

namespace {

using namespace telc;

struct Options {
  std::string file;
  std::vector<std::string> passes, more_passes;  ///< the latter stand behind `-p NAME` without commas
  bool print_ir = false, optimize = false, fast_math = false;
  std::string memory_budget;
  StepRunOptions code;
  FunctionCall call;
};

std::string footer() {
  std::string text =
      "Examples:\n"
      "  dlopt mlp.dl -p CSE,DCE --print-ir\n"
      "  dlopt mlp.dl --run @forward --in 0=x.npy --in 1=W.npy --device cpu\n"
      "  dlopt softmax.kernel -p schedule,simplify --target cuda --print-ir\n\n"
      "docs/ir.md in telc's source describes the text and its instructions.\n\nPasses:\n";
  for (const dlvm::Pass& pass : dlvm::passes())
    text += fmt::format("  {:5} {:34} {}\n", pass.short_name, pass.name, pass.summary);
  text += "\nSteps of code generation, in their order:\n";
  for (const codegen::Step& step : codegen::steps())
    text += fmt::format("  {:17} {}\n", step.name, step.summary);
  return text;
}

/// Adds `--target`, `--mcpu`, `--gpu-arch` and `--tf32`: what a text does not say.
void add_machine_options(CLI::App& app, StepRunOptions& options) {
  std::vector<std::string> names;
  for (const codegen::Target& target : codegen::targets()) names.emplace_back(target.name);
  take_one_of(
      add_value(app, "--target", options.target, "TARGET", "generate code for this target (default: cpu)"),
      std::move(names));
  add_value(app, "--mcpu", options.cpu, "CPU", "with this processor (default: x86-64-v3)");
  take_one_of(add_value(app, "--gpu-arch", options.architecture, "NAME",
                        "for this GPU architecture (default: sm_90)"),
              codegen::architecture_names());
  app.add_flag("--tf32", options.tf32, "compute float32 products on tensor cores with 10 bits of mantissa");
}

void add_options(CLI::App& app, Options& options) {
  describe(app, "Usage: dlopt FILE [OPTIONS]\n", footer());
  app.add_option("-f,FILE", options.file,
                 "a module as DLVM text, kernels (.kernel) or schedules (.schedule); - is standard input")
      ->option_text(" ")
      ->required()
      ->check(check_file_name);
  app.add_option("PASS", options.more_passes)->delimiter(',')->group("");
  add_list(app, "-p,--passes", options.passes, "LIST",
           "run these passes in order, by long or short name, then steps of code generation");
  app.add_flag("-O,--optimize", options.optimize, "run the compiler's own pipeline before them");
  add_fast_math(app, options.fast_math);
  app.add_flag("--print-ir", options.print_ir, "print what all passes have made");
  add_value(app, "--memory-budget", options.memory_budget, "BYTES|PERCENT%",
            "let a derivative keep at most so much for its reverse part, and compute the rest again")
      ->check(check_memory_budget);
  StepOptions& each = options.code.each;
  app.add_flag("--print-after-all", each.print_after_all,
               "print the module to standard error after each pass");
  add_step_options(app, each, false);
  app.add_flag("--time-passes", each.time_each, "say to standard error how long each pass took");
  add_machine_options(app, options.code);
  FunctionCall& call = options.call;
  add_value(app, "--run", call.function, "@FUNCTION", "call a function, after all passes");
  add_repeatable(app, "--in", call.inputs, "NUMBER=FILE.npy",
                 "read an argument, or from FILE.npz or FILE.safetensors several (repeatable)")
      ->check(check_file_name);
  add_value(app, "--out", call.output, "FILE",
            "write the results, named 0, 1, … (.safetensors), or the only one (.npy)")
      ->check(check_file_name);
  add_repeatable(app, "-D", call.dimensions, "NAME=NUMBER",
                 "give a dimension this value, in calls and in ShapeSpecialization (repeatable)")
      ->check(check_define);
  refuse_twice(app, "-D", call.dimensions);
  take_one_of(add_value(app, "--device", call.device, "DEVICE",
                        "run on interpreter, cpu, emulator or cuda (default: interpreter)"),
              {"interpreter", "cpu", "emulator", "cuda"});
  take_one_of(add_value(app, "--interpret", call.precision, "rounded|float64",
                        "let the interpreter round as the types say, or not at all (default: rounded)"),
              {"rounded", "float64"});
  add_value(app, "--step-limit", call.step_limit, "NUMBER",
            "let the interpreter take at most so many branches and calls (default: 10000000)")
      ->check(CLI::PositiveNumber);
  app.set_version_flag(
      "--version", [] { return version("dlopt"); },
      "print the versions of dlopt and LLVM, and where ptxas is");
}

/// The words between the name of a pass that there is not and the rest of the sentence.
std::string question_for_pass(const std::string& name) {
  std::vector<std::string_view> names;
  for (const dlvm::Pass& pass : dlvm::passes()) names.insert(names.end(), {pass.short_name, pass.name});
  for (const codegen::Step& step : codegen::steps()) names.push_back(step.name);
  const std::string question = dlvm::question(name, names);
  return question.empty() ? ";" : question;
}

/// Whether the names are those of passes, then of steps; else there is a message.
bool find_passes(Options& options, std::vector<const dlvm::Pass*>& found) {
  if (options.passes.empty() && !options.more_passes.empty()) {
    print_error(fmt::format("dlopt: nothing takes the argument '{}'; dlopt --help lists the options\n",
                            options.more_passes.front()));
    return false;
  }
  options.passes.insert(options.passes.end(), options.more_passes.begin(), options.more_passes.end());
  for (const std::string& name : options.passes) {
    const dlvm::Pass* pass = dlvm::pass_named(name);
    const codegen::Step* step = codegen::step_named(name);
    if (pass == nullptr && step == nullptr) {
      print_error(fmt::format("dlopt: there is no pass '{}'{} dlopt --help lists them\n", name,
                              question_for_pass(name)));
      return false;
    }
    if (pass != nullptr && !options.code.steps.empty()) {
      print_error(fmt::format("dlopt: {} works on modules; it cannot follow code generation\n", name));
      return false;
    }
    if (pass != nullptr) found.push_back(pass);
    if (step != nullptr) options.code.steps.push_back(step);
  }
  return true;
}

dlvm::PipelineOptions pipeline_options(const Options& options) {
  dlvm::PipelineOptions pipeline;
  pipeline.dimensions = dimensions_of(options.call.dimensions);
  const StepOptions& each = options.code.each;
  pipeline.verify_each = each.verify_each;
  pipeline.memory_budget = dlvm::parse_memory_budget(options.memory_budget);
  pipeline.fast_math = options.fast_math;
  pipeline.after = [&options, &each](const dlvm::Pass& pass, bool changed, double seconds,
                                     const dlvm::Module& module) {
    const std::string report = fmt::format("{}: {}\n", pass.short_name, changed ? "changed" : "unchanged");
    if (options.print_ir)
      print("// " + report);  // before the text, which can still be read
    else
      print_error(report);
    if (each.time_each) print_error(fmt::format("{:10.6f} s  {}\n", seconds, pass.name));
    if (each.print_after_all) print_error(fmt::format("// after {}\n{}\n", pass.name, dlvm::print(module)));
  };
  return pipeline;
}

/// Returns the option that asks for a call of a function, which code generation leaves out; null if none
/// does. ShapeSpecialization takes dimensions, too.
const char* asks_for_call(const FunctionCall& call, const std::vector<const dlvm::Pass*>& passes) {
  if (!call.function.empty()) return "--run";
  if (!call.inputs.empty()) return "--in";
  if (!call.output.empty()) return "--out";
  const bool specializes = std::ranges::find(passes, dlvm::pass_named("SS")) != passes.end();
  return call.dimensions.empty() || specializes ? nullptr : "-D";
}

int run_on_code(Options& options, const std::string& text, const std::vector<const dlvm::Pass*>& passes) {
  if (!passes.empty()) {
    print_error(fmt::format("dlopt: {} works on modules\n", passes.front()->name));
    return wrong_command_line;
  }
  if (const char* option = asks_for_call(options.call, passes))
    return refuse(fmt::format("{} is for functions of modules, and '{}' has kernels or schedules", option,
                              options.file),
                  false);
  options.code.optimize = options.optimize;
  options.code.print = options.print_ir;
  return run_steps_on_text(options.file, text, options.code);
}

int run(Options& options) {
  std::vector<const dlvm::Pass*> passes;
  if (!find_passes(options, passes)) return wrong_command_line;
  if (const char* option = asks_for_call(options.call, passes); option && !options.code.steps.empty())
    return refuse(fmt::format("{} is for functions of modules, and {} makes code of them", option,
                              options.code.steps.front()->name),
                  false);
  dlvm::FileError file_error;
  const auto text = dlvm::read_text(options.file, file_error);
  if (!text) {
    print_error(fmt::format("dlopt: {}\n", file_error.text));
    return file_error.kind == dlvm::FileError::Kind::format ? wrong_input : system_failed;
  }
  if (codegen::is_code_text(options.file, *text)) return run_on_code(options, *text, passes);
  if (codegen::is_code_text("-", *text)) {
    print_error(
        fmt::format("dlopt: '{}' has kernels or schedules, and the name of such a file ends in .kernel or "
                    ".schedule; a module's ends in .dl\n",
                    options.file));
    return wrong_input;
  }
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = dlvm::parse(*sources.add(options.file, *text), sources, diagnostics);
  const dlvm::PipelineOptions pipeline = pipeline_options(options);
  const std::string called = name_of(options.call);
  const bool is_known = module != nullptr && module->function(called) != nullptr;
  bool good = module != nullptr && dlvm::verify(*module, diagnostics) &&
              (!options.optimize || dlvm::optimize(*module, diagnostics, pipeline));
  if (good) {
    differentiate_first(*module, options.print_ir && !options.optimize, passes);
    good = dlvm::run_passes(*module, passes, diagnostics, pipeline);
  }
  print_error(dlvm::render(diagnostics));
  if (!good) return wrong_input;
  options.code.print = options.print_ir;
  if (!options.code.steps.empty()) return run_steps_on_module(*module, options.code);
  if (options.print_ir) print(dlvm::print(*module));
  if (is_known && module->function(called) == nullptr) {
    print_error(fmt::format("dlopt: the passes removed @{}, which no entry point needs\n", called));
    return wrong_input;
  }
  return options.call.function.empty() ? done : call(*module, options.call);
}

/// Returns why the command line asks for something impossible; nothing where it does not.
std::optional<std::string> impossible(const Options& options) {
  const std::string& output = options.call.output;
  if (output.empty()) return std::nullopt;
  if (output.ends_with(".npz")) return "--out writes .safetensors or .npy files, not .npz";
  std::vector<std::string> read{options.file};
  for (const std::string& input : options.call.inputs) read.push_back(dlvm::given_file(input));
  return collision({{"--out", output}}, read);
}

int run_command_line(int argc, char** argv) {
  CLI::App app("dlopt takes DLVM text through passes, and calls its functions", "dlopt");
  Options options;
  add_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (const auto why = impossible(options)) return refuse(*why, false);
  options.call.source = options.file;
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  open_streams();
  return close_streams(run_command_line(argc, argv));
}
