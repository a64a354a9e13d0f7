#include "tests/support/object.h"

#include <cstdlib>
#include <sstream>

#include "codegen/compile.h"
#include "dlvm/support/files.h"

namespace test {
namespace {

std::optional<codegen::Compiled> compile(const dlvm::Module& module, const std::string& source,
                                         const std::vector<std::string>& devices,
                                         const std::vector<codegen::target::gpu::Architecture>& architectures,
                                         std::string& why) {
  dlvm::Diagnostics diagnostics;
  codegen::CompileOptions options;
  options.source = source;
  options.pipeline.verify_each = true;
  if (const char* cpu = std::getenv("TEL_TEST_CPU")) options.target.cpu = cpu;
  for (const std::string& name : devices) options.targets.push_back(codegen::target_named(name));
  if (!architectures.empty()) options.devices.architectures = architectures;
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

std::unique_ptr<codegen::jit::LoadedObject> load(const dlvm::Module& module, const std::string& source,
                                                 std::string& why, const Devices& devices) {
  std::vector<std::string> names;
  if (devices.cuda) names.emplace_back("cuda");
  if (devices.emulator) names.emplace_back("emulator");
  std::vector<codegen::target::gpu::Architecture> chips;
  if (devices.architecture > 0) chips.push_back({devices.architecture, false});
  auto compiled = compile(module, source, names, chips, why);
  if (!compiled) return nullptr;
  return codegen::jit::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
}

bool record(const dlvm::Module& module, const std::string& source, std::string& why) {
  const char* chips = std::getenv("TEL_TEST_GPU_ARCH");
  std::vector<std::string> devices;
  if (chips == nullptr || std::string_view(chips) != "none") devices = {"cuda", "emulator"};
  auto compiled = compile(module, source, devices,
                          devices.empty() ? decltype(architectures(chips))() : architectures(chips), why);
  if (!compiled) return false;
  const std::string folder = std::getenv("TEL_TEST_RECORD");
  dlvm::FileError error;
  const bool written =
      dlvm::write_file(folder + "/" + object_name(module) + ".o", std::move(compiled->bytes), error);
  if (!written) why = error.text;
  return written;
}

}  // namespace test
