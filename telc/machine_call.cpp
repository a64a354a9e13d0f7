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
  compile.devices.cuda = options.device == "cuda";
  compile.devices.emulator = options.device == "emulator";
  compile.devices.tf32 = options.tf32;
  codegen::Place place;
  if (compile.devices.cuda) place.kind = codegen::Place::Kind::cuda;
  if (compile.devices.emulator) place.kind = codegen::Place::Kind::emulator;
  auto compiled = codegen::compile(module, compile, diagnostics);
  if (!compiled) return std::nullopt;
  const auto object = codegen::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  if (object == nullptr) return std::nullopt;
  auto loaded = object->prepare(entry, call, why, place);
  if (!loaded || !repeated(options.repeat, seconds, [&] { return loaded->run(why); })) return std::nullopt;
  return loaded->results();
}

}  // namespace telc
