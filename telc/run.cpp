// telc run: an entry point on the interpreter or the processor.
#include <fmt/format.h>

#include <filesystem>

#include "dlvm/call/entry_call.h"
#include "dlvm/io/report.h"
#include "telc/call_inputs.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"
#include "telc/machine_call.h"
#include "telc/outputs.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {
namespace {

void report(const dlvm::EntryPoint& entry, const dlvm::InterpretError& error, Session& session) {
  const dlvm::Location location = error.locations.empty() ? dlvm::Location() : error.locations.front();
  session.diagnostics().report(call_failed, location, entry.name, error.text);
}

std::optional<dlvm::NamedTensors> on_interpreter(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                                                 const dlvm::EntryCall& call, const RunOptions& options,
                                                 Seconds& seconds, Session& session) {
  dlvm::InterpretOptions interpret;
  interpret.float64 = options.interpret == "float64";
  interpret.step_limit = options.step_limit;
  dlvm::InterpretError error;
  auto results = repeated(options.repeat, seconds,
                          [&] { return dlvm::interpret_entry(module, entry, call, interpret, error); });
  if (!results) report(entry, error, session);
  return results;
}

/// On this machine, from an object made for it.
std::optional<dlvm::NamedTensors> on_machine(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                                             const dlvm::EntryCall& call, const RunOptions& options,
                                             Seconds& seconds, Session& session) {
  std::string why;
  auto results = call_on_machine(module, entry, call,
                                 {options.device, options.tf32, options.source.file, options.repeat}, seconds,
                                 session.diagnostics(), why);
  if (!results && !session.diagnostics().has_errors())
    session.diagnostics().report(call_failed, entry.location, entry.name, why);
  return results;
}

/// Whether every declaration is finite, in the interpreter; if not, the first that is not is reported.
bool is_finite(const dlvm::EntryPoint& entry, const dlvm::EntryCall& call, const RunOptions& options,
               Session& session) {
  const auto module = session.expanded();
  if (module == nullptr) return false;
  dlvm::InterpretOptions interpret;
  interpret.check_finite = true;
  interpret.step_limit = options.step_limit;
  dlvm::InterpretError error;
  if (dlvm::interpret_entry(*module, entry, call, interpret, error)) return true;
  report(entry, error, session);
  return false;
}

void give(const RunOptions& options, const dlvm::NamedTensors& results, const Seconds& seconds,
          Session& session) {
  if (!options.output.empty()) {
    dlvm::FileError error;
    if (!dlvm::write_results(options.output, results, error)) session.report_file(error);
  }
  if (options.json) {
    print(dlvm::summary_json(options.entry, options.device, results, seconds));
    return;
  }
  if (options.output.empty()) print(dlvm::summary(results));
  if (!seconds.empty()) print(fmt::format("median {:.6g} s of {}\n", dlvm::median(seconds), seconds.size()));
}

/// The files that the call reads, beside sources.
std::vector<std::string> inputs_of(const RunOptions& options) {
  std::vector<std::string> files{options.source.file};
  for (const std::string& argument : options.inputs) files.push_back(dlvm::given_file(argument));
  if (!options.weights.empty()) files.push_back(options.weights);
  return files;
}

/// Returns why the command line asks for something impossible; nothing where it does not.
std::optional<std::string> impossible(const RunOptions& options) {
  if (options.output.empty()) return std::nullopt;
  return collision({{"--out", options.output}}, inputs_of(options));
}

/// Returns why the results cannot be written to a file of that name; nothing where they can.
std::optional<std::string> wrong_type(const std::string& output) {
  const std::string type = std::filesystem::path(output).extension();
  if (type.empty() || type == ".npy" || type == ".safetensors") return std::nullopt;
  return "--out writes .safetensors or .npy files, not " + type;
}

/// Whether the results can be written as asked; reports it where not.
bool can_write(const RunOptions& options, const dlvm::EntryPoint& entry, Session& session) {
  if (!options.output.ends_with(".npy") || entry.results.size() == 1) return true;
  session.diagnostics()
      .report(several_results, entry.location, options.output, entry.name, entry.results.size())
      .fix("write them by name, with --out FILE.safetensors");
  return false;
}

}  // namespace

int run(const RunOptions& options) {
  if (const auto why = impossible(options)) return refuse(*why, options.source.json);
  Session session(options.source);
  auto given = read_inputs(options.inputs, options.weights, options.seed, session);
  const auto module = !given                            ? nullptr
                      : options.device == "interpreter" ? session.expanded()
                                                        : session.optimized();
  if (module == nullptr) return session.finish();

  std::string why;
  const dlvm::EntryPoint* entry = dlvm::find_entry(*module, options.entry, why);
  if (entry == nullptr) {
    session.diagnostics().report(no_entry, {}, why);
    return session.finish();
  }
  if (!fit_weights(*module, options.weights, *given, session)) return session.finish();
  std::vector<std::string> problems;
  const auto call = dlvm::prepare_call(*module, *entry, *given, problems);
  if (!call) {
    for (const auto& problem : problems)
      session.diagnostics().report(bad_call, entry->location, entry->name, problem);
    return session.finish();
  }
  if (!can_write(options, *entry, session)) return session.finish();
  if (!options.output.empty())
    if (const auto why = collision({{"--out", options.output}}, names_of(session.sources())))
      return session.refuse(*why);
  if (const auto why = wrong_type(options.output)) return session.refuse(*why);
  if (options.check_finite && !is_finite(*entry, *call, options, session)) return session.finish();
  Seconds seconds;
  const auto results = (options.device == "interpreter" ? on_interpreter : on_machine)(
      *module, *entry, *call, options, seconds, session);
  if (results) give(options, *results, seconds, session);
  return session.finish();
}

}  // namespace telc
