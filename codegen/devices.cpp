#include "codegen/devices.h"

#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

#include "codegen/kernel/build/build.h"
#include "codegen/schedule/text/text.h"
#include "codegen/target/emulator/emulator.h"
#include "codegen/target/nvptx/diagnostics.h"
#include "codegen/target/nvptx/images.h"
#include "codegen/target/nvptx/ptxas.h"
#include "dlvm/support/internal_error.h"

namespace codegen {
namespace {

using target::gpu::Architecture;
using target::gpu::Image;

/// Memory costs a device more than arithmetic, and a product's operands are copied as they lie.
constexpr kernel::RecomputeLimits recompute_limits{32, 0};

/// The classes of the architectures, the newest first.
std::vector<const schedule::gpu::GpuTarget*> classes_of(const std::vector<Architecture>& architectures) {
  std::vector<const schedule::gpu::GpuTarget*> chips;
  for (const Architecture& one : architectures) chips.push_back(&schedule::gpu::target_of(one.number));
  std::sort(chips.begin(), chips.end(),
            [](const auto* a, const auto* b) { return a->capability > b->capability; });
  chips.erase(std::unique(chips.begin(), chips.end()), chips.end());
  return chips;
}

std::optional<target::nvptx::Toolkit> needed_toolkit(const char* what, dlvm::Diagnostics& diagnostics) {
  auto toolkit = target::nvptx::find_toolkit();
  if (!toolkit) diagnostics.report(target::nvptx::assembler_needed, {}, what);
  return toolkit;
}

}  // namespace

std::optional<DeviceCode> DeviceCode::make(const dlvm::Module& module,
                                           const std::vector<DeviceEntry>& entries,
                                           const DeviceOptions& options, llvm::LLVMContext& context,
                                           dlvm::Diagnostics& diagnostics) {
  DeviceCode made;
  made.module_ = module.name();
  made.options_ = options;
  for (const schedule::gpu::GpuTarget* chip : classes_of(options.architectures)) {
    Program program;
    program.chip = chip;
    program.kernels.lines = options.images.lines;
    for (const Architecture& one : options.architectures)
      if (&schedule::gpu::target_of(one.number) == chip) program.architectures.push_back(one);
    if (!schedule(program, module, entries, options.tf32, diagnostics)) return std::nullopt;
    if (!made.programs_.empty() && schedules(made.programs_.back()) == schedules(program)) {
      auto& newer = made.programs_.back().architectures;
      program.architectures.insert(program.architectures.begin(), newer.begin(), newer.end());
      made.programs_.pop_back();
    }
    made.programs_.push_back(std::move(program));
  }
  for (Program& program : made.programs_) {
    program.code = std::make_unique<llvm::Module>(module.name(), context);
    program.code->setDataLayout("e-i64:64-i128:128-n16:32:64");  // as on every device and host
    for (Function& function : program.functions)
      function.grids = target::gpu::emit_kernels(*program.code, program.kernels, function.scheduled,
                                                 function.entry.dimensions);
  }
  return made;
}

bool DeviceCode::schedule(Program& program, const dlvm::Module& module,
                          const std::vector<DeviceEntry>& entries, bool tf32,
                          dlvm::Diagnostics& diagnostics) {
  for (const DeviceEntry& entry : entries) {
    const dlvm::Function& function = *module.function(entry.function);
    kernel::BuildOptions options;
    options.recompute = recompute_limits;
    auto kernels = kernel::build(function, diagnostics, options);
    if (!kernels) return false;
    program.functions.push_back(
        {entry, target::gpu::schedule_program(std::move(*kernels), function, *program.chip, tf32), {}});
  }
  return true;
}

std::string DeviceCode::schedules(const Program& program) {
  std::string text;
  for (const Function& function : program.functions)
    for (const auto& schedule : function.scheduled.schedules) text += schedule::print(schedule) + "\n";
  return text;
}

const DeviceCode::Program& DeviceCode::program_for(const Architecture& architecture) const {
  for (const Program& program : programs_)
    if (program.chip->capability <= architecture.number) return program;
  return programs_.back();
}

std::string DeviceCode::schedules(const Architecture& architecture) const {
  return schedules(program_for(architecture));
}

std::optional<std::string> DeviceCode::ptx(const Architecture& architecture,
                                           dlvm::Diagnostics& diagnostics) const {
  const Program& program = program_for(architecture);
  return target::nvptx::make_ptx(*program.code, program.kernels, architecture, diagnostics);
}

std::optional<std::string> DeviceCode::cubin(const Architecture& architecture,
                                             dlvm::Diagnostics& diagnostics) const {
  const auto toolkit = needed_toolkit("--emit=cubin", diagnostics);
  if (!toolkit) return std::nullopt;
  const Program& program = program_for(architecture);
  target::nvptx::ImageOptions options = options_.images;
  options.whole = true;
  auto images = target::nvptx::make_images(*program.code, program.kernels, {architecture}, &*toolkit, options,
                                           diagnostics);
  if (!images) return std::nullopt;
  return std::move(images->all.front().bytes);
}

std::optional<std::string> DeviceCode::report(dlvm::Diagnostics& diagnostics) const {
  const auto toolkit = needed_toolkit("--emit=sass-report", diagnostics);
  if (!toolkit) return std::nullopt;
  std::string report;
  for (const Program& program : programs_) {
    auto images = target::nvptx::make_images(*program.code, program.kernels, program.architectures, &*toolkit,
                                             options_.images, diagnostics);
    if (!images) return std::nullopt;
    report += images->report;
  }
  return report;
}

std::optional<DeviceTables> DeviceCode::add_to(llvm::Module& host, dlvm::Diagnostics& diagnostics) const {
  const auto toolkit = options_.cuda ? target::nvptx::find_toolkit() : std::nullopt;
  if (options_.cuda && !toolkit) diagnostics.report(target::nvptx::no_assembler, {});
  std::vector<target::gpu::ProgramTables> tables;
  for (const Program& program : programs_) {
    target::gpu::ProgramTables& table = tables.emplace_back();
    table.architecture = program.chip->capability;
    table.kernels = &program.kernels;
    if (options_.cuda) {
      auto images = target::nvptx::make_images(*program.code, program.kernels, program.architectures,
                                               toolkit ? &*toolkit : nullptr, options_.images, diagnostics);
      if (!images) return std::nullopt;
      // With its PTX: a driver older than the Toolkit refuses the machine code.
      table.images = std::move(images->all);
      table.toolkit = toolkit ? toolkit->version : 0;
    }
    if (options_.emulator && tables.size() == 1) table.emulated = add_emulated(host, program);
    for (const Function& function : program.functions) {
      const std::string name =
          function.entry.compute + ".enqueue_" + std::to_string(program.chip->capability);
      table.entries[function.entry.compute] = {
          &function.scheduled,
          target::gpu::emit_enqueue(host, name, function.scheduled, function.grids,
                                    function.entry.dimensions),
          function.entry.dimensions};
    }
  }
  target::gpu::add_contents(host, contents(tables));
  return target::gpu::add_tables(host, tables);
}

target::gpu::Contents DeviceCode::contents(const std::vector<target::gpu::ProgramTables>& tables) const {
  target::gpu::Contents contents;
  contents.module = module_;
  for (const Function& function : programs_.front().functions)
    contents.entries.push_back(function.entry.function);
  contents.emulator = !tables.front().emulated.empty();
  for (const target::gpu::ProgramTables& table : tables) {
    std::vector<std::map<std::string, target::gpu::KernelCode>> code;
    for (const Image& image : table.images) {
      const std::string chip = image.architecture.name();
      const std::size_t bytes = image.bytes.size() + (image.beside ? image.beside->bytes.size() : 0);
      contents.images.push_back({chip, image.is_ptx, static_cast<std::int64_t>(bytes)});
      if (!image.is_ptx) code.push_back(target::nvptx::kernels_of(image.report, chip));
    }
    for (const target::gpu::Kernel& kernel : table.kernels->all) {
      auto& described = contents.kernels.emplace_back();
      described = {kernel.name, kernel.threads, kernel.shared, {}};
      for (const auto& chip : code)
        if (const auto at = chip.find(kernel.name); at != chip.end()) described.code.push_back(at->second);
    }
  }
  return contents;
}

/// The kernels as functions of the host that a thread of the emulator runs.
std::vector<llvm::Function*> DeviceCode::add_emulated(llvm::Module& host, const Program& program) {
  auto copy = llvm::CloneModule(*program.code);
  copy->setTargetTriple(host.getTargetTriple());
  copy->setDataLayout(host.getDataLayout());
  std::vector<std::string> names;
  for (const target::gpu::Kernel& kernel : program.kernels.all) names.push_back(kernel.name);
  target::emulator::lower_for_emulator(*copy, names);
  if (llvm::Linker::linkModules(host, std::move(copy)))
    dlvm::internal_error("the emulator's kernels do not link");
  std::vector<llvm::Function*> functions;
  for (const std::string& name : names) functions.push_back(host.getFunction(name + ".emulated"));
  return functions;
}

}  // namespace codegen
