// telc FILE: text, or an object with its header.
#include "codegen/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <set>

#include "codegen/header/header.h"
#include "dlvm/support/output_files.h"
#include "dlvm/text/print.h"
#include "frontend/ast/print.h"
#include "frontend/parse/parse.h"
#include "telc/commands.h"
#include "telc/control_flow_report.h"
#include "telc/diagnostics.h"
#include "telc/kernel_report.h"
#include "telc/memory_report.h"
#include "telc/outputs.h"
#include "telc/pipeline_options.h"
#include "telc/progress.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {
namespace {

/// The text of a level above code generation; nothing after an error.
std::optional<std::string> text_of(const std::string& level, Session& session) {
  if (level == "ast") {
    const dlvm::Source* source = session.source();
    if (source == nullptr) return std::nullopt;
    if (session.is_dlvm()) {
      session.diagnostics().report(needs_source, {}, "--emit=ast");
      return std::nullopt;
    }
    const auto tree = frontend::parse(*source, session.diagnostics());
    if (tree == nullptr || session.diagnostics().has_errors()) return std::nullopt;
    return frontend::ast::print(*tree);
  }
  const auto module = level == "dlvm" ? session.module() : session.optimized();
  if (module == nullptr) return std::nullopt;
  return dlvm::print(*module);
}

std::optional<codegen::EmitKind> emit_kind_named(const std::string& level) {
  constexpr std::pair<std::string_view, codegen::EmitKind> kinds[]{{"kernels", codegen::EmitKind::kernels},
                                                                   {"schedule", codegen::EmitKind::schedule},
                                                                   {"llvm", codegen::EmitKind::llvm},
                                                                   {"asm", codegen::EmitKind::assembly},
                                                                   {"obj", codegen::EmitKind::object}};
  for (const auto& [name, kind] : kinds)
    if (name == level) return kind;
  const codegen::target::gpu::DeviceText* text = nullptr;
  return codegen::target_with_text(level, text) ? std::optional(codegen::EmitKind::device) : std::nullopt;
}

/// A path as a word of a make rule.
std::string make_word(const std::string& path) {
  std::string word;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\') word += '\\';
    if (c == '$') word += '$';
    word += c;
  }
  return word;
}

std::string make_rule(const std::string& target, const dlvm::Sources& sources) {
  std::string rule = make_word(target) + ":";
  for (const auto& source : sources.all())
    if (source->text() && std::filesystem::exists(source->name())) rule += " " + make_word(source->name());
  return rule + "\n";
}

/// Where the output goes when nothing says so: `mlp.o` for `nets/mlp.tel`; texts to standard output.
std::string default_output(const CompileOptions& options) {
  if (options.emit != "obj" && options.emit != "cubin") return "-";
  const std::string& file = options.source.file;
  const std::string stem = file == "-" ? "out" : std::filesystem::path(file).stem().string();
  return stem + (options.emit == "obj" ? ".o" : ".cubin");
}

/// Those asked for, the main one first.
std::vector<Output> outputs_of(const CompileOptions& options) {
  std::vector<Output> outputs{{"-o", options.output.empty() ? default_output(options) : options.output}};
  for (const Output& each : {Output{"--header", options.header}, Output{"--manifest", options.manifest},
                             Output{"--depfile", options.depfile}})
    if (!each.file.empty()) outputs.push_back(each);
  return outputs;
}

bool reports(const CompileOptions& options, std::string_view what) {
  return std::ranges::find(options.reports, what) != options.reports.end();
}

/// Returns why the command line asks for something impossible; nothing where it does not.
std::optional<std::string> impossible(const CompileOptions& options, const std::vector<Output>& outputs) {
  if (!emit_kind_named(options.emit) && !(options.header.empty() && options.manifest.empty()))
    return fmt::format("--emit={} stops before there is a header or a manifest", options.emit);
  if (!options.reports.empty() && options.source.json)
    return fmt::format("--report={} and --diagnostics=json both write to standard error", options.reports[0]);
  const auto needs_code = [](const std::string& report) { return report != "time"; };
  if (const auto report = std::ranges::find_if(options.reports, needs_code);
      report != options.reports.end() && !emit_kind_named(options.emit))
    return fmt::format("--emit={} stops before there is anything for --report={}", options.emit, *report);
  if (!options.sanitizer.empty() && std::ranges::find(options.targets, "emulator") != options.targets.end())
    return "--sanitize=thread cannot follow the threads of --target=emulator, which has checks of its own";
  const auto is_level = [](const std::string& name) { return codegen::object::feature_level(name) > 0; };
  if (options.processors.size() > 1 && !std::ranges::all_of(options.processors, is_level))
    return fmt::format("--mcpu={}: a list has feature levels alone: x86-64, x86-64-v2, x86-64-v3, x86-64-v4",
                       fmt::join(options.processors, ","));
  return collision(outputs, {options.source.file});
}

/// Returns whether the target is a default one: the host is, and for an object each target whose assembler is
/// installed.
bool is_default_target(const codegen::Target& target, const CompileOptions& options) {
  if (&target == &codegen::targets().front()) return true;
  return options.emit == "obj" && target.device != nullptr && target.device->assembler != nullptr &&
         target.device->assembler->find().has_value();
}

