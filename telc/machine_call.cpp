#include "telc/machine_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/compile.h"
#include "codegen/jit/load.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/dimension_names.h"
#include "telc/progress.h"

namespace telc {
namespace {

/// The dimensions that neither an input nor the call gives, before code is generated for nothing.
std::vector<std::string> missing_dimensions(const dlvm::Function& function, const dlvm::EntryCall& call) {
  std::set<std::string> of_inputs;
  for (const dlvm::Type& parameter : function.type().parameters()) parameter.collect_names(of_inputs);
  std::vector<std::string> missing;
  for (const std::string& name : dlvm::dimension_names(function))
    if (!of_inputs.contains(name) && !call.dimensions.contains(name)) missing.push_back(name);
  return missing;
}

/// Says which dimensions are missing, and what those mean that the program does not declare.
std::string why_missing(const std::vector<std::string>& missing) {
  std::string options, about;
  for (const std::string& name : missing) {
    options += fmt::format(" -D {}=100", name);
    if (const std::string text = dlvm::meaning_of_bound(name); !text.empty())
      about += fmt::format("; {} is {}", name, text);
  }
  const bool one = missing.size() == 1;
  return fmt::format("no input gives the dimension{} '{}'; give {} with -D, for instance{}{}", one ? "" : "s",
                     fmt::join(missing, "', '"), one ? "it" : "them", options, about);
}

/// Compiles, and tells what takes long.
std::optional<codegen::Compiled> compile_telling(const dlvm::Module& module, codegen::CompileOptions& options,
                                                 dlvm::Diagnostics& diagnostics) {
  dlvm::Times times;
  Progress progress;
  progress.listen(times);
  options.pipeline.times = options.devices.times = &times;
  return codegen::compile(module, options, diagnostics);
}

}  // namespace

std::optional<dlvm::NamedTensors> call_on_machine(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                                                  const dlvm::EntryCall& call, const MachineOptions& options,
                                                  Seconds& seconds, dlvm::Diagnostics& diagnostics,
                                                  std::string& why) {
  if (const auto missing = missing_dimensions(*module.function(entry.function), call); !missing.empty()) {
    why = why_missing(missing);
    return std::nullopt;
  }
  codegen::CompileOptions compile;
  compile.target.cpu = "native";
  compile.source = options.source;
  compile.devices.tf32 = options.tf32;
  codegen::jit::CallTarget computes_on;
  if (const codegen::Target* target = codegen::target_named(options.device); target->device != nullptr) {
    compile.targets.push_back(target);
    computes_on.kind = static_cast<codegen::jit::CallTarget::Kind>(target->device->execution);
  }
  auto compiled = compile_telling(module, compile, diagnostics);
  if (!compiled) return std::nullopt;
  const auto object = codegen::jit::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  if (object == nullptr) return std::nullopt;
  auto loaded = object->prepare(entry, call, why, computes_on);
  if (!loaded || !repeated(options.repeat, seconds, [&] { return loaded->run(why); })) return std::nullopt;
  return loaded->results();
}

}  // namespace telc
