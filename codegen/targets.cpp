#include "codegen/targets.h"

#include <llvm/IR/Module.h>

#include <algorithm>

#include "codegen/describe_interface.h"
#include "codegen/schedule/cpu/pack_operands.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/target/cpu/emit_program.h"
#include "codegen/target/cpu/masked_accesses.h"
#include "codegen/target/emulator/device.h"
#include "codegen/target/gpu/fuse_control_flow.h"
#include "codegen/target/gpu/join_launches.h"
#include "codegen/target/nvptx/device.h"
#include "codegen/unit.h"

namespace codegen {
namespace {

using schedule::cpu::CpuTarget;
using schedule::gpu::GpuTarget;

// ------------------------------------------------------------------------------------------------ a core

std::vector<Machine> processor_of(const llvm::TargetMachine& host, const target::gpu::DeviceOptions&) {
  // Rows between products stay in the caches.
  return {
      {.description = target::cpu::cpu_target_of(host), .kernels = {.chains = kernel::ProductChains::all}}};
}

schedule::Schedule schedule_for_core(const kernel::Kernel& kernel, const Machine& machine) {
  return schedule::cpu::schedule_for_cpu(kernel, std::get<CpuTarget>(machine.description));
}

void emit_for_core(Unit& unit) {
  target::cpu::Kernels kernels;
  for (const auto& [name, function] : unit.functions)
    target::cpu::emit_program(*unit.code, compute_symbol(name), function.scheduled, function.dimensions,
                              target::cpu::features_of(*unit.host), kernels, unit.lines);
  if (!target::cpu::has_masked_accesses(*unit.host)) target::cpu::share_masked_accesses(*unit.code);
}

void pack_for_core(kernel::Program& program, const Machine& machine) {
  schedule::cpu::pack_operands(program, std::get<CpuTarget>(machine.description));
}

std::vector<schedule::cpu::FrozenOperand> freeze_for_core(kernel::Program& program,
                                                          const std::set<std::uint32_t>& inputs,
                                                          const Machine& machine) {
  return schedule::cpu::freeze_operands(program, inputs, std::get<CpuTarget>(machine.description));
}

constexpr Backend core{.machines = processor_of,
                       .freeze_operands = freeze_for_core,
                       .pack_operands = pack_for_core,
                       .schedule = schedule_for_core,
                       .workspace = target::cpu::workspace,
                       .emit = emit_for_core};

// ----------------------------------------------------------------------------------------------- grids

/// Memory costs a device more than arithmetic, and a product's operands are copied as they are in memory.
kernel::KernelPolicy kernels_for(const GpuTarget& target) {
  using kernel::ProductChains;
  return {.recompute = {32, 0},
          .chains = target.matrix_instructions ? ProductChains::online : ProductChains::none};
}

/// Returns a machine for each class of GPUs.
std::vector<Machine> classes_of(const llvm::TargetMachine&, const target::gpu::DeviceOptions& options) {
  std::vector<Machine> machines;
  for (const target::gpu::Architecture& architecture : options.architectures) {
    const GpuTarget& capabilities = schedule::gpu::target_of(architecture.number);
    const auto known = std::find_if(machines.begin(), machines.end(), [&](const Machine& machine) {
      return std::get<GpuTarget>(machine.description).capability == capabilities.capability;
    });
    Machine& machine = known == machines.end() ? machines.emplace_back(Machine{capabilities}) : *known;
    machine.kernels = kernels_for(capabilities);
    machine.architectures.push_back(architecture);
    machine.tf32 = options.tf32;
  }
  std::sort(machines.begin(), machines.end(), [](const Machine& a, const Machine& b) {
    return std::get<GpuTarget>(a.description).capability > std::get<GpuTarget>(b.description).capability;
  });
  return machines;
}

void join_for_grids(kernel::Program& program, const Machine& machine) {
  if (machine.single_blocks) target::gpu::join_launches(program, std::get<GpuTarget>(machine.description));
}

void fuse_for_grids(schedule::ScheduledProgram& scheduled, const Machine& machine) {
  if (machine.single_blocks) target::gpu::fuse_control_flow(scheduled);
}

schedule::Schedule schedule_for_grids(const kernel::Kernel& kernel, const Machine& machine) {
  return schedule::gpu::schedule_for_gpu(kernel, std::get<GpuTarget>(machine.description), machine.tf32,
                                         machine.single_blocks);
}

void emit_for_grids(Unit& unit) {
  unit.code->setDataLayout("e-i64:64-i128:128-n16:32:64");  // as on every device and host
  unit.grids.lines = unit.lines;
  for (auto& [name, function] : unit.functions)
    function.grids =
        target::gpu::emit_kernels(*unit.code, unit.grids, function.scheduled, function.dimensions);
}

constexpr Backend grids{.form = ProgramForm::grids,
                        .in_place = false,
                        .machines = classes_of,
                        .join_launches = join_for_grids,
                        .fuse_control_flow = fuse_for_grids,
                        .schedule = schedule_for_grids,
                        .workspace = target::gpu::workspace,
                        .emit = emit_for_grids};

constexpr Target all[]{
    {"cpu", &core, nullptr},
    {target::nvptx::name, &grids, &target::nvptx::device},
    {target::emulator::name, &grids, &target::emulator::device},
};

}  // namespace

std::span<const Target> targets() { return all; }

const Target* target_named(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](auto& target) { return target.name == name; });
  return found == std::end(all) ? nullptr : found;
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const Target& target : all)
    if (target.device != nullptr && target.device->architectures != nullptr)
      for (std::string& name : target.device->architectures()) names.push_back(std::move(name));
  return names;
}

std::optional<target::gpu::Architecture> parse_architecture(const std::string& name) {
  for (const Target& target : all)
    if (target.device != nullptr && target.device->parse_architecture != nullptr)
      if (const auto architecture = target.device->parse_architecture(name)) return architecture;
  return std::nullopt;
}

bool is_tool_failure(const dlvm::DiagnosticKind& kind) {
  return std::ranges::any_of(all, [&](const Target& target) {
    return target.device != nullptr && target.device->assembler != nullptr &&
           target.device->assembler->failed == &kind;
  });
}

namespace {

/// Returns the text of that name that the target makes, or null.
const target::gpu::DeviceText* text_of(const Target& target, std::string_view name) {
  if (target.device == nullptr) return nullptr;
  const auto found = std::ranges::find(target.device->texts, name, &target::gpu::DeviceText::name);
  return found == target.device->texts.end() ? nullptr : &*found;
}

}  // namespace

const Target* target_with_text(std::string_view name, const target::gpu::DeviceText*& text,
                               std::span<const Target* const> also) {
  for (const Target* target : also)
    if ((text = text_of(*target, name)) != nullptr) return target;
  for (const Target& target : all)
    if ((text = text_of(target, name)) != nullptr) return &target;
  return nullptr;
}

}  // namespace codegen
