#include "tests/support/object.h"

#include "codegen/compile.h"

namespace test {

std::unique_ptr<codegen::LoadedObject> load(const dlvm::Module& module, const std::string& source,
                                            std::string& why, const codegen::DeviceOptions& devices) {
  dlvm::Diagnostics diagnostics;
  codegen::CompileOptions options;
  options.source = source;
  options.devices = devices;
  auto compiled = codegen::compile(module, options, diagnostics);
  if (compiled) return codegen::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  why = dlvm::render(diagnostics);
  return nullptr;
}

}  // namespace test
