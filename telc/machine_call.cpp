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
  if (const codegen::Target* device = codegen::target_named(options.device); device->device != nullptr)
    compile.targets.push_back(device);
  compile.devices.tf32 = options.tf32;
  codegen::jit::Place place;
  if (options.device == "cuda") place.kind = codegen::jit::Place::Kind::gpu;
  if (options.device == "emulator") place.kind = codegen::jit::Place::Kind::emulator;
  auto compiled = codegen::compile(module, compile, diagnostics);
  if (!compiled) return std::nullopt;
  const auto object = codegen::jit::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  if (object == nullptr) return std::nullopt;
  auto loaded = object->prepare(entry, call, why, place);
  if (!loaded || !repeated(options.repeat, seconds, [&] { return loaded->run(why); })) return std::nullopt;
  return loaded->results();
}

}  // namespace telc
