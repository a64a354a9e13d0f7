#include "codegen/devices.h"

#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "codegen/emulator/emulator.h"
#include "codegen/gpu/diagnostics.h"
#include "codegen/gpu/images.h"
#include "codegen/gpu/ptxas.h"
#include "codegen/kernel/build.h"
#include "codegen/schedule/text.h"
#include "dlvm/diagnostics/internal_error.h"

namespace codegen {
namespace {

constexpr int least_architecture = 75;

}  // namespace

std::optional<DeviceCode> DeviceCode::make(const dlvm::Module& module,
                                           const std::vector<DeviceEntry>& entries,
                                           llvm::LLVMContext& context, dlvm::Diagnostics& diagnostics) {
  DeviceCode made;
  made.module_ = module.name();
  made.code_ = std::make_unique<llvm::Module>(module.name() + ".kernels", context);
  made.code_->setDataLayout("e-i64:64-i128:128-n16:32:64");  // as on every device and host
  for (const DeviceEntry& entry : entries) {
    const dlvm::Function& function = *module.function(entry.function);
    auto program = kernel::build(function, diagnostics);
    if (!program) return std::nullopt;
    Scheduled scheduled =
        device::schedule_program(std::move(*program), function, schedule::chip_of(least_architecture));
    auto grids = device::emit_kernels(*made.code_, made.kernels_, scheduled, entry.dimensions);
    made.functions_.push_back({entry, std::move(scheduled), std::move(grids)});
  }
  return made;
}

std::string DeviceCode::schedules() const {
  std::string text;
  for (const Function& function : functions_)
    for (const auto& schedule : function.scheduled.schedules) text += schedule::print(schedule) + "\n";
  return text;
}

std::optional<std::string> DeviceCode::ptx(const device::Architecture& architecture,
                                           dlvm::Diagnostics& diagnostics) const {
  return gpu::make_ptx(*code_, kernels_, architecture, diagnostics);
}

std::optional<std::string> DeviceCode::cubin(const device::Architecture& architecture,
                                             dlvm::Diagnostics& diagnostics) const {
  if (!gpu::find_ptxas()) {
    diagnostics.report(gpu::assembler_needed, {}, "--emit=cubin");
    return std::nullopt;
  }
  auto images = gpu::make_images(*code_, kernels_, {architecture}, diagnostics);
  if (!images) return std::nullopt;
  return std::move(images->all.front().bytes);
}

std::optional<std::string> DeviceCode::report(const DeviceOptions& options,
                                              dlvm::Diagnostics& diagnostics) const {
  auto images = gpu::make_images(*code_, kernels_, options.architectures, diagnostics);
  if (!images) return std::nullopt;
  return std::move(images->report);
}

std::optional<DeviceTables> DeviceCode::add_to(llvm::Module& host, const DeviceOptions& options,
                                               dlvm::Diagnostics& diagnostics) const {
  device::Targets targets;
  if (options.cuda) {
    auto images = gpu::make_images(*code_, kernels_, options.architectures, diagnostics);
    if (!images) return std::nullopt;
    targets.images = std::move(images->all);
  }
  if (options.emulator) targets.emulated = add_emulated(host);
  std::map<std::string, device::EntryProgram> programs;
  for (const Function& function : functions_) {
    llvm::Function* enqueue =
        device::emit_enqueue(host, function.entry.compute + ".enqueue", function.scheduled, function.grids,
                             function.entry.dimensions);
    programs[function.entry.compute] = {&function.scheduled, enqueue, function.entry.dimensions};
  }
  device::add_contents(host, contents(targets));
  return device::add_tables(host, kernels_, programs, targets);
}

device::Contents DeviceCode::contents(const device::Targets& targets) const {
  device::Contents contents;
  contents.module = module_;
  for (const Function& function : functions_) contents.entries.push_back(function.entry.function);
  contents.emulator = !targets.emulated.empty();
  std::vector<std::map<std::string, device::KernelCode>> code;
  for (const device::Image& image : targets.images) {
    const std::string chip = image.architecture.name();
    contents.images.push_back({chip, image.is_ptx, static_cast<std::int64_t>(image.bytes.size())});
    if (!image.is_ptx) code.push_back(gpu::kernels_of(image.report, chip));
  }
  for (const device::Kernel& kernel : kernels_.all) {
    auto& described = contents.kernels.emplace_back();
    described = {kernel.name, kernel.threads, kernel.shared, {}};
    for (const auto& chip : code)
      if (const auto at = chip.find(kernel.name); at != chip.end()) described.code.push_back(at->second);
  }
  return contents;
}

/// The kernels as functions of the host that a thread of the emulator runs.
std::vector<llvm::Function*> DeviceCode::add_emulated(llvm::Module& host) const {
  auto copy = llvm::CloneModule(*code_);
  copy->setTargetTriple(host.getTargetTriple());
  copy->setDataLayout(host.getDataLayout());
  std::vector<std::string> names;
  for (const device::Kernel& kernel : kernels_.all) names.push_back(kernel.name);
  emulator::lower_for_emulator(*copy, names);
  if (llvm::Linker::linkModules(host, std::move(copy)))
    dlvm::internal_error("the emulator's kernels do not link");
  std::vector<llvm::Function*> functions;
  for (const std::string& name : names) functions.push_back(host.getFunction(name + ".emulated"));
  return functions;
}

}  // namespace codegen
