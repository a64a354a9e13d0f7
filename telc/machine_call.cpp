#include "telc/machine_call.h"

#include "codegen/compile.h"
#include "codegen/jit/load.h"

namespace telc {

std::optional<dlvm::NamedTensors> call_on_machine(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                                                  const dlvm::EntryCall& call, const MachineOptions& options,
                                                  Seconds& seconds, dlvm::Diagnostics& diagnostics,
                                                  std::string& why) {
  codegen::CompileOptions compile;
  compile.target.cpu = "native";
  compile.source = options.source;
  compile.devices.tf32 = options.tf32;
  codegen::jit::CallTarget computes_on;
  if (const codegen::Target* target = codegen::target_named(options.device); target->device != nullptr) {
    compile.targets.push_back(target);
    computes_on.kind = static_cast<codegen::jit::CallTarget::Kind>(target->device->execution);
  }
  auto compiled = codegen::compile(module, compile, diagnostics);
  if (!compiled) return std::nullopt;
  const auto object = codegen::jit::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  if (object == nullptr) return std::nullopt;
  auto loaded = object->prepare(entry, call, why, computes_on);
  if (!loaded || !repeated(options.repeat, seconds, [&] { return loaded->run(why); })) return std::nullopt;
  return loaded->results();
}

}  // namespace telc
