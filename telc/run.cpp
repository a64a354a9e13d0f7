// telc run: an entry point on the interpreter or the processor.
#include <fmt/format.h>

#include <chrono>

#include "codegen/compile.h"
#include "codegen/load/load.h"
#include "dlvm/interpret/entry_call.h"
#include "dlvm/interpret/report.h"
#include "telc/call_inputs.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"
#include "telc/streams.h"

namespace telc {
namespace {

using Seconds = std::vector<double>;

/// Calls `once` as often as asked, and takes the times.
template <typename Once>
auto repeated(int repeat, Seconds& seconds, Once once) {
  auto results = once();
  for (int i = 0; i < repeat && results; ++i) {
    const auto start = std::chrono::steady_clock::now();
    results = once();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return results;
}

void report(const dlvm::EntryPoint& entry, const dlvm::InterpretError& error, Session& session) {
  const dlvm::Location location = error.locations.empty() ? dlvm::Location() : error.locations.front();
  session.diagnostics().report(call_failed, location, entry.name, error.text);
}

std::optional<dlvm::NamedTensors> on_interpreter(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                                                 const dlvm::EntryCall& call, const RunOptions& options,
                                                 Seconds& seconds, Session& session) {
  dlvm::InterpretOptions interpret;
  interpret.float64 = options.interpret == "float64";
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
  const auto failed = [&](const std::string& why) {
    session.diagnostics().report(call_failed, entry.location, entry.name, why);
    return std::nullopt;
  };
  codegen::CompileOptions compile;
  compile.target.cpu = "native";
  compile.source = options.source.file;
  compile.devices.cuda = options.device == "cuda";
  compile.devices.emulator = options.device == "emulator";
  compile.devices.tf32 = options.tf32;
  codegen::Place place;
  if (compile.devices.cuda) place.kind = codegen::Place::Kind::cuda;
  if (compile.devices.emulator) place.kind = codegen::Place::Kind::emulator;
  auto compiled = codegen::compile(module, compile, session.diagnostics());
  if (!compiled) return std::nullopt;
  std::string why;
  const auto object = codegen::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  if (object == nullptr) return failed(why);
  auto loaded = object->prepare(entry, call, why, place);
  if (!loaded || !repeated(options.repeat, seconds, [&] { return loaded->run(why); })) return failed(why);
  return loaded->results();
}

/// Whether every declaration is finite, in the interpreter; if not, the first that is not is reported.
bool is_finite(const dlvm::EntryPoint& entry, const dlvm::EntryCall& call, Session& session) {
  const auto module = session.expanded();
  if (module == nullptr) return false;
  dlvm::InterpretOptions interpret;
  interpret.check_finite = true;
  dlvm::InterpretError error;
  if (dlvm::interpret_entry(*module, entry, call, interpret, error)) return true;
  report(entry, error, session);
  return false;
}

void give(const RunOptions& options, const dlvm::NamedTensors& results, const Seconds& seconds,
          Session& session) {
  if (!options.output.empty()) {
    dlvm::FileError error;
    if (!dlvm::write_safetensors(options.output, results, error)) session.report_file(error);
  }
  if (options.json) {
    print(dlvm::summary_json(options.entry, options.device, results, seconds));
    return;
  }
  if (options.output.empty()) print(dlvm::summary(results));
  if (!seconds.empty()) print(fmt::format("median {:.6g} s of {}\n", dlvm::median(seconds), seconds.size()));
}

}  // namespace

int run(const RunOptions& options) {
  Session session(options.source);
  const auto given = read_inputs(options.inputs, options.weights, options.seed, session);
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
  std::vector<std::string> problems;
  const auto call = dlvm::prepare_call(*module, *entry, *given, problems);
  if (!call) {
    auto& diagnostic = session.diagnostics().report(bad_call, entry->location, entry->name);
    for (auto& problem : problems) diagnostic.note(std::move(problem));
    return session.finish();
  }
  if (options.check_finite && !is_finite(*entry, *call, session)) return session.finish();
  Seconds seconds;
  const auto results = (options.device == "interpreter" ? on_interpreter : on_machine)(
      *module, *entry, *call, options, seconds, session);
  if (results) give(options, *results, seconds, session);
  return session.finish();
}

}  // namespace telc
