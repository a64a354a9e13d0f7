#include "tests/support/object.h"

#include <cstdlib>
#include <sstream>

#include "codegen/compile.h"
#include "dlvm/support/files.h"

namespace test {
namespace {

std::optional<codegen::Compiled> compile(const dlvm::Module& module, const std::string& source,
                                         const codegen::DeviceOptions& devices, std::string& why) {
  dlvm::Diagnostics diagnostics;
  codegen::CompileOptions options;
  options.source = source;
  options.devices = devices;
  auto compiled = codegen::compile(module, options, diagnostics);
  if (!compiled) why = dlvm::render(diagnostics);
  return compiled;
}

/// "90a 100a"
std::vector<codegen::target::gpu::Architecture> architectures(const char* list) {
  std::vector<codegen::target::gpu::Architecture> all;
  std::istringstream words(list == nullptr ? "" : list);
  for (std::string word; words >> word;)
    all.push_back({static_cast<int>(std::strtol(word.c_str(), nullptr, 10)), word.back() == 'a'});
  return all;
}

}  // namespace

std::unique_ptr<codegen::LoadedObject> load(const dlvm::Module& module, const std::string& source,
                                            std::string& why, const Devices& devices) {
  codegen::DeviceOptions options;
  options.cuda = devices.cuda;
  options.emulator = devices.emulator;
  if (devices.architecture > 0) options.architectures = {{devices.architecture, false}};
  auto compiled = compile(module, source, options, why);
  if (!compiled) return nullptr;
  return codegen::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
}

bool record(const dlvm::Module& module, const std::string& source, std::string& why) {
  codegen::DeviceOptions devices;
  const char* chips = std::getenv("TEL_TEST_GPU_ARCH");
  devices.cuda = devices.emulator = chips == nullptr || std::string_view(chips) != "none";
  if (auto asked = architectures(chips); devices.cuda && !asked.empty())
    devices.architectures = std::move(asked);
  auto compiled = compile(module, source, devices, why);
  if (!compiled) return false;
  const std::string folder = std::getenv("TEL_TEST_RECORD");
  dlvm::FileError error;
  const bool written =
      dlvm::write_file(folder + "/" + object_name(module) + ".o", std::move(compiled->bytes), error);
  if (!written) why = error.text;
  return written;
}

}  // namespace test