void set_targets(const CompileOptions& options, codegen::CompileOptions& compile) {
  compile.targets.clear();
  for (const codegen::Target& target : codegen::targets()) {
    const bool is_asked = options.targets.empty()
                              ? is_default_target(target, options)
                              : std::ranges::find(options.targets, target.name) != options.targets.end();
    if (is_asked) compile.targets.push_back(&target);
  }
  compile.devices.tf32 = options.tf32;
  compile.devices.assembler_limit = options.assembler_limit;
  if (options.architectures.empty()) return;
  compile.devices.architectures.clear();
  for (const std::string& name : options.architectures)
    if (const auto architecture = codegen::parse_architecture(name))
      compile.devices.architectures.push_back(*architecture);
}

/// The processor time that the process has taken.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// `seconds` is all but the process's start.
void print_times(const dlvm::Times& times, double seconds) {
  std::string text;
  const auto add = [&](std::string_view name, double part, double whole) {
    text += fmt::format("{:10.2f} ms {:5.1f} %  {}\n", 1e3 * part, 100 * part / whole, name);
  };
  const double whole = times.all().front().seconds + seconds;
  double rest = whole;
  for (const auto& [name, part] : times.all()) {
    add(name, part, whole);
    rest -= part;
  }
  add("other", rest, whole);
  add("all", whole, whole);
  print_error(text);
}

/// Prints a report of each unit whose memory is planned. Programs for several classes of devices mostly have
/// the same report; it is printed once.
void add_report(codegen::PipelineOptions& pipeline,
                const std::function<std::string(const codegen::Unit&)>& report) {
  pipeline.after = [after = std::move(pipeline.after), report, printed = std::set<std::string>()](
                       const codegen::Step& step, const codegen::Unit& unit, double seconds) mutable {
    if (after) after(step, unit, seconds);
    if (step.to != codegen::Level::planned) return;
    const std::string text = report(unit);
    if (printed.insert(text).second) print_error(text);
  };
}

int compile(const CompileOptions& options, dlvm::Times* times, Progress& progress) {
  const auto outputs = outputs_of(options);
  if (const auto why = impossible(options, outputs)) return refuse(*why, options.source.json);
  const std::string& output = outputs.front().file;
  Session session(options.source, times);
  const auto finish = [&] {
    progress.end();
    return session.finish();
  };
  dlvm::OutputFiles files;
  if (const auto kind = emit_kind_named(options.emit)) {
    const auto module = session.optimized();
    if (module == nullptr) return finish();
    codegen::CompileOptions compile_options;
    compile_options.target.cpu = options.processors.front();
    compile_options.further_levels.assign(options.processors.begin() + 1, options.processors.end());
    compile_options.target.optimization = options.optimization;
    if (options.sanitizer == "thread") compile_options.target.sanitizer = codegen::object::Sanitizer::thread;
    compile_options.emit_kind = *kind;
    compile_options.text = options.emit;
    compile_options.lines = compile_options.devices.lines = options.debug;
    set_targets(options, compile_options);
    compile_options.source = options.source.file;
    compile_options.pipeline = pipeline_options(options.pipeline, times);
    if (reports(options, "control-flow")) add_report(compile_options.pipeline, control_flow_report);
    if (reports(options, "kernels"))
      add_report(compile_options.pipeline,
                 [&](const codegen::Unit& unit) { return kernel_report(*module, unit); });
    compile_options.devices.times = times;
    if (progress.is_shown())
      compile_options.devices.progress = [&](const std::string& what) {
        progress.tell(what, "--target=cpu leaves GPUs out");
      };
    MemoryReport memory(*module);
    if (reports(options, "memory")) memory.listen(compile_options.pipeline);
    auto compiled = codegen::compile(*module, compile_options, session.diagnostics());
    if (!compiled || session.refuses_warnings()) return finish();
    progress.end();
    print_error(memory.text(session.checkpointing()));
    files.add(output, std::move(compiled->bytes));
    const dlvm::ScopedTimer timer(times, "header");
    if (!options.header.empty())
      files.add(options.header, codegen::header::print_header(compiled->interface));
    if (!options.manifest.empty())
      files.add(options.manifest, codegen::header::print_manifest(compiled->interface));
  } else {
    auto text = text_of(options.emit, session);
    if (!text) return finish();
    files.add(output, std::move(*text));
  }
  if (!options.depfile.empty()) files.add(options.depfile, make_rule(output, session.sources()));
  const dlvm::ScopedTimer timer(times, "write");
  if (const auto why = collision(outputs, names_of(session.sources()))) return session.refuse(*why);
  if (dlvm::FileError error; !files.write(error)) session.report_file(error);
  return finish();
}

}  // namespace

int compile(const CompileOptions& options) {
  dlvm::Times times;
  Progress progress;
  progress.listen(times);
  times.add("start", processor_seconds());
  const auto begin = std::chrono::steady_clock::now();
  const int status = compile(options, &times, progress);
  if (!reports(options, "time") || options.source.json) return status;  // which refuses both
  print_times(times, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return status;
}

}  // namespace telc
