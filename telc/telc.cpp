// telc: the command line of the compiler.
#include <CLI/CLI.hpp>

#include "codegen/gpu/images.h"
#include "telc/arguments.h"
#include "telc/commands.h"
#include "telc/streams.h"

namespace {

using namespace telc;

void add_source_options(CLI::App& app, SourceOptions& source, bool required = true) {
  app.add_option("FILE", source.file, "the module (.tel, or .dl; - is standard input)")
      ->required(required)
      ->check(check_file_name);
  app.add_option("-D", source.defines, "NAME=NUMBER: a dimension")
      ->check(check_define)
      ->allow_extra_args(false);
  app.add_option("-I", source.folders, "a folder to search for imports")
      ->check(check_file_name)
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--diagnostics", [&source](const std::string& form) { source.json = form == "json"; },
         "how messages are written")
      ->check(CLI::IsMember({"text", "json"}));
}

void add_input_options(CLI::App& app, std::vector<std::string>& inputs, std::string& weights,
                       std::uint64_t& seed) {
  app.add_option("--in", inputs, "NAME=FILE.npy or FILE.safetensors (repeatable)")
      ->check(check_file_name)
      ->allow_extra_args(false);
  app.add_option("--weights", weights, "FILE.safetensors: parameters and constants")->check(check_file_name);
  app.add_option("--seed", seed, "of initial values and random numbers");
}

void add_tf32(CLI::App& app, bool& tf32) {
  app.add_flag("--tf32", tf32, "float32 products on tensor cores to 10 bits of mantissa, faster");
}

void add_compile(CLI::App& app, CompileOptions& options, DeviceReportOptions& report, std::string& code) {
  add_source_options(app, options.source, false);
  const auto add_output = [&](const char* name, std::string& file, const char* what) {
    app.add_option(name, file, what)->check(check_file_name);
  };
  add_output("-o", options.output, "the output file (- is standard output)");
  add_output("--header", options.header, "write the C and C++ header here");
  add_output("--manifest", options.manifest, "write a description in JSON here");
  add_output("--depfile", options.depfile, "write the files read, as a make rule, here");
  app.add_option("--emit", options.emit, "what to write")
      ->check(CLI::IsMember({"ast", "dlvm", "dlvm-opt", "kernels", "schedule", "llvm", "ptx", "cubin",
                             "sass-report", "asm", "obj"}));
  app.add_option("--target", options.targets,
                 "what to compile for: cpu,cuda,emulator (default: cpu, and cuda where ptxas is found)")
      ->delimiter(',')
      ->check(CLI::IsMember({"cpu", "cuda", "emulator"}));
  app.add_option("--gpu-arch", options.architectures, "chips to make machine code for: sm_80,sm_90a")
      ->delimiter(',')
      ->check(CLI::IsMember(codegen::gpu::architectures()));
  add_tf32(app, options.tf32);
  app.add_option("--ptxas-limit", options.ptxas_limit, "how many seconds ptxas may take for one chip")
      ->check(CLI::PositiveNumber);
  app.add_flag("-g", options.debug, "the lines of the source, for debuggers and profilers");
  app.add_option("--mcpu", options.cpu, "processor: native, or a name or level that LLVM knows");
  app.add_option("-O", options.optimization, "0 to 3")->check(CLI::Range(0, 3));
  app.add_option_function<std::string>(
         "--report", [&options](const std::string&) { options.report_time = true; },
         "what to say to standard error: how long each step took")
      ->check(CLI::IsMember({"time"}));
  app.add_option("--device-report", report.file, "FILE.o: list what code for devices an object holds")
      ->check(check_file_name);
  app.add_flag("--json", report.json, "that list as JSON");
  app.add_option("--explain", code, "explain a message by its code");
}

CLI::App* add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "run an entry point");
  add_source_options(*run, options.source);
  run->add_option("ENTRY", options.entry, "the entry point (default: forward)");
  add_input_options(*run, options.inputs, options.weights, options.seed);
  run->add_option("--out", options.output, "FILE.safetensors: the results (else a summary)")
      ->check(check_file_name);
  run->add_option("--device", options.device, "where it runs")
      ->check(CLI::IsMember({"cpu", "interpreter", "emulator", "cuda"}));
  add_tf32(*run, options.tf32);
  run->add_option("--interpret", options.interpret, "the interpreter's arithmetic")
      ->check(CLI::IsMember({"rounded", "float64"}));
  run->add_option("--repeat", options.repeat, "run so often and report the median time")
      ->check(CLI::Range(1, 1000000));
  run->add_flag("--json", options.json, "the summary as JSON");
  run->add_flag("--check-finite", options.check_finite, "name the first declaration that is not finite");
  return run;
}

CLI::App* add_check_gradients(CLI::App& app, CheckGradientsOptions& options) {
  CLI::App* check =
      app.add_subcommand("check-gradients", "compare every derivative with central differences");
  add_source_options(*check, options.source);
  add_input_options(*check, options.inputs, options.weights, options.seed);
  check->add_option("--elements", options.elements, "how many elements of a large tensor are checked")
      ->check(CLI::Range(1, 1000000000));
  return check;
}

/// Parses the command line and runs its command.
int run_command_line(int argc, char** argv) {
  CLI::App app{"The compiler of the Tensor Expression Language"};
  app.option_defaults()->always_capture_default(false);
  CompileOptions compile_options;
  RunOptions run_options;
  CheckGradientsOptions gradient_options;
  SourceOptions check_options;
  FormatOptions format_options;
  DeviceReportOptions report_options;
  std::string code;

  add_compile(app, compile_options, report_options, code);
  const CLI::App* run_command = add_run(app, run_options);
  const CLI::App* gradients_command = add_check_gradients(app, gradient_options);
  CLI::App* check_command = app.add_subcommand("check", "only report what is wrong");
  add_source_options(*check_command, check_options);
  CLI::App* format_command = app.add_subcommand("fmt", "print a module in the canonical layout");
  add_source_options(*format_command, format_options.source);
  format_command->add_flag("--write", format_options.write, "change the file");
  format_command->add_flag("--check", format_options.check, "only say whether it would change");
  app.require_subcommand(0, 1);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_command_line;
  }
  if (run_command->parsed()) return run(run_options);
  if (gradients_command->parsed()) return check_gradients(gradient_options);
  if (check_command->parsed()) return check(check_options);
  if (format_command->parsed()) return format(format_options);
  if (!code.empty()) return explain(code);
  if (!report_options.file.empty()) return device_report(report_options);
  if (compile_options.source.file.empty()) {
    print_error("telc: no FILE; telc --help lists what there is\n");
    return wrong_command_line;
  }
  return compile(compile_options);
}

}  // namespace

int main(int argc, char** argv) {
  open_streams();
  return close_streams(run_command_line(argc, argv));
}
