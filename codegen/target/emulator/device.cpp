#include "codegen/target/emulator/device.h"

#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "codegen/target/emulator/emulator.h"
#include "dlvm/support/internal_error.h"

namespace codegen::target::emulator {
namespace {

/// The kernels as functions of the host that a thread of the emulator runs.
bool finish(std::span<const gpu::KernelModule> modules, std::span<gpu::ProgramTables> tables,
            llvm::Module& host, const gpu::DeviceOptions&, dlvm::Diagnostics&) {
  const gpu::KernelModule& newest = modules.front();
  auto copy = llvm::CloneModule(*newest.code);
  copy->setTargetTriple(host.getTargetTriple());
  copy->setDataLayout(host.getDataLayout());
  std::vector<std::string> names;
  for (const gpu::Kernel& kernel : newest.kernels->all) names.push_back(kernel.name);
  lower_for_emulator(*copy, names);
  if (llvm::Linker::linkModules(host, std::move(copy)))
    dlvm::internal_error("the emulator's kernels do not link");
  tables.front().is_emulated = true;
  for (const std::string& name : names)
    tables.front().emulated.push_back(host.getFunction(name + ".emulated"));
  return true;
}

}  // namespace

constexpr gpu::Device device{.finish = finish, .texts = {}, .messages = {}, .execution = TEL_EMULATOR};

}  // namespace codegen::target::emulator
