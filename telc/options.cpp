#include "telc/options.h"

#include "codegen/targets.h"
#include "telc/arguments.h"
#include "telc/command_line.h"
#include "telc/commands.h"
#include "telc/refuse.h"
#include "telc/version.h"

namespace telc {
namespace {

/// The options and arguments of the commands of telc.
struct Options {
  CompileOptions compile;
  RunOptions run;
  CheckGradientsOptions check_gradients;
  CheckOptions check;
  FormatOptions format;
  DeviceReportOptions device_report;
  std::string explain;  ///< the code of a message
};

constexpr const char* documentation =
    "The documentation is in docs/, where telc's source is: tutorial.md to begin with, language.md, "
    "header.md.";

void add_messages(CLI::App& app, bool& json) {
  auto* option = app.add_option_function<std::string>(
      "--diagnostics", [&json](const std::string& form) { json = form == "json"; },
      "how messages are written to standard error (default: text)");
  take_one_of(option, {"text", "json"})->option_text("text|json");
}

void add_source(CLI::App& app, SourceOptions& source, bool required = true) {
  app.add_option("FILE", source.file, "a module: TEL (.tel) or DLVM text (.dl); - is standard input")
      ->option_text(" ")
      ->required(required)
      ->check(check_file_name);
  add_repeatable(app, "-D", source.defines, "NAME=NUMBER", "give a named dimension this value (repeatable)")
      ->check(check_define);
  refuse_twice(app, "-D", source.defines);
  add_value(app, "--memory-budget", source.memory_budget, "BYTES|PERCENT%",
            "let derivatives keep at most so much, and compute the rest again")
      ->check(check_memory_budget);
  add_fast_math(app, source.fast_math);
  add_repeatable(app, "-I", source.folders, "FOLDER", "search this folder for imports (repeatable)")
      ->check(check_file_name);
  auto* warnings = app.add_option_function<std::string>(
      "--warnings",
      [&source](const std::string& which) {
        source.warnings = which == "none"    ? Warnings::none
                          : which == "error" ? Warnings::error
                                             : Warnings::all;
      },
      "show warnings, leave them out, or take each for an error (default: all)");
  take_one_of(warnings, {"all", "none", "error"})->option_text("all|none|error");
  add_messages(app, source.json);
}

void add_inputs(CLI::App& app, std::vector<std::string>& inputs, std::string& weights, std::uint64_t& seed) {
  add_repeatable(app, "--in", inputs, "NAME=FILE.npy",
                 "read an input, or from FILE.npz or FILE.safetensors all that it names (repeatable)")
      ->check(check_file_name);
  add_value(app, "--weights", weights, "FILE", "read parameters and constants (.safetensors, .npz)")
      ->check(check_file_name);
  add_value(app, "--seed", seed, "NUMBER",
            "draw initial values and random numbers with this seed (default: 0)")
      ->check(check_seed);
}

void add_tf32(CLI::App& app, bool& tf32) {
  app.add_flag("--tf32", tf32, "compute float32 products on tensor cores with 10 bits of mantissa; faster");
}

/// What `--emit` takes.
std::vector<std::string> levels() {
  std::vector<std::string> names{"ast", "dlvm", "dlvm-opt", "kernels", "schedule", "llvm"};
  for (const codegen::Target& target : codegen::targets())
    if (target.device != nullptr)
      for (const auto& text : target.device->texts) names.emplace_back(text.name);
  names.insert(names.end(), {"asm", "obj"});
  return names;
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const codegen::Target& target : codegen::targets()) names.emplace_back(target.name);
  return names;
}

void add_outputs(CLI::App& app, CompileOptions& options) {
  const auto add = [&](const char* name, std::string& file, const char* what) {
    add_value(app, name, file, "FILE", what)->check(check_file_name);
  };
  add("-o", options.output, "write the object, or what --emit names (default: NAME.o; - is standard output)");
  add("--header", options.header, "write the header for C and C++");
  add("--manifest", options.manifest, "write a description of the object in JSON");
  add("--depfile", options.depfile, "write a make rule that lists the files read");
  take_one_of(
      add_value(app, "--emit", options.emit, "LEVEL",
                "stop at ast, dlvm, dlvm-opt, kernels, schedule, llvm, ptx, cubin, sass-report or asm"),
      levels());
}

void add_targets(CLI::App& app, CompileOptions& options) {
  take_one_of(add_list(app, "--target", options.targets, "LIST",
                       fmt::format("compile for {} (default: cpu, and cuda where ptxas is found)",
                                   fmt::join(target_names(), ", "))
                           .c_str()),
              target_names());
  take_one_of(add_list(app, "--gpu-arch", options.architectures, "LIST",
                       "make machine code for these GPU architectures: sm_80,sm_90a"),
              codegen::architecture_names());
  add_tf32(app, options.tf32);
  add_value(app, "--ptxas-limit", options.assembler_limit, "SECONDS",
            "stop ptxas if it takes longer for one GPU architecture (default: 600)")
      ->check(check_seconds);
  app.add_flag("-g", options.debug, "keep the lines of the source for debuggers and profilers");
  add_list(app, "--mcpu", options.processors, "LIST",
           "compile for a CPU, native, or feature levels (default: x86-64-v3,x86-64-v4,x86-64)");
  add_value(app, "-O", options.optimization, "LEVEL", "optimize from 0 to 3 (default: 2)")
      ->check(CLI::Range(0, 3));
  take_one_of(add_value(app, "--sanitize", options.sanitizer, "thread",
                        "let the code tell ThreadSanitizer what it accesses; link with -fsanitize=thread"),
              {"thread"});
}

void add_compile(CLI::App& app, Options& options) {
  CompileOptions& compile = options.compile;
  add_source(app, compile.source, false);
  add_outputs(app, compile);
  add_targets(app, compile);
  take_one_of(add_list(app, "--report", compile.reports, "LIST",
                       "report time, memory, kernels or control-flow (who decides conditions for GPUs)"),
              {"time", "memory", "kernels", "control-flow"});
  add_step_options(app, compile.pipeline, true);
  auto* report = add_value(app, "--device-report", options.device_report.file, "FILE.o",
                           "list the code for devices that an object holds, and nothing else");
  report->check(check_file_name)->excludes("FILE");
  app.add_flag("--json", options.device_report.json, "write that list as JSON")
      ->needs(report)
      ->option_text(" ");
  add_value(app, "--explain", options.explain, "CODE", "explain a message by its code, and do nothing else")
      ->excludes("FILE")
      ->excludes(report);
  app.set_version_flag(
      "--version", [] { return version("telc"); }, "print the versions of telc and LLVM, and where ptxas is");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run =
      app.add_subcommand("run", "calls an entry point, and prints or writes its results")->group("Commands");
  describe(
      *run, "Usage: telc run FILE [ENTRY] [OPTIONS]\n",
      std::string(
          "Examples:\n"
          "  telc run mlp.tel --in x=x.npy --out y.npy\n"
          "  telc run mlp.tel gradient --in batch.npz --weights mlp.safetensors --device interpreter\n\n") +
          documentation);
  add_source(*run, options.source);
  run->add_option("ENTRY", options.entry, "the entry point (default: forward)")->option_text(" ");
  add_inputs(*run, options.inputs, options.weights, options.seed);
  add_value(*run, "--out", options.output, "FILE",
            "write the results (.safetensors), or the only one (.npy), instead of a summary")
      ->check(check_file_name);
  take_one_of(add_value(*run, "--device", options.device, "DEVICE",
                        "run on cpu, interpreter, emulator or cuda (default: cpu)"),
              {"cpu", "interpreter", "emulator", "cuda"});
  add_tf32(*run, options.tf32);
  take_one_of(add_value(*run, "--interpret", options.interpret, "rounded|float64",
                        "let the interpreter round as the types say, or not at all (default: rounded)"),
              {"rounded", "float64"});
  add_value(*run, "--step-limit", options.step_limit, "NUMBER",
            "let the interpreter take at most so many branches and calls (default: 10000000)")
      ->check(CLI::PositiveNumber);
  add_value(*run, "--repeat", options.repeat, "NUMBER", "run so often again, and report the median time")
      ->check(CLI::Range(1, 1000000));
  run->add_flag("--json", options.json, "print the summary as JSON");
  run->add_flag("--check-finite", options.check_finite,
                "interpret the entry point first, and name the first declaration that is not finite");
}

void add_check_gradients(CLI::App& app, CheckGradientsOptions& options) {
  CLI::App* check = app.add_subcommand("check-gradients", "compares derivatives with central differences")
                        ->group("Commands");
  describe(*check, "Usage: telc check-gradients FILE [OPTIONS]\n",
           std::string(
               "For large tensors it checks a sample, which the seed determines and the table describes.\n\n"
               "Examples:\n"
               "  telc check-gradients mlp.tel\n"
               "  telc check-gradients mlp.tel -D N=8 --in x=x.npy --all\n\n") +
               documentation);
  add_source(*check, options.source);
  add_inputs(*check, options.inputs, options.weights, options.seed);
  auto* elements = add_value(*check, "--elements", options.elements, "NUMBER",
                             "check so many elements of each tensor (default: up to 32, for about a minute)");
  elements->check(CLI::Range(1, 1000000000));
  check->add_flag("--all", options.all, "check every element of every tensor, however long it takes")
      ->excludes(elements)
      ->option_text(" ");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* check =
      app.add_subcommand("check", "reports what is wrong with modules, and writes nothing but fixes")
          ->group("Commands");
  describe(*check, "Usage: telc check FILE... [OPTIONS]\n",
           std::string(
               "Examples:\n"
               "  telc check mlp.tel\n"
               "  telc check --fix mlp.tel\n\n"
               "The status is 0 where there is no error, 1 where there is one, 2 where the command line is\n"
               "wrong, 3 where a file cannot be read.\n\n") +
               documentation);
  add_source(*check, options.source);
  check->add_option("FILES", options.more, "further modules")->option_text(" ")->check(check_file_name);
  check
      ->add_flag("--fix", options.fix,
                 "make the fixes that are sure: those of errors that have one fix, an exact replacement")
      ->option_text(" ");
}

void add_format(CLI::App& app, FormatOptions& options) {
  CLI::App* format =
      app.add_subcommand("fmt", "prints modules in the canonical layout, or checks that they are in it")
          ->group("Commands");
  describe(*format, "Usage: telc fmt FILE [OPTIONS]\n       telc fmt (--check | --write) FILE...\n",
           std::string("Examples:\n"
                       "  telc fmt mlp.tel\n"
                       "  telc fmt --check nets examples/mlp.tel\n\n") +
               documentation);
  format->add_option("FILE", options.files, "TEL files (- is standard input), or folders that hold some")
      ->option_text(" ")
      ->required()
      ->check(check_file_name);
  auto* write = format->add_flag("--write", options.write, "change the files instead of printing one")
                    ->option_text(" ");
  format
      ->add_flag("--check", options.check, "change nothing; list the files that would change, with status 1")
      ->excludes(write)
      ->option_text(" ");
  add_messages(*format, options.json);
}

/// Adds the commands to `app`; parsing fills `options`, which must outlive it.
void add_commands(CLI::App& app, Options& options) {
  app.option_defaults()->always_capture_default(false);
  describe(app, "Usage: telc FILE [OPTIONS]\n       telc COMMAND --help\n",
           std::string("An option takes one value; a list is written with commas.\n\n"
                       "Examples:\n"
                       "  telc mlp.tel -o mlp.o --header mlp.hpp\n"
                       "  telc mlp.tel --target cpu --emit llvm\n"
                       "  telc --explain TEL-E0301\n\n") +
               documentation);
  add_compile(app, options);
  add_run(app, options.run);
  add_check_gradients(app, options.check_gradients);
  add_check(app, options.check);
  add_format(app, options.format);
  app.require_subcommand(0, 1);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("telc compiles a module of the Tensor Expression Language to an object and a header", "telc");
  Options options;
  add_commands(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (app.got_subcommand("run")) return run(options.run);
  if (app.got_subcommand("check-gradients")) return check_gradients(options.check_gradients);
  if (app.got_subcommand("check")) return check(options.check);
  if (app.got_subcommand("fmt")) return format(options.format);
  const bool json = options.compile.source.json;
  if (app.count("--explain") > 0) return explain(options.explain, json);
  if (app.count("--device-report") > 0) {
    options.device_report.json_messages = json;
    return device_report(options.device_report);
  }
  if (options.compile.source.file.empty()) return refuse("no FILE; telc --help lists what there is", json);
  return compile(options.compile);
}

}  // namespace telc
